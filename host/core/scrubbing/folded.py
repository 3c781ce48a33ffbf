"""A text as rules read it, with the way back to the text as it is.

What is not visible is dropped and the rest is NFKC, so that a key in full-width letters, or one with a
zero-width space in it, is found like any other.
"""

import re
import unicodedata
from array import array
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


class Folded:
    """`text` is what is read; `ascii` is the same of as many characters, where `?` stands for any other."""

    def __init__(self, original: str) -> None:
        self._starts: array[int] | None = None
        self._ends: array[int] | None = None
        self.text: Final = original if _is_plain(original) else self._fold(original)
        self.ascii: Final = self.text.encode("ascii", "replace")

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters from `start` to `end`, at least one, stand in the original."""
        if self._starts is None or self._ends is None:
            return start, end
        return self._starts[start], self._ends[end - 1]

    def _fold(self, original: str) -> str:
        self._starts, self._ends = array("q"), array("q")
        parts: list[str] = []
        together: list[str] = []  # what is read as one
        begin = end = 0
        for run in _RUNS.finditer(original):
            if run[0].isascii():
                self._add(parts, together, begin, end)
                self._add_as_it_is(parts, original, run.start(), run.end() - 1)
                together, begin, end = [run[0][-1]], run.end() - 1, run.end()
                continue
            for at, char in enumerate(run[0], run.start()):
                if not visible(char):
                    continue
                if together and not _joins(char):
                    self._add(parts, together, begin, end)
                    together = []
                if not together:
                    begin = at
                together.append(char)
                end = at + 1
        self._add(parts, together, begin, end)
        return "".join(parts)

    def _add_as_it_is(self, parts: list[str], original: str, begin: int, end: int) -> None:
        assert self._starts is not None
        assert self._ends is not None
        parts.append(original[begin:end])
        self._starts.extend(range(begin, end))
        self._ends.extend(range(begin + 1, end + 1))

    def _add(self, parts: list[str], together: list[str], begin: int, end: int) -> None:
        assert self._starts is not None
        assert self._ends is not None
        read = nfkc("".join(together))
        parts.append(read)
        self._starts.extend([begin] * len(read))
        self._ends.extend([end] * len(read))


def _is_plain(text: str) -> bool:
    return text.isascii() or (visible(text) == text and nfkc(text) == text)


@lru_cache(maxsize=4096)
def _joins(char: str) -> bool:
    first = unicodedata.normalize("NFKD", char)[0]
    return unicodedata.combining(first) != 0 or first in _JOINING
