"""Places in a source, in the units each tool counts in.

A model and an operator read lines and columns from 1, columns in characters (code points). esbuild counts
bytes from 0, its source maps and the language server count UTF-16 units from 0, and JavaScript breaks lines
at U+2028 and U+2029 as well. Everything is converted by way of an offset in the text.
"""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Final

__all__ = ["Place", "SourceText"]

# What an editor and the language server call a line.
_LINE_BREAK: Final = re.compile(r"\r\n?|\n")
_SCRIPT_LINE_BREAK: Final = re.compile(r"\r\n?|[\n\u2028\u2029]")
_WIDE: Final = re.compile("[\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Place:
    """A position in a source the model wrote. Line and column count from 1, the column in characters."""

    file: str
    line: int
    column: int


class SourceText:
    """One source and its lines. Every conversion is total: a position beyond the text becomes its end."""

    def __init__(self, file: str, text: str) -> None:
        self.file: Final = file
        self.text: Final = text
        self._lines: Final[dict[int, str]] = {}

    def place(self, offset: int) -> Place:
        """The place of the character at `offset`; beyond the text it is the place after its last word."""
        if offset >= len(self.text):
            offset = len(self.text.rstrip())
        if self.text.startswith("\r\n", offset - 1) and offset:
            offset -= 1  # within a line break is at its start
        line = bisect_right(self._starts, offset)
        return Place(self.file, line, offset - self._starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line break.

        One object for all who ask: thousands of errors may stand on a line of a megabyte.
        """
        if number not in self._lines:
            start = self._starts[number - 1]
            following = _LINE_BREAK.search(self.text, start)
            self._lines[number] = self.text[start : following.start() if following else len(self.text)]
        return self._lines[number]

    def offset_of_bytes(self, line: int, column: int) -> int:
        """From a line as JavaScript counts it, from 1, and a column in UTF-8 bytes, from 0."""
        start, end = self._script_line(line)
        if self.text.isascii():
            return min(start + column, end)
        return start + len(self.text[start:end].encode()[:column].decode(errors="ignore"))

    def offset_of_utf16(self, line: int, column: int) -> int:
        """From a line as JavaScript counts it, from 1, and a column in UTF-16 units, from 0."""
        start, end = self._script_line(line)
        return min(self._after_units(start, column), end)

    def offset_of_editor(self, line: int, column: int) -> int:
        """From a line as an editor counts it, from 0, and a column in UTF-16 units, from 0."""
        if line >= len(self._starts):
            return len(self.text)
        return min(self._after_units(self._starts[line], column), len(self.text))

    def _after_units(self, start: int, units: int) -> int:
        """The offset `units` UTF-16 units after `start`."""
        first = bisect_left(self._wide, start)
        # The n-th wide character from there begins at its own offset and one unit for each before it.
        before = bisect_left(
            range(len(self._wide) - first), units, key=lambda n: self._wide[first + n] - start + n
        )
        return start + units - before

    def _script_line(self, line: int) -> tuple[int, int]:
        """Start and end offset of a line; the end includes its line break."""
        starts = self._script_starts
        if line > len(starts):
            return len(self.text), len(self.text)
        return starts[line - 1], starts[line] if line < len(starts) else len(self.text)

    @cached_property
    def _wide(self) -> list[int]:
        """Offsets of the characters that are two UTF-16 units."""
        return [] if self.text.isascii() else [match.start() for match in _WIDE.finditer(self.text)]

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_BREAK.finditer(self.text))]

    @cached_property
    def _script_starts(self) -> list[int]:
        return [0, *(match.end() for match in _SCRIPT_LINE_BREAK.finditer(self.text))]
