"""Empty directories for children to stand in, gone again even after a host that was killed.

A directory is named after the process that made it; the next host removes those whose process has ended.
Only empty directories are ever removed.
"""

import atexit
import os
import re
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["make_directory", "remove_directory"]

_NAME: Final = re.compile(r"gg-(\d{1,7})-")  # no process id has more digits; a date has


def make_directory() -> Path:
    """A new empty directory that only this user can enter."""
    _begin(os.getpid())
    return Path(tempfile.mkdtemp(prefix=f"gg-{os.getpid()}-"))


def remove_directory(path: Path) -> None:
    """Removes `path` if it is empty; what a child left in it stays for whoever wonders."""
    with suppress(OSError):
        path.rmdir()


@cache
def _begin(pid: int) -> None:
    """Once per process: clears up after hosts that could not, and for this one when it ends."""
    _sweep()
    atexit.register(_remove_own, pid)


def _sweep() -> None:
    for path, owner in _directories():
        with suppress(OSError):
            if path.stat().st_uid == os.getuid() and not _is_running(owner):
                path.rmdir()


def _remove_own(pid: int) -> None:
    for path, owner in _directories():
        if owner == pid:
            remove_directory(path)


def _directories() -> list[tuple[Path, int]]:
    found = ((path, _NAME.match(path.name)) for path in Path(tempfile.gettempdir()).glob("gg-*"))
    return [(path, int(name[1])) for path, name in found if name]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
