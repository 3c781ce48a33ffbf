"""Bytes of a file that a shell or an editor wrote, as text."""

import codecs
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark begins it
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LOOKED_AT: Final = 4096


def decode_trace(data: bytes) -> str:
    """The text by its byte order mark, else UTF-16 where every other byte is 0, else UTF-8. Never fails: what
    is in none of them becomes U+FFFD.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    beginning = data[:_LOOKED_AT]
    for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros, others = beginning[offset::2], beginning[1 - offset :: 2]
        if len(zeros) >= 8 and zeros.count(0) * 10 > 9 * len(zeros) and others.count(0) * 10 < len(others):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")
