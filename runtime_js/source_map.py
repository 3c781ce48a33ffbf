"""From a position in a bundle to the place in the text the model wrote.

The engine counts lines at line feeds and columns in UTF-8 bytes; the map of esbuild counts lines as
JavaScript does and columns in UTF-16 units. Sources of the SDK have no places. A map is decoded at the first
question: programs that run clean never pay for it.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from runtime_js.places import Place, SourceText

__all__ = ["Frame", "Place", "Segment", "SourceMap", "decode_mappings", "locate_stack", "relocate_frames"]

_MAX_FRAMES: Final = 10
_MAX_NAME_CHARS: Final = 80
_MAX_STACK_CHARS: Final = 64 * 2**10

# `at f (program.js:12:3)`; the function of a top-level or unnamed frame is `<anonymous>`. Code that `eval` or
# `new Function` made has another file's name, and no place.
_FRAME: Final = re.compile(r"^\s*at (.*) \(program\.js:(\d{1,9}):(\d{1,9})\)\s*$", re.MULTILINE)
_FRAME_MARK: Final = " (program.js:"
_UNNAMED: Final = "<anonymous>"

_BASE64: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_SIXBITS: Final = {character: value for value, character in enumerate(_BASE64)}


class Segment(NamedTuple):
    """Where a stretch of a generated line comes from; lines and columns from 0, columns in UTF-16 units."""

    column: int
    source: int
    source_line: int
    source_column: int


class SourceMap:
    """The source map of one bundle. `sources` stands in the map's order, None for a source of the SDK."""

    def __init__(self, js: str, mappings: str, sources: Sequence[SourceText | None]) -> None:
        self.js: Final = js
        self._mappings: Final = mappings
        self._sources: Final = tuple(sources)

    @property
    def size_chars(self) -> int:
        return len(self._mappings) + sum(len(source.text) for source in self._sources if source)

    def locate(self, line: int, column: int) -> Place | None:
        """The place behind a position as the engine reports it; None in the SDK and in lines of gg's own.

        Where nothing before the position is mapped, the first segment of its line serves.
        """
        origin = self.origin(line, column)
        return None if origin is None else origin[0].place(origin[1])

    def origin(self, line: int, column: int) -> tuple[SourceText, int] | None:
        """What `locate` finds, as a source and an offset in it."""
        line, column = self._generated(line, column)
        if not 0 <= line < len(self._lines) or not self._lines[line]:
            return None
        segments = self._lines[line]
        at = bisect_right(segments, column, key=lambda segment: segment.column)
        segment = segments[max(at - 1, 0)]
        source = self._sources[segment.source]
        if source is None:
            return None
        return source, source.offset_of_utf16(segment.source_line + 1, segment.source_column)

    def _generated(self, line: int, column: int) -> tuple[int, int]:
        """Line and column from 0 in the units of the map."""
        if self.js.isascii():
            return line - 1, column - 1
        start = sum(len(text) + 1 for text in self.js.split("\n")[: line - 1])
        before = self.js[start:].encode()[: column - 1].decode(errors="ignore")
        return _as_script(self.js[: start + len(before)])

    @cached_property
    def _lines(self) -> list[list[Segment]]:
        return decode_mappings(self._mappings)


@dataclass(frozen=True)
class Frame:
    """One frame of a stack in the model's own text. `function` is empty for top-level and unnamed code."""

    function: str
    file: str
    line: int
    column: int


def locate_stack(stack: str, source_map: SourceMap) -> tuple[Frame, ...]:
    """The frames of an engine's stack that have a place, innermost first, ten at most.

    A stack is guest text: frames it forges can only name places in the guest's own sources.
    """
    frames: list[Frame] = []
    for match in _FRAME.finditer(stack[:_MAX_STACK_CHARS]):
        place = source_map.locate(int(match[2]), int(match[3]))
        if place is not None:
            name = "" if match[1] == _UNNAMED else match[1][:_MAX_NAME_CHARS]
            frames.append(Frame(name, place.file, place.line, place.column))
    return tuple(frames[:_MAX_FRAMES])


def relocate_frames(text: str, source_map: SourceMap) -> str:
    """The text with the engine's frames in it told as places in the model's own text, each on its line.

    Frames without such a place, those of the SDK, are left out.
    """
    if _FRAME_MARK not in text:
        return text
    lines = text.split("\n")
    return "\n".join(told for line in lines if (told := _relocated(line, source_map)) is not None)


def _relocated(line: str, source_map: SourceMap) -> str | None:
    match = _FRAME.fullmatch(line)
    if match is None:
        return line
    place = source_map.locate(int(match[2]), int(match[3]))
    if place is None:
        return None
    where = f"{place.file}:{place.line}:{place.column}"
    return f"    at {where if match[1] == _UNNAMED else f'{match[1]} ({where})'}"


def decode_mappings(mappings: str) -> list[list[Segment]]:
    """The segments of each generated line but those without a source. Raises ValueError on a bad one."""
    lines: list[list[Segment]] = []
    source = source_line = source_column = 0
    for line in mappings.split(";"):
        column = 0
        segments: list[Segment] = []
        for text in line.split(",") if line else ():
            deltas = _decode_vlq(text)
            column += deltas[0]
            if len(deltas) >= 4:
                source += deltas[1]
                source_line += deltas[2]
                source_column += deltas[3]
                segments.append(Segment(column, source, source_line, source_column))
        lines.append(segments)
    return lines


def _decode_vlq(text: str) -> list[int]:
    """Numbers in base 64: five bits a digit, lowest first, a sixth for "more follows"; bit 0 is the sign."""
    numbers: list[int] = []
    value = shift = 0
    for character in text:
        digit = _SIXBITS.get(character)
        if digit is None:
            raise ValueError(f"{character!r} is no digit of a source map")
        value |= (digit & 31) << shift
        shift += 5
        if digit < 32:
            numbers.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    if shift or not numbers:
        raise ValueError(f"{text!r} ends within a number")
    return numbers


def _as_script(before: str) -> tuple[int, int]:
    """Line and UTF-16 column, both from 0, of the end of `before`, with lines as JavaScript counts them."""
    lines = re.split("\r\n?|[\n\u2028\u2029]", before)
    return len(lines) - 1, len(lines[-1].encode("utf-16-le", errors="surrogatepass")) // 2
