"""A book on the disk: one JSON file, which several processes may write.

Each change takes the lock beside the file, reads the file anew, changes it, and puts the new content in its
place in one step. A file that cannot be read as a book is refused and left as it is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from host.core.clock import Clock
from host.skillbook.contents import Contents, Problem
from host.skillbook.decisions import measured
from host.skillbook.formats.reading import read_contents
from host.skillbook.json_file import locked, read_json, real_path, refusal, write_json
from host.skillbook.skillbook import Skillbook

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """A book as a file has it, and what of it could not be read."""

    skillbook: Skillbook
    problems: tuple[Problem, ...] = ()


class BookFile:
    """The book at a path. A file that is not there is an empty book.

    `read` and `apply` raise `Refused` for what is no book, and where the file cannot be read or written.
    """

    def __init__(self, path: str | Path, *, clock: Clock | None = None) -> None:
        self.path: Final = real_path(Path(path))
        self._clock: Final = clock

    def read(self) -> Loaded:
        """The book as it is now."""
        book = Skillbook.of(self._contents(), clock=self._clock)
        return Loaded(skillbook=book, problems=book.problems)

    def apply(self, change: Callable[[Skillbook], T]) -> T:
        """What `change` gives for the book as it is now, which is saved in the second format if anything of
        it changed. Other writers wait until then. Where `change` raises, nothing is saved.
        """
        with locked(self.path):
            before = self._contents()
            book = Skillbook.of(before, clock=self._clock)
            result = change(book)
            if book.contents != before or before.rest.has_stamped:
                write_json(self.path, book.to_dict())
        return result

    def _contents(self) -> Contents:
        found = read_json(self.path)
        if found is None:
            return Contents()
        try:
            return measured(read_contents(found.payload))
        except ValueError as error:
            raise refusal(self.path, f"is no skillbook, and stays as it is: {error}") from error
