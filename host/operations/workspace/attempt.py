"""One act on one path of a workspace: the path's parts, and the refusals that name act and path."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

from host.core.errors import ApiErrorCode, Refusal
from host.core.text import escape_line, path_parts, quoted, utf8_length

Act = Literal["read", "write", "edit", "list", "search"]

MAX_PATH_BYTES: Final = 1024
OWN_FOLDER: Final = ".gg"

_MAX_PART_BYTES: Final = 255


class Attempt:
    """Refuses in the words of the act, with the path as it was given."""

    def __init__(self, act: Act, path: str) -> None:
        self.act: Final[Act] = act
        self.path: Final = path
        self.shown: Final = quoted(path)

    def refusal(self, code: ApiErrorCode, reason: str, kind: str) -> Refusal:
        return Refusal(code, f"Cannot {self.act} {self.shown}: {reason}.", kind=kind)

    def folder_parts(self) -> list[str]:
        """The parts of a path that may end with a slash, from the root; none for the root itself."""
        return self._parts(self.path.removesuffix("/") or self.path)

    def file_parts(self) -> list[str]:
        """The parts of a path that leads to a file."""
        if parts := self._parts(self.path):
            return parts
        raise self.refusal("invalid-argument", "it is the agent's directory itself, not a file", "not_a_file")

    def _parts(self, path: str) -> list[str]:
        if problem := _path_problem(path):
            raise self.refusal("invalid-argument", problem, "bad_path")
        parts = path_parts(path)
        if any(map(is_own, parts)):
            raise self.refusal("refused", f"`{OWN_FOLDER}` holds the records of runs", "own_folder")
        return parts

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
            raise self.refusal("io-error", reason_of(err), "os_error") from None


def is_own(name: str) -> bool:
    """Whether a name is that of the folder of records, however a file system tells case."""
    return name.casefold() == OWN_FOLDER


def can_spell(name: str) -> bool:
    """Whether a path can name it: no control characters, no lone surrogates."""
    return escape_line(name) == name


def reason_of(err: OSError) -> str:
    """What the system says, without the path that the text of the error would name."""
    return err.strerror or "the system gave no reason"


def _path_problem(path: str) -> str:
    """What is wrong with a path, or an empty text."""
    if not path:
        return "the path is empty"
    if not can_spell(path):
        return "the path holds a control character or a lone surrogate"
    if utf8_length(path) > MAX_PATH_BYTES:
        return f"the path is {utf8_length(path)} of {MAX_PATH_BYTES} bytes"
    if path.startswith("/"):
        return "the path is absolute; paths are relative to the agent's directory, such as `notes.md`"
    parts = path.split("/")
    if ".." in parts:
        return (
            "`..` leads out of a directory; paths go from the agent's directory downwards, such as `notes.md`"
        )
    if "" in parts:
        return "the path has an empty part, at a doubled or trailing `/`"
    longest = max(map(utf8_length, parts))
    return f"a part of the path is {longest} of {_MAX_PART_BYTES} bytes" if longest > _MAX_PART_BYTES else ""
