"""Where a text has something that is nearly what was looked for. Takes time in proportion to the text."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from host.core.scrubbing.cuts import first_cut, last_cut
from host.core.text import quoted

MAX_SHOWN_CHARS: Final = 120
"""Of the line that comes closest. A longer line is compared, and shown, in parts of this length."""

_MAX_TEXT_CHARS: Final = 2**20
_MAX_OLD_LINES: Final = 50
_MAX_PARTS: Final = 20_000
_MAX_GRAMS: Final = 32
_GRAM_CHARS: Final = 3
_LEAST_SHARE: Final = 0.25
_SPACE: Final = re.compile(r"\s+")


def near_miss(text: str, old: str) -> str:
    """What is told, after a semicolon, of a text without `old`; empty where nothing comes near.

    It would be found but for its line ends, or but for its white space; else it is the line that comes
    closest to the first of its lines that is not there.
    """
    if len(text) > _MAX_TEXT_CHARS:
        return ""
    plain, plain_old = text.replace("\r\n", "\n"), old.replace("\r\n", "\n")
    if (at := plain.find(plain_old)) >= 0:
        ends = r"\r\n" if "\r\n" in text else r"\n"
        line = plain.count("\n", 0, at) + 1
        return f"; it does with line ends as the text has them, {ends}, in line {line}"
    words = _SPACE.sub(" ", old).strip()
    if words and (at := _SPACE.sub(" ", text).find(words)) >= 0:
        return f"; it does with other white space, in line {_line_of(text, at)}"
    if closest := _closest(text, _missing_line(text, old)):
        line, shown = closest
        return f"; the closest is line {line}, {quoted(shown, max_chars=len(shown))}"
    return ""


def _line_of(text: str, squeezed: int) -> int:
    """The line of a text in which so many characters are passed, a run of white space counted as one."""
    dropped = 0
    for run in _SPACE.finditer(text):
        if run.start() - dropped >= squeezed:
            break
        dropped += len(run[0]) - 1
    return text.count("\n", 0, squeezed + dropped) + 1


def _missing_line(text: str, old: str) -> str:
    """The first line of what was looked for that stands nowhere, else the first that is not blank."""
    lines = [line for line in map(str.strip, old.split("\n", _MAX_OLD_LINES)[:_MAX_OLD_LINES]) if line]
    return next((line for line in lines if line not in text), lines[0] if lines else "")


def _closest(text: str, wanted: str) -> tuple[int, str] | None:
    """Number and text of the line that has the largest share of what the wanted one is made of."""
    grams = _grams(wanted.casefold())

    def nearness(part: _Part) -> tuple[int, int]:
        folded = part.text.casefold()
        return sum(gram in folded for gram in grams), -abs(len(part.text) - len(wanted))

    best = max(islice(_parts(text), _MAX_PARTS), key=nearness, default=None)
    if best is None or nearness(best)[0] <= len(grams) * _LEAST_SHARE:
        return None
    return best.number, best.shown


def _grams(line: str) -> list[str]:
    """All that stands in the line in three characters on end, or so much of it as is enough to tell lines."""
    ends = range(_GRAM_CHARS, min(len(line), MAX_SHOWN_CHARS) + 1)
    grams = list(dict.fromkeys(line[end - _GRAM_CHARS : end] for end in ends))
    return grams[:: len(grams) // _MAX_GRAMS + 1]


class _Part(NamedTuple):
    """What stands in a line from `begin` on, as far as it is compared."""

    number: int
    line: str
    begin: int

    @property
    def text(self) -> str:
        return self.line[self.begin : self.begin + MAX_SHOWN_CHARS]

    @property
    def shown(self) -> str:
        """Cut ends are marked, and lie in no secret."""
        end = last_cut(self.line, self.begin + MAX_SHOWN_CHARS)
        kept = self.line[min(first_cut(self.line, self.begin), end) : end]
        return f"{'…' if self.begin else ''}{kept}{'…' if end < len(self.line) else ''}"


def _parts(text: str) -> Iterator[_Part]:
    """The lines, a long one in parts that overlap."""
    for number, line in enumerate(text.split("\n"), 1):
        yield _Part(number, line, 0)
        for begin in range(MAX_SHOWN_CHARS // 2, len(line) - MAX_SHOWN_CHARS // 2, MAX_SHOWN_CHARS // 2):
            yield _Part(number, line, begin)
