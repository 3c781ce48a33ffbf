"""What is done in one open directory of a workspace, by its descriptor.

Nothing here follows a link or waits for a special file.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO, Final, Literal

from host.core.text import quoted
from host.operations.workspace.attempt import Attempt, can_spell, is_own

DIRECTORY_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

EntryKind = Literal["file", "directory", "other"]


@dataclass(frozen=True)
class Entry:
    """One entry of a directory. `other`: a link, a special file, `.gg`, or a name that no path can spell."""

    name: str
    kind: EntryKind


@contextmanager
def open_file(name: str, parent: int, attempt: Attempt) -> Iterator[tuple[BinaryIO, int]]:
    """A regular file, open for reading for as long as the block runs, and its size in bytes."""
    attempt.require_regular(_status(name, parent))
    with _regular(os.open(name, _READ, dir_fd=parent), attempt) as file:
        yield file, os.fstat(file.fileno()).st_size


def enter(part: str, parent: int, attempt: Attempt, walked: str, *, create: bool) -> int:
    """Opens the directory `part`, making it first where `create` says so. `walked` is the path to it."""
    try:
        return os.open(part, DIRECTORY_FLAGS, dir_fd=parent)
    except FileNotFoundError:
        if not create:
            raise
    except OSError as err:
        if err.errno not in (errno.ENOTDIR, errno.ELOOP):
            raise
        if stat.S_ISLNK(_status(part, parent).st_mode):
            reason = f"{quoted(walked)} is a link, and links are not followed"
            raise attempt.refusal("refused", reason, "link") from None
        reason = f"{quoted(walked)} is not a directory"
        raise attempt.refusal("invalid-argument", reason, "not_a_directory") from None
    with suppress(FileExistsError):  # another writer made it first
        os.mkdir(part, dir_fd=parent)
    return os.open(part, DIRECTORY_FLAGS, dir_fd=parent)


def replace(name: str, data: bytes, parent: int, attempt: Attempt) -> None:
    """Puts a new file in the place of the old one, with its permissions, if there was one."""
    mode = _mode_of_old(name, parent, attempt)
    temporary = f".gg-{secrets.token_hex(8)}"
    descriptor = os.open(temporary, _CREATE, 0o666, dir_fd=parent)
    try:
        with open(descriptor, "wb") as file:
            if mode is not None:
                os.fchmod(descriptor, mode)
            file.write(data)
        os.replace(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
    except BaseException:
        os.unlink(temporary, dir_fd=parent)
        raise


def entries(directory: int) -> Iterator[Entry]:
    """What the directory holds, in no order."""
    with os.scandir(directory) as found:
        yield from map(_entry, found)


def kind_of(name: str, parent: int) -> EntryKind:
    """What an entry is, without following it."""
    mode = _status(name, parent).st_mode
    if stat.S_ISDIR(mode):
        return "directory"
    return "file" if stat.S_ISREG(mode) else "other"


def _regular(descriptor: int, attempt: Attempt) -> BinaryIO:
    """The file of a descriptor; it may have been replaced since it was looked at."""
    try:
        attempt.require_regular(os.fstat(descriptor))
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _mode_of_old(name: str, parent: int, attempt: Attempt) -> int | None:
    """The permissions of the file that is replaced; a rename alone would pass over a write protection."""
    try:
        status = _status(name, parent)
    except FileNotFoundError:
        return None
    attempt.require_regular(status)
    mode = stat.S_IMODE(status.st_mode) & 0o777
    if not mode & 0o222:
        raise attempt.refusal("refused", "the file is write-protected", "read_only")
    return mode


def _status(name: str, parent: int) -> os.stat_result:
    return os.stat(name, dir_fd=parent, follow_symlinks=False)


def _entry(found: os.DirEntry[str]) -> Entry:
    name = os.fsencode(found.name).decode("utf-8", "replace")
    if name != found.name or not can_spell(name) or is_own(name):
        return Entry(name, "other")
    if found.is_dir(follow_symlinks=False):
        return Entry(name, "directory")
    return Entry(name, "file" if found.is_file(follow_symlinks=False) else "other")
