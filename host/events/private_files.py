"""Writes files that only their owner may read, whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from host.events.errors import RecordUnwritable


def make_directory(path: Path) -> None:
    """The directory and what is missing above it, each 0700."""
    if path.is_dir():
        return
    make_directory(path.parent)
    with _told_as_unwritable(path):
        path.mkdir(mode=0o700, exist_ok=True)


def write_new(path: Path, content: bytes) -> bool:
    """Creates a file; on a failure none is left. False, with nothing done, if there is one already."""
    with _told_as_unwritable(path):
        try:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except FileExistsError:
            return False
        try:
            _write_whole(fd, content)
        except BaseException:
            path.unlink()
            raise
        finally:
            os.close(fd)
    return True


def replace_file(path: Path, content: bytes) -> None:
    """Puts new content in place of the old in one step: a reader sees one or the other."""
    beside = path.with_name(name_beside(path.name))
    with _told_as_unwritable(path):
        beside.unlink(missing_ok=True)  # left by a process that was killed
        write_new(beside, content)
        beside.replace(path)


def name_beside(name: str) -> str:
    """Where the new content of a file stands until it is whole, and on where its process is killed."""
    return f".{name}.new"


def _write_whole(fd: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]


@contextmanager
def _told_as_unwritable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RecordUnwritable(path, error.strerror or str(error)) from error
