"""One directory of an agent, and no way out of it.

A path is walked one part at a time from a descriptor of the root, each part opened relative to the one
before and never through a link, so neither a crafted path nor a rename in between leads outside. Links,
pipes, sockets and devices are told apart before anything is opened. A write makes a new file beside the old
one and renames it: a reader sees the old text or the new one, and another name of the old file keeps what it
had. Messages name the path as it was given, never the place of the root.

Records are no part of it, wherever they lie: a program that could write one could change what it did.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from host.core.errors import ApiErrorCode, Refusal
from host.core.text import escape_line, has_lone_surrogate, quoted, utf8_length
from host.operations.file_lines import FileText, read_lines

MAX_PATH_BYTES: Final = 1024
OWN_FOLDER: Final = ".gg"

_MAX_PART_BYTES: Final = 255
_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Entry:
    """One entry of a directory. `other`: a link, a special file, `.gg`, or a name that no path can spell."""

    name: str
    kind: Literal["file", "directory", "other"]


class Workspace:
    """Reads, writes and lists below `root`.

    A path is relative, its parts separated by `/`; a part `.` says nothing. Every method raises `Refusal`:
    `invalid-argument` (the path, or what it names, does not serve), `not-found`, `refused` (a link, a special
    file, a record, nothing may be written), `limit-exceeded`, `io-error` (the system refused). `record` is
    the run's own, told by its identity and so under any name; others are told by their folder `.gg`.
    """

    def __init__(self, root: Path, *, writable: bool, record: Path | None = None) -> None:
        self._root: Final = root.resolve()
        self._record: Final = None if record is None else _identity(record.stat())
        self.writable: Final = writable

    def read_text(self, path: str, *, offset: int | None = None, limit: int | None = None) -> FileText:
        """The file's text, or `limit` lines of it from line `offset`, counted from 1; 8 MiB at most."""
        attempt = _Attempt("read", path)
        *directories, name = attempt.file_parts()
        with attempt.converting(), self._open(directories, attempt) as parent:
            attempt.require_regular(_status(name, parent))
            with open(os.open(name, _READ, dir_fd=parent), "rb") as file:
                status = os.fstat(file.fileno())
                attempt.require_regular(status)  # it may have been replaced in between
                return read_lines(file, status.st_size, shown=attempt.shown, offset=offset, limit=limit)

    def write_text(self, path: str, contents: str) -> int:
        """Replaces the file's text, making the directories that lack; returns its size in bytes of UTF-8."""
        attempt = _Attempt("write", path)
        if not self.writable:
            raise attempt.refusal("refused", "the workspace is read-only", "read_only")
        *directories, name = attempt.file_parts()
        if has_lone_surrogate(contents):
            raise attempt.refusal("invalid-argument", "contents holds a lone surrogate", "lone_surrogate")
        data = contents.encode("utf-8")
        with attempt.converting(), self._open(directories, attempt, create=True) as parent:
            _replace(name, data, parent, attempt)
        return len(data)

    def list_dir(self, path: str | None = None) -> tuple[Entry, ...]:
        """The entries of a directory, of the root when no path is given, in the order of their names."""
        attempt = _Attempt("list", "." if path is None else path)
        parts = attempt.parts()
        with attempt.converting(), self._open(parts, attempt) as directory, os.scandir(directory) as found:
            return tuple(sorted(map(_entry, found), key=lambda entry: entry.name))

    @contextmanager
    def _open(self, parts: list[str], attempt: "_Attempt", *, create: bool = False) -> Iterator[int]:
        """A descriptor of the directory at `parts`, open for as long as the block runs."""
        try:
            current = os.open(self._root, _DIRECTORY)
        except OSError as err:
            message = f"The workspace cannot be opened: {_reason(err)}."
            raise Refusal("io-error", message, kind="no_workspace") from None
        try:
            self._keep_out(current, attempt)
            for depth, part in enumerate(parts, start=1):
                inner = _enter(part, current, attempt, "/".join(parts[:depth]), create=create)
                os.close(current)
                current = inner
                self._keep_out(current, attempt)
            yield current
        finally:
            os.close(current)

    def _keep_out(self, directory: int, attempt: "_Attempt") -> None:
        if self._record is not None and _identity(os.fstat(directory)) == self._record:
            raise attempt.refusal("refused", "it is the record of the run", "own_folder")


class _Attempt:
    """One act on one path, and the refusals that name both."""

    def __init__(self, act: Literal["read", "write", "list"], path: str) -> None:
        self.act: Final = act
        self.path: Final = path
        self.shown: Final = quoted(path)

    def refusal(self, code: ApiErrorCode, reason: str, kind: str) -> Refusal:
        return Refusal(code, f"Cannot {self.act} {self.shown}: {reason}.", kind=kind)

    def parts(self) -> list[str]:
        """The path's parts from the root; none for the root itself."""
        if problem := _path_problem(self.path):
            raise self.refusal("invalid-argument", problem, "bad_path")
        parts = [part for part in self.path.split("/") if part != "."]
        if any(map(_is_own, parts)):
            raise self.refusal("refused", f"`{OWN_FOLDER}` holds the records of runs", "own_folder")
        return parts

    def file_parts(self) -> list[str]:
        if parts := self.parts():
            return parts
        raise self.refusal("invalid-argument", "it is the workspace itself, not a file", "not_a_file")

    def require_regular(self, status: os.stat_result) -> None:
        if stat.S_ISLNK(status.st_mode):
            raise self.refusal("refused", "it is a link, and links are not followed", "link")
        if stat.S_ISDIR(status.st_mode):
            raise self.refusal("invalid-argument", "it is a directory, not a file", "not_a_file")
        if not stat.S_ISREG(status.st_mode):
            raise self.refusal("refused", "it is a pipe, a socket or a device, not a file", "special_file")

    @contextmanager
    def converting(self) -> Iterator[None]:
        """Turns an error of the system into a refusal. Its own text would name the host's path."""
        try:
            yield
        except FileNotFoundError:
            raise self.refusal("not-found", "there is no such file or directory", "not_found") from None
        except OSError as err:
            raise self.refusal("io-error", _reason(err), "os_error") from None


def _path_problem(path: str) -> str:
    """What is wrong with a path, or an empty text."""
    if not path:
        return "the path is empty"
    if not _can_spell(path):
        return "the path holds a control character or a lone surrogate"
    if utf8_length(path) > MAX_PATH_BYTES:
        return f"the path is {utf8_length(path)} of {MAX_PATH_BYTES} bytes"
    if path.startswith("/"):
        return "the path is absolute; paths are relative to the workspace, such as `notes.md`"
    parts = path.split("/")
    if ".." in parts:
        return "`..` leads out of a directory; paths go from the workspace downwards, such as `notes.md`"
    if "" in parts:
        return "the path has an empty part, at a doubled or trailing `/`"
    longest = max(map(utf8_length, parts))
    return f"a part of the path is {longest} of {_MAX_PART_BYTES} bytes" if longest > _MAX_PART_BYTES else ""


def _can_spell(text: str) -> bool:
    return escape_line(text) == text


def _reason(err: OSError) -> str:
    """What the system says, without the path that the text of the error would name."""
    return err.strerror or "the system gave no reason"


def _enter(part: str, parent: int, attempt: _Attempt, walked: str, *, create: bool) -> int:
    """Opens one directory below `parent`, making it first where `create` says so."""
    try:
        return os.open(part, _DIRECTORY, dir_fd=parent)
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
    return os.open(part, _DIRECTORY, dir_fd=parent)


def _replace(name: str, data: bytes, parent: int, attempt: _Attempt) -> None:
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


def _mode_of_old(name: str, parent: int, attempt: _Attempt) -> int | None:
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
    if name != found.name or not _can_spell(name) or _is_own(name):
        return Entry(name, "other")
    if found.is_dir(follow_symlinks=False):
        return Entry(name, "directory")
    return Entry(name, "file" if found.is_file(follow_symlinks=False) else "other")


def _is_own(name: str) -> bool:
    return name.casefold() == OWN_FOLDER  # some file systems do not tell case


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
