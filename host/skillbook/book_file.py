"""A book on the disk: one JSON file, which several processes may write.

Each change takes the lock beside the file, reads the file anew, changes it, and puts the new content in its
place in one step. A file that cannot be read as a book is refused and left as it is.
"""

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from host.core.clock import Clock
from host.core.envelope import Refused
from host.core.text import quoted
from host.skillbook.formats.reading import read_book
from host.skillbook.formats.v2 import Problem, write_v2
from host.skillbook.skillbook import Skillbook

T = TypeVar("T")

BOOK: Final = "G6_E_SKILLBOOK_FILE"
_SAFELY: Final = os.O_CLOEXEC | os.O_NOFOLLOW


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """A book as a file has it, and what of it could not be read."""

    skillbook: Skillbook
    problems: tuple[Problem, ...] = ()


class BookFile:
    """The book at a path. A file that is not there is an empty book.

    `read` and `apply` raise `Refused` for what is no book, and where the file cannot be read or written.
    """

    def __init__(self, path: Path, *, clock: Clock | None = None) -> None:
        self.path: Final = path
        self._clock: Final = clock

    def read(self) -> Loaded:
        """The book as it is now."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return Loaded(skillbook=Skillbook(clock=self._clock))
        except (OSError, UnicodeDecodeError) as error:
            raise self._refused(f"cannot be read: {_reason(error)}") from error
        try:
            payload = json.loads(text)
        except ValueError as error:
            raise self._refused(f"is no JSON, and stays as it is: {error}") from error
        try:
            book, problems = read_book(payload, clock=self._clock)
        except ValueError as error:
            raise self._refused(f"is no skillbook: {error}") from error
        return Loaded(skillbook=book, problems=tuple(problems))

    def apply(self, change: Callable[[Skillbook], T]) -> T:
        """What `change` gives for the book as it is now, which is saved with what was changed."""
        with self._locked():
            book = self.read().skillbook
            result = change(book)
            self._save(write_v2(book))
        return result

    @contextmanager
    def _locked(self) -> Iterator[None]:
        beside = self.path.with_name(f"{self.path.name}.lock")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fd = os.open(beside, os.O_RDWR | os.O_CREAT | _SAFELY, 0o600)
        except OSError as error:
            raise self._refused(f"cannot be locked: {_reason(error)}") from error
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)

    def _save(self, payload: dict[str, Any]) -> None:
        content = (json.dumps(payload, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "surrogatepass")
        beside = self.path.with_name(f".{self.path.name}.new")
        try:
            beside.unlink(missing_ok=True)  # left by a process that was killed
            fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with open(fd, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError as error:
            raise self._refused(f"cannot be written: {_reason(error)}") from error

    def _refused(self, why: str) -> Refused:
        return Refused.of(BOOK, f"{quoted(str(self.path))} {why}")


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
