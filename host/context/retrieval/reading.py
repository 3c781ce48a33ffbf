"""The beginning of a file as text: UTF-8, or UTF-16 as Windows tools write it."""

import codecs
import os
from dataclasses import dataclass
from typing import Final

MAX_READ_BYTES: Final = 2**20
"""What is read of a file, however long it is."""

_MARKS: Final = (  # the longer first: UTF-32's begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES: Final = 4096


@dataclass(frozen=True)
class Beginning:
    """A text, and whether the file goes on after it."""

    text: str
    is_cut: bool


def read_beginning(descriptor: int, max_bytes: int = MAX_READ_BYTES) -> Beginning | None:
    """The text of an open file, from its start; `None` where it is no text. Raises `OSError`."""
    size = os.fstat(descriptor).st_size
    data = _read(descriptor, min(size, max_bytes))
    # Whoever appends to it meanwhile is not waited for.
    is_cut = size > len(data)
    text = _decoded(data, is_cut=is_cut)
    return None if text is None else Beginning(text, is_cut)


def _read(descriptor: int, wanted: int) -> bytes:
    data = os.read(descriptor, wanted)
    while 0 < len(data) < wanted:
        more = os.read(descriptor, wanted - len(data))
        if not more:
            break
        data += more
    return data


def _decoded(data: bytes, *, is_cut: bool) -> str | None:
    if data.isascii() and b"\0" not in data[:_SAMPLE_BYTES]:
        return data.decode("ascii")
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", ""))
    decoder = codecs.getincrementaldecoder(encoding or _unmarked(data))()
    try:
        # A character that the cut went through is left off.
        return decoder.decode(data[len(mark) :], final=not is_cut)
    except UnicodeDecodeError:
        return None


def _unmarked(data: bytes) -> str:
    """UTF-16 without a mark shows by the NULs of its ASCII: every second byte, and none of the others."""
    sample = data[:_SAMPLE_BYTES]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if even != odd and min(even, odd) == 0 and 4 * max(even, odd) > len(sample[1::2]):
        return "utf-16-be" if even else "utf-16-le"
    return "utf-8"
