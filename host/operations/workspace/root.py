"""The way from the root of a workspace down to a directory or a file, one part at a time."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from host.core.errors import Refusal
from host.operations.workspace.attempt import Attempt, reason_of
from host.operations.workspace.folder import (
    DIRECTORY_FLAGS,
    Entry,
    EntryKind,
    enter,
    entries,
    kind_of,
    open_file,
)


class Root:
    """Opens what lies below a directory, and never the `record` of the run or a folder of the record store,
    whatever they are called there.

    Paths are given by their parts. Raises `Refusal`, and `OSError` where the system refuses.
    """

    def __init__(self, path: Path, *, record: Path | None, store_folders: Sequence[Path] = ()) -> None:
        self._path: Final = path.resolve()
        self._record: Final = None if record is None else _identity(record.stat())
        self._store_folders: Final = tuple(store_folders)

    @contextmanager
    def directory(self, parts: Sequence[str], attempt: Attempt, *, create: bool = False) -> Iterator[int]:
        """A descriptor of the directory, open for as long as the block runs."""
        try:
            current = os.open(self._path, DIRECTORY_FLAGS)
        except OSError as err:
            message = f"The agent's directory cannot be opened: {reason_of(err)}."
            raise Refusal("io-error", message, kind="no_workspace") from None
        try:
            self._keep_out(current, attempt)
            for depth, part in enumerate(parts, start=1):
                inner = enter(part, current, attempt, "/".join(parts[:depth]), create=create)
                os.close(current)
                current = inner
                self._keep_out(current, attempt)
            yield current
        finally:
            os.close(current)

    @contextmanager
    def file(self, parts: Sequence[str], attempt: Attempt) -> Iterator[tuple[BinaryIO, int]]:
        """A regular file, open for reading for as long as the block runs, and its size in bytes."""
        *directories, name = parts
        with self.directory(directories, attempt) as parent, open_file(name, parent, attempt) as opened:
            yield opened

    def _keep_out(self, directory: int, attempt: Attempt) -> None:
        if self._record is not None and _identity(os.fstat(directory)) == self._record:
            raise attempt.refusal("refused", "it is the record of the run", "own_folder")
        if self._store_folders and _identity(os.fstat(directory)) in self._store_identities():
            raise attempt.refusal("refused", "it belongs to the record store", "own_folder")

    def _store_identities(self) -> Iterator[tuple[int, int]]:
        """Of those folders that are there by now."""
        for folder in self._store_folders:
            with suppress(OSError):
                yield _identity(folder.stat())


@dataclass(frozen=True)
class RootTree:
    """What lies below a root, as one act walks it."""

    root: Root
    attempt: Attempt

    def kind_of(self, parts: tuple[str, ...]) -> EntryKind:
        *directories, name = parts
        with self.root.directory(directories, self.attempt) as parent:
            return kind_of(name, parent)

    def entries(self, parts: tuple[str, ...]) -> Iterator[Entry]:
        with self.root.directory(parts, self.attempt) as directory:
            yield from entries(directory)

    @contextmanager
    def file(self, parts: tuple[str, ...]) -> Iterator[tuple[BinaryIO, int]]:
        with self.root.file(parts, self.attempt) as opened:
            yield opened


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
