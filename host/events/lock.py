"""One writer for each record.

The kernel holds the lock for the process and drops it when the process ends, however it ends. The file and
the process id in it stay, and mean nothing without the lock.
"""

import fcntl
import os
from pathlib import Path
from typing import Final

from host.events.errors import RecordLocked
from host.events.layout import LOCK_FILE

# A link would lead elsewhere, and a pipe would be waited for.
_SAFELY: Final = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class RecordLock:
    """Holds the lock of a record from its making until `release`. Raises `RecordLocked`, `OSError`."""

    def __init__(self, directory: Path) -> None:
        path = directory / LOCK_FILE
        self._fd: Final = os.open(path, os.O_RDWR | os.O_CREAT | _SAFELY, 0o600)
        try:
            _take(self._fd, fcntl.LOCK_EX, directory)
            try:
                os.ftruncate(self._fd, 0)
                os.write(self._fd, f"{os.getpid()}\n".encode())
            except OSError:  # a full disk
                path.unlink()
                raise
        except BaseException:
            os.close(self._fd)
            raise

    def release(self) -> None:
        os.close(self._fd)


def writer_of(directory: Path) -> int | None:
    """The id of the process that writes the record now; 0 where it cannot be read, `None` where none does."""
    try:
        fd = os.open(directory / LOCK_FILE, os.O_RDONLY | _SAFELY)
    except FileNotFoundError:
        return None
    try:
        # An empty file is of a process that is about to take the lock, which a look must not keep it from.
        if os.fstat(fd).st_size:
            _take(fd, fcntl.LOCK_SH, directory)
    except RecordLocked as locked:
        return locked.pid or 0
    finally:
        os.close(fd)
    return None


def _take(fd: int, kind: int, directory: Path) -> None:
    try:
        fcntl.flock(fd, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RecordLocked(directory, _written_pid(fd)) from None


def _written_pid(fd: int) -> int | None:
    text = os.pread(fd, 32, 0).strip()
    return int(text) if text.isdigit() else None
