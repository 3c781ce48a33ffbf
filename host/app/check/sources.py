"""Reads what is to be checked: regular files of UTF-8. Nothing is waited for, and nothing huge is held."""

import errno
import os
import stat
from pathlib import Path
from typing import Final

from host.core.errors import HostError, system_reason
from host.core.source_text import NotUtf8, decoded
from runtime_js import PROGRAM_BYTES

MAX_READ_BYTES: Final = 8 * PROGRAM_BYTES
"""A reply may be longer than the program in it; what is longer than this holds none."""

_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class SourceFault(HostError):
    """There is no text to compile. `line` and `column`, from 1, are where it ends to be one."""

    def __init__(self, reason: str, *, line: int = 1, column: int = 1) -> None:
        super().__init__(reason)
        self.message: Final = reason
        self.line: Final = line
        self.column: Final = column


class SourceMissing(SourceFault):
    """There is nothing of that name."""


class SourceTooLong(SourceFault):
    """It is text for all one knows, but far longer than a program may be."""


class SourceReader:
    """Gives one text of each file, so that all that is checked together is checked against the same texts.

    Thread-safe.
    """

    def __init__(self) -> None:
        self._read: Final[dict[Path, str | SourceFault]] = {}

    def text(self, path: Path) -> str:
        """The file's text without a byte order mark. Raises `SourceFault`."""
        found = self._read.get(path)
        if found is None:
            found = self._read.setdefault(path, _read(path))  # two threads may have read it at once
        if isinstance(found, SourceFault):
            raise found
        return found


def _read(path: Path) -> str | SourceFault:
    try:
        return _text(_content(path))
    except SourceFault as fault:
        return fault


def _content(path: Path) -> bytes:
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise _no_file(status.st_mode)
            data = file.read(MAX_READ_BYTES + 1)
    except OSError as error:
        raise _fault(path, error) from error
    if len(data) > MAX_READ_BYTES:
        raise SourceTooLong(f"Program: {status.st_size:,} bytes, limit {PROGRAM_BYTES:,}.")
    return data


def _open_at_once(path: str, flags: int) -> int:
    """Without this a pipe would be waited for until somebody writes to it."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)


def _text(data: bytes) -> str:
    try:
        return decoded(data)
    except NotUtf8 as error:
        raise SourceFault(str(error), line=error.line, column=error.column) from error


def _no_file(mode: int) -> SourceFault:
    kind = next((kind for is_kind, kind in _KINDS if is_kind(mode)), "no regular file")
    return SourceFault(f"it is {kind}; save what is to be checked as a file")


def _fault(path: Path, error: OSError) -> SourceFault:
    match error.errno:
        case errno.EISDIR:
            return _no_file(stat.S_IFDIR)
        case errno.ENXIO:  # what opening a socket gives
            return _no_file(stat.S_IFSOCK)
        case errno.ELOOP:
            return SourceFault("it is a link that leads back to itself; make it lead to a file")
        case errno.ENOENT if path.is_symlink():
            return SourceFault(f"it is a link to nothing ({os.readlink(path)}); make it lead to a file")
        case errno.ENOENT | errno.ENOTDIR:
            return SourceMissing("nothing of that name is there any more")
    return SourceFault(f"{system_reason(error)}; make it readable")
