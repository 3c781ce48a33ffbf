"""The file of a store: SQLite with a write-ahead log, every commit on the disk before it is acknowledged.

Whatever the file refuses (it is cut off, locked, read-only, on a full disk) is told as `G6_E_MEMORY_STORE`,
and leaves it as it was.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from host.core.envelope import Refused
from host.core.errors import system_reason
from host.records import codes, schema

WAIT_S: Final = 5.0
"""How long another process's write is waited for."""

_WHY: Final = {
    "SQLITE_BUSY": "another process holds it, and did so for 5 s; try again",
    "SQLITE_LOCKED": "another process holds it, and did so for 5 s; try again",
    "SQLITE_READONLY": "it is read-only; make the file and its folder writable for this user",
    "SQLITE_FULL": "the disk is full; make room, nothing was written",
    "SQLITE_CANTOPEN": "it cannot be opened; look at the path and at the rights of its folder",
    "SQLITE_CORRUPT": "it is damaged or cut off; restore it from a copy, it was not touched",
    "SQLITE_NOTADB": "it is no database; name another file, it was not touched",
    "SQLITE_IOERR": "the disk failed; look at the system's log",
    "SQLITE_PERM": "this user may not use it; look at the rights of the file",
}


class Database:
    """One connection. The caller sees to it that one thread at a time uses it."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        with self.told():
            _make_private(path)
            self.connection: Final = sqlite3.connect(
                path, timeout=WAIT_S, isolation_level=None, check_same_thread=False
            )
        try:
            with self.told():
                self._open()
        except BaseException:
            self.connection.close()
            raise

    def close(self) -> None:
        self.connection.close()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Tells what the system or SQLite refuses as the refusal of a call."""
        try:
            yield
        except sqlite3.Error as error:
            raise _refused(self.path, error) from error
        except OSError as error:
            message = f"the store {self.path} cannot be used: {system_reason(error)}"
            raise Refused.of(codes.STORE, message) from error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One moment of the file for several looks."""
        with self.told():
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            finally:
                self._rollback()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other process writes beside. It is undone unless `commit` was called."""
        with self.told():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            finally:
                self._rollback()

    def commit(self) -> None:
        self.connection.execute("COMMIT")

    @property
    def version(self) -> int:
        """Changes whenever another connection has changed the file."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def truncate_log(self) -> bool:
        """Empties the write-ahead log into the file; false where a reader elsewhere keeps it for 5 s."""
        busy, _, _ = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def _open(self) -> None:
        connection = self.connection
        # A tampered row may hold bytes that are no UTF-8: it is to be counted, and to stop nothing.
        connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        connection.execute("PRAGMA trusted_schema = OFF")
        version = schema.version_of(connection)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")
        if version < len(schema.MIGRATIONS):
            with self.writing():
                schema.migrate(connection, schema.version_of(connection))
                self.commit()
        schema.refuse_foreign_parts(connection)

    def _rollback(self) -> None:
        if self.connection.in_transaction:
            # Where the file itself failed there may be nothing to undo; the first failure is the one to tell.
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")


def _refused(path: Path, error: sqlite3.Error) -> Refused:
    name = getattr(error, "sqlite_errorname", "")
    why = next((text for code, text in _WHY.items() if name.startswith(code)), str(error))
    return Refused.of(codes.STORE, f"the store {path} cannot be used: {why}")


def _make_private(path: Path) -> None:
    """A new file that its owner alone may read, in a folder that is made where it is missing."""
    if not path.parent.is_dir():
        path.parent.mkdir(mode=0o700, parents=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
