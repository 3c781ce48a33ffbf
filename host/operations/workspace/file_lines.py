"""Lines of a text file, read in pieces so that a large file is never held whole.

A line ends at a line feed; a carriage return before it belongs to the line. The lines of a file, joined, are
the file to the byte.
"""

from dataclasses import dataclass
from typing import BinaryIO, Final

from host.core.errors import Refusal
from host.core.text import format_over

MAX_READ_BYTES: Final = 8 * 2**20
MAX_FILE_BYTES: Final = 2**30

_PIECE_BYTES: Final = 2**18


@dataclass(frozen=True)
class FileText:
    """Whole lines of a file with their line ends; an empty file has line 0 to 0 of 0."""

    contents: str
    first_line: int
    last_line: int
    total_lines: int


def read_lines(
    file: BinaryIO, size_bytes: int, *, shown: str, offset: int | None = None, limit: int | None = None
) -> FileText:
    """`limit` lines from line `offset` (from 1) of the first `size_bytes` of a file; all without either.

    `shown` names the file in a `Refusal`: `limit-exceeded` over 8 MiB of lines or 1 GiB of file,
    `invalid-argument` where the lines are no UTF-8 or the file ends before `offset`.
    """
    if offset is None and limit is None and size_bytes > MAX_READ_BYTES:
        raise _too_large(shown, size_bytes)
    if size_bytes > MAX_FILE_BYTES:
        figures = format_over(size_bytes, MAX_FILE_BYTES)
        raise Refusal("limit-exceeded", f"Cannot read {shown}: the file has {figures}.", kind="too_large")
    first = offset or 1
    wanted = _Wanted(first - 1, None if limit is None else first - 1 + limit, shown)
    remaining = size_bytes
    while remaining and (piece := file.read(min(_PIECE_BYTES, remaining))):
        remaining -= len(piece)
        wanted.take(piece)
    return wanted.result(first)


class _Wanted:
    """Collects what lies between two line feeds, counted from the start of the file."""

    def __init__(self, skip: int, stop: int | None, shown: str) -> None:
        self._skip = skip
        self._stop = stop
        self._shown = shown
        self._feeds = 0
        self._position = 0
        self._ends_open = False
        self._start: int | None = None
        self._kept = bytearray()

    def take(self, piece: bytes) -> None:
        begin = _after(piece, self._skip - self._feeds)
        end = len(piece) if self._stop is None else _after(piece, self._stop - self._feeds)
        if begin < end:
            if self._start is None:
                self._start = self._position + begin
            self._kept += piece[begin:end]
            if len(self._kept) > MAX_READ_BYTES:
                raise _too_large(self._shown, len(self._kept))
        self._feeds += piece.count(b"\n")
        self._position += len(piece)
        self._ends_open = not piece.endswith(b"\n")

    def result(self, first: int) -> FileText:
        total = self._feeds + self._ends_open
        if first > max(total, 1):
            lines = f"{total} line{'' if total == 1 else 's'}"
            message = f"Cannot read {self._shown} from line {first}: it has {lines}."
            raise Refusal("invalid-argument", message, kind="past_end")
        last = total if self._stop is None else min(self._stop, total)
        return FileText(self._text(), first if total else 0, last, total)

    def _text(self) -> str:
        try:
            return self._kept.decode("utf-8")
        except UnicodeDecodeError as err:
            place = (self._start or 0) + err.start
            found = f"byte {place} is 0x{self._kept[err.start]:02x}"
            message = f"Cannot read {self._shown}: it is no UTF-8 text, {found}."
            raise Refusal("invalid-argument", message, kind="not_text") from None


def _after(piece: bytes, feeds: int) -> int:
    """Where the text after that many line feeds begins; the piece's end when it has fewer."""
    if feeds <= 0:
        return 0
    feeds = min(feeds, len(piece))  # a guest's number may be larger than a split can take
    parts = piece.split(b"\n", feeds)
    return len(piece) - len(parts[feeds]) if len(parts) > feeds else len(piece)


def _too_large(shown: str, size_bytes: int) -> Refusal:
    return Refusal(
        "limit-exceeded",
        f"Cannot read {shown} at once: {format_over(size_bytes, MAX_READ_BYTES)}. "
        "Read it in parts, with offset and limit.",
        kind="too_large",
    )
