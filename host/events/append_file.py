"""A file that only grows, by whole lines: what cannot be written whole is cut off again."""

import os
from pathlib import Path
from typing import Final

from host.events.errors import RecordUnwritable


class AppendFile:
    """Creates `path` (mode 0600) and appends to it. Not thread-safe: it belongs to one thread."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        try:
            self._fd: Final = os.open(
                path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600
            )
        except OSError as error:
            raise RecordUnwritable(path, error.strerror or str(error)) from error
        self._size = 0

    def append(self, lines: bytes) -> None:
        """Writes lines that each end in a line feed.

        On a failure the file is cut back to the last line that went in whole, so that nothing can be glued to
        a torn one. Where even that fails the torn line stays the last, and a reader drops it.
        """
        written = 0
        view = memoryview(lines)
        try:
            while written < len(lines):
                written += os.write(self._fd, view[written:])
        except OSError as error:
            self._cut(self._size + lines.rfind(b"\n", 0, written) + 1)
            raise RecordUnwritable(self.path, error.strerror or str(error)) from error
        self._size += written

    def close(self) -> None:
        """Waits until the disk has it. Some file systems report a full disk only here."""
        try:
            os.fsync(self._fd)
        except OSError as error:
            raise RecordUnwritable(self.path, error.strerror or str(error)) from error
        finally:
            os.close(self._fd)

    def _cut(self, size: int) -> None:
        try:
            os.ftruncate(self._fd, size)
        except OSError:
            return  # a read-only or broken disk; the caller raises what led here
