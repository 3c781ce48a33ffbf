"""A text as rules read it, with the way back to the text as it is.

What is not visible is dropped, also where an escape spells it, and the rest is NFKC, so that a key in
full-width letters, or one with a zero-width space in it, is found like any other.
"""

import re
import unicodedata
from array import array
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from host.core.unicode_text import nfkc, visible

# Letters that join the one before them although they are no combining marks: Hangul's, and a few of India's.
_JOINING: Final = frozenset(
    {
        *map(chr, range(0x1160, 0x1200)),
        *"\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u102e\u1b35",
        *"\U00011127\U0001133e\U00011357\U000114b0\U000114ba\U000114bd\U000115af",
    }
)
_RUNS: Final = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_SHORT_RUN: Final = 16
# What is not visible as JSON and programs spell it, and JSON in JSON does.
_HIDDEN: Final = re.compile(
    r"\\{1,8}u(?:00ad|034f|061c|115f|1160|17b[45]|180[b-f]|200[b-f]|202[a-e]|206[0-9a-f]|3164|fe0[0-9a-f]|feff|ffa0"
    r"|fff[0-8]|\{(?:ad|200[b-f]|2060|feff)\})",
    re.IGNORECASE,
)


class Folded:
    """`text` is what is read; `ascii` is the same of as many characters, where `?` stands for any other."""

    def __init__(self, original: str) -> None:
        self._original: Final = original
        self._is_plain: Final = _is_plain(original)
        self._way_back: tuple[array[int], array[int]] | None = None
        self.text: Final = original if self._is_plain else "".join(read for read, _, _ in _pieces(original))
        self.ascii: Final = self.text.encode("ascii", "replace")

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters from `start` to `end`, at least one, stand in the original."""
        if self._is_plain:
            return start, end
        if self._way_back is None:  # most texts hold nothing that has to be found again
            self._way_back = _way_back(self._original)
        starts, ends = self._way_back
        return starts[start], ends[end - 1]


def _way_back(original: str) -> "tuple[array[int], array[int]]":
    """Start and end, in the original, of each character that is read."""
    starts, ends = array("q"), array("q")
    for read, begin, end in _pieces(original):
        if original[begin:end].isascii():
            starts.extend(range(begin, end))
            ends.extend(range(begin + 1, end + 1))
        else:
            starts.extend([begin] * len(read))
            ends.extend([end] * len(read))
    return starts, ends


def _pieces(original: str) -> Iterator[tuple[str, int, int]]:
    """What is read, piece by piece, and where each stands: ASCII as it is, or what is read as one."""
    together: list[str] = []
    begin = end = 0
    for start, stop in _runs(original):
        run = original[start:stop]
        if run.isascii():
            yield nfkc("".join(together)), begin, end
            yield run[:-1], start, stop - 1
            together, begin, end = [run[-1]], stop - 1, stop
            continue
        for at, char in enumerate(run, start):
            if not visible(char):
                continue
            if together and not _joins(char):
                yield nfkc("".join(together)), begin, end
                together = []
            if not together:
                begin = at
            together.append(char)
            end = at + 1
    yield nfkc("".join(together)), begin, end


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each run of ASCII, or of what is none, without what spells a character not seen."""
    at = 0
    for hidden in (*_HIDDEN.finditer(text), None):
        end = hidden.start() if hidden else len(text)
        yield from (run.span() for run in _RUNS.finditer(text, at, end))
        at = hidden.end() if hidden else end


def _is_plain(text: str) -> bool:
    """Whether it is read as it is. No character of ASCII joins the one before it, so the runs decide."""
    if "\\u" in text and _HIDDEN.search(text):
        return False
    if text.isascii():
        return True
    runs = {text[max(0, run.start() - 1) : run.end()] for run in _NOT_ASCII.finditer(text)}
    return all(map(_is_run_plain, runs))


@lru_cache(maxsize=1024)
def _is_short_run_plain(run: str) -> bool:
    return visible(run) == run and nfkc(run) == run


def _is_run_plain(run: str) -> bool:
    return (_is_short_run_plain if len(run) <= _SHORT_RUN else _is_short_run_plain.__wrapped__)(run)


@lru_cache(maxsize=4096)
def _joins(char: str) -> bool:
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.combining(first) != 0 or first in _JOINING
