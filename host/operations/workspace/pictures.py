"""Which files are pictures: told by the bytes that they begin with, whatever they are called."""

import re
from dataclasses import dataclass, field
from typing import Final

HEAD_BYTES: Final = 12

_HEADS: Final = (
    ("image/png", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("image/jpeg", re.compile(rb"\xff\xd8\xff")),
    ("image/gif", re.compile(rb"GIF8[79]a")),
    ("image/webp", re.compile(rb"RIFF.{4}WEBP", re.DOTALL)),
)


@dataclass(frozen=True)
class Picture:
    """A file that is a picture. `data` is what it holds, or `None` where that was not asked for."""

    media_type: str
    size_bytes: int
    data: bytes | None = field(default=None, repr=False)


def picture_type(head: bytes) -> str | None:
    """The media type of a file that begins with `head`, `HEAD_BYTES` of it; `None` for all but pictures."""
    return next((media_type for media_type, begins in _HEADS if begins.match(head)), None)
