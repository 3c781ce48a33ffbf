"""Removes a whole record, and nothing outside it.

The files by which a record is known go last, so that one that could not be removed whole can be tried again.
"""

import os
import shutil
import stat
from pathlib import Path
from typing import Final

from host.events.layout import EVENTS_FILE, LOCK_FILE, RUN_FILE
from host.events.lock import RecordLock

_LAST: Final = (EVENTS_FILE, RUN_FILE, LOCK_FILE)


def remove_record(directory: Path) -> None:
    """Removes the directory of a record; a link in it is removed, and what it leads to is not.

    Raises `RecordLocked` where a process writes it, with nothing removed, and `OSError`.
    """
    _open_up(directory)
    lock = RecordLock(directory)
    try:
        with os.scandir(directory) as entries:
            parts = [entry for entry in entries if entry.name not in _LAST]
        for part in parts:
            _remove(part)
        for name in _LAST:
            (directory / name).unlink(missing_ok=True)
        directory.rmdir()
    finally:
        lock.release()


def _remove(part: "os.DirEntry[str]") -> None:
    if not part.is_dir(follow_symlinks=False):
        os.unlink(part.path)
        return
    _open_up(part.path)
    for folder, folders, _ in os.walk(part.path):
        for name in folders:
            _open_up(os.path.join(folder, name))
    shutil.rmtree(part.path)


def _open_up(directory: str | Path) -> None:
    """Lets the owner remove what is in a directory: a copy that an agent worked on keeps the modes it had."""
    mode = os.lstat(directory).st_mode
    if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(directory, stat.S_IMODE(mode) | stat.S_IRWXU)
