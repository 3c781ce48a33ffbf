"""Texts that people have written: decoded, and the places in them."""

import re
from typing import Final

_LINE_BREAK: Final = re.compile(r"\r\n?|\n")


class NotUtf8(ValueError):
    """Bytes that are no UTF-8. `byte`, `line` and `column` count from 1 and say where the text ends."""

    def __init__(self, byte: int, line: int, column: int) -> None:
        super().__init__(f"byte {byte:,} is no UTF-8; save the file as UTF-8")
        self.line: Final = line
        self.column: Final = column


def decoded(data: bytes) -> str:
    """The text of a file, without a byte order mark. Raises `NotUtf8`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = len(data) - len(error.object) + error.start  # a mark is no part of what it has decoded
        line, column = place_of(data[:at].decode("utf-8-sig"))
        raise NotUtf8(at + 1, line, column) from error


def place_of(before: str) -> tuple[int, int]:
    """Line and column, from 1, of what follows this beginning of a text."""
    *lines, last = _LINE_BREAK.split(before)
    return len(lines) + 1, len(last) + 1
