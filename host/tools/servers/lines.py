"""Bytes cut into lines, of which none is kept that is too long."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from host.core.text import format_size
from host.tools.servers.bounds import Flooded

_EDGE_BYTES: Final = 200


@dataclass(frozen=True)
class LongLine:
    """A line that was not kept: its beginning, its end and its length."""

    head: bytes
    tail: bytes
    size_bytes: int


class LineCutter:
    """Feed it what was read; it gives the lines that are complete, without their line feeds.

    A line of more than `max_bytes` is not kept; one of more than `max_skipped_bytes` is not waited for.
    """

    def __init__(self, max_bytes: int, *, max_skipped_bytes: int | None = None) -> None:
        self._max_bytes: Final = max_bytes
        self._max_skipped_bytes: Final = max_skipped_bytes
        self._kept = bytearray()
        self._long: LongLine | None = None

    def feed(self, chunk: bytes) -> Iterator[bytes | LongLine]:
        """Raises `Flooded` for a line that does not end."""
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            self._add(part)
            yield self._take()
        self._add(rest)

    def last(self) -> bytes | LongLine:
        """What came after the last line feed."""
        return self._take()

    def _add(self, part: bytes) -> None:
        if self._long is None:
            self._kept += part
            if len(self._kept) > self._max_bytes:
                edges = bytes(self._kept[:_EDGE_BYTES]), bytes(self._kept[-_EDGE_BYTES:])
                self._long = LongLine(*edges, len(self._kept))
                self._kept = bytearray()
            return
        long = self._long
        tail = (long.tail + part)[-_EDGE_BYTES:]
        self._long = LongLine(long.head, tail, long.size_bytes + len(part))
        if self._max_skipped_bytes is not None and self._long.size_bytes > self._max_skipped_bytes:
            raise Flooded(f"sent a message of more than {format_size(self._max_skipped_bytes)}")

    def _take(self) -> bytes | LongLine:
        taken = self._long or bytes(self._kept)
        self._kept, self._long = bytearray(), None
        return taken
