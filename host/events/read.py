"""Reads an event log back, one event at a time.

A line that a crash cut short is the last one and has no line feed: it is dropped, and `torn` says so. The log
writes in no other way, so a defect in any other line is damage, and is refused with the line's number. A last
line that misses nothing but its line feed is whole and kept.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from host.core.regular_files import open_regular
from host.core.text import format_size
from host.events.encoding import MalformedLine, NotJson, decode_line
from host.events.errors import RecordUnreadable
from host.events.stamped import StampedEvent
from host.events.types import EventModel

MAX_LINE_BYTES: Final = 256 * 2**20
"""No event is longer: the largest holds the views of a turn, each character of them in six."""

_BLOCK_BYTES: Final = 2**16


class EventReader:
    """The events of a file, in order. Each iteration reads from the start; nothing is held.

    Raises `RecordUnreadable`, at once where the path is no file that could hold events, while iterating where
    a line is damaged. A log that is still written can be read: the iteration ends where the file ends then.
    """

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        with self._open() as file:
            if file.read(1) not in (b"", b"{"):
                raise RecordUnreadable(path, "not an event log: its first line is no JSON object", line=1)

    @property
    def torn(self) -> bool:
        """Whether the last line was cut short, by a crash or because it is being written."""
        with self._open() as file:
            tail = next(self._lines_from_end(file, 0), b"")
        try:
            decode_line(tail)
        except MalformedLine as error:
            return _is_cut(tail, error)
        return False

    def __iter__(self) -> Iterator[StampedEvent]:
        run: str | None = None
        with self._open() as file:
            for number, line in enumerate(self._lines(file), start=1):
                stamped = self._decode(line, number)
                if stamped is None:
                    return
                run = run or stamped.run
                if stamped.seq != number:
                    raise RecordUnreadable(self.path, f"seq is {stamped.seq}, not {number}", line=number)
                if stamped.run != run:
                    raise RecordUnreadable(self.path, f"run is {stamped.run!r}, not {run!r}", line=number)
                yield stamped

    def of_types(self, types: Iterable[type[EventModel]]) -> Iterator[StampedEvent]:
        """The events of these types alone. A line that names none of them is not looked into, so whether the
        others are whole is not known.
        """
        wanted = tuple(types)
        names = re.compile(b"|".join(kind.type.encode("ascii") for kind in wanted))
        with self._open() as file:
            for number, line in enumerate(self._lines(file), start=1):
                if names.search(line) is None:
                    continue
                stamped = self._decode(line, number)
                if stamped is not None and isinstance(stamped.event, wanted):
                    yield stamped

    def from_end(self, *, most_bytes: int) -> Iterator[StampedEvent]:
        """The events from the last one back: that one, however long it is, and at least those that begin
        within the last `most_bytes`. A last line that was cut short is left out.
        """
        with self._open() as file:
            for number, line in enumerate(self._lines_from_end(file, most_bytes)):
                try:
                    yield decode_line(line)
                except MalformedLine as error:
                    if number > 0 or not _is_cut(line, error):
                        raise RecordUnreadable(self.path, str(error)) from error

    def _decode(self, line: bytes, number: int) -> StampedEvent | None:
        try:
            return decode_line(line)
        except MalformedLine as error:
            if _is_cut(line, error):
                return None
            raise RecordUnreadable(self.path, str(error), line=number) from error

    def _open(self) -> BinaryIO:
        try:
            return open_regular(self.path)
        except OSError as error:
            raise RecordUnreadable(self.path, error.strerror or str(error)) from error

    def _lines(self, file: BinaryIO) -> Iterator[bytes]:
        number = 1
        while line := file.readline(MAX_LINE_BYTES + 1):
            if len(line) > MAX_LINE_BYTES:
                raise self._too_long(line=number)
            yield line
            number += 1

    def _lines_from_end(self, file: BinaryIO, most_bytes: int) -> Iterator[bytes]:
        """The lines from the last one back, each with its line feed: that one, and at least those that begin
        within the last `most_bytes`. Read from the end, so that a long log costs nothing.
        """
        size = end = file.seek(0, os.SEEK_END)
        begun, length, is_last = b"", _BLOCK_BYTES, True
        while end > 0 and (is_last or size - end < most_bytes):
            if len(begun) > MAX_LINE_BYTES:
                raise self._too_long()
            start = max(0, end - length)
            file.seek(start)
            lines = _split(file.read(end - start) + begun)
            # Where the first of them begins is not known before the start of the file is.
            begun = lines.pop(0) if start > 0 else b""
            for line in reversed(lines):
                yield line
                is_last = False
            end, length = start, length * 2

    def _too_long(self, *, line: int | None = None) -> RecordUnreadable:
        return RecordUnreadable(self.path, f"a line of over {format_size(MAX_LINE_BYTES)}", line=line)


def read_events(path: Path) -> EventReader:
    """The events of a log."""
    return EventReader(path)


def _is_cut(line: bytes, error: MalformedLine) -> bool:
    """Whether the line is what a crash leaves: no beginning of a JSON object is one itself."""
    return isinstance(error, NotJson) and bool(line) and not line.endswith(b"\n")


def _split(block: bytes) -> list[bytes]:
    """Lines with their line feeds. Not by `splitlines`, which splits at other characters as well."""
    *lines, rest = block.split(b"\n")
    return [*(line + b"\n" for line in lines), *([rest] if rest else [])]
