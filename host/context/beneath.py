"""Opens what lies beneath a directory, one part of the way at a time, and follows no link.

A path is resolved first, which follows the links that stay inside; what is opened is what it resolved to. A
link that is put in the way between the two is met by an open that refuses links.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""A pipe is not waited for."""


def parts_beneath(root: str, path: str) -> tuple[str, ...] | None:
    """The parts of the way from a resolved directory to what a path, taken from there, resolves to; `None`
    where that lies outside. The way ends early at what is missing, and in a loop of links.

    Raises `OSError` and `ValueError` for what no path can be.
    """
    resolved = os.path.realpath(os.path.join(root, path))
    if resolved == root:
        return ()
    below = resolved.removeprefix(root if root.endswith("/") else f"{root}/")
    return None if below == resolved else tuple(below.split("/"))


@contextmanager
def directory_beneath(root: str, parts: Sequence[str], *, create: bool = False) -> Iterator[int]:
    """A descriptor of the directory, open for as long as the block runs. Raises `OSError`."""
    current = os.open(root, DIRECTORY)
    try:
        for part in parts:
            if create:
                _make(part, current)
            inner = os.open(part, DIRECTORY, dir_fd=current)
            os.close(current)
            current = inner
        yield current
    finally:
        os.close(current)


def open_beneath(root: str, parts: Sequence[str]) -> int:
    """A descriptor of the regular file, for reading. Raises `OSError`, also for what is no regular file."""
    if not parts:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), root)
    *directories, name = parts
    with directory_beneath(root, directories) as parent:
        descriptor = os.open(name, FILE, dir_fd=parent)
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        os.close(descriptor)
        raise
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(Path(root, *parts)))
    return descriptor


def _make(part: str, parent: int) -> None:
    try:
        os.mkdir(part, dir_fd=parent)
    except FileExistsError:
        return  # whatever it is, the open that follows takes a directory alone
