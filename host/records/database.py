"""The file of a store: SQLite with a write-ahead log, every commit on the disk before it is acknowledged.

Whatever the file refuses (it is cut off, locked, read-only, on a full disk) is told as `G6_E_MEMORY_STORE`,
and leaves it as it was.
"""

import os
import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from host.core.envelope import Refused
from host.core.errors import system_reason
from host.records import codes, schema
from host.records.new_file import make_new, refuse_no_store

WAIT_S: Final = 5.0
"""How long another process's write is waited for."""

_LOOK_S: Final = 0.002
"""About how often. SQLite itself looks ever more rarely, and one busy writer would shut the others out."""

_WHY: Final = {
    "SQLITE_BUSY": "another process holds it, and did so for {wait_s:g} s; try again",
    "SQLITE_LOCKED": "another process holds it, and did so for {wait_s:g} s; try again",
    "SQLITE_READONLY": "it is read-only; make the file and its folder writable for this user",
    "SQLITE_FULL": "the disk is full; make room, nothing was written",
    "SQLITE_CANTOPEN": "it cannot be opened; look at the path and at the rights of its folder",
    "SQLITE_CORRUPT": "it is damaged or cut off; restore it from a copy, it was not touched",
    "SQLITE_NOTADB": "it is no database; name another file, it was not touched",
    "SQLITE_IOERR": "the disk failed; look at the system's log",
    "SQLITE_PERM": "this user may not use it; look at the rights of the file",
    "SQLITE_CONSTRAINT": "an index of it was changed outside gg; look at it with gg records verify, and have"
    " its indexes made again with --accept REASON",
}


class Database:
    """One connection. The caller sees to it that one thread at a time uses it."""

    def __init__(self, path: Path, *, wait_s: float = WAIT_S) -> None:
        self.path: Final = path
        self._file: Final = path.absolute()
        self._wait_s: Final = wait_s
        self._pid: Final = os.getpid()
        with self.told(), self.told_of_system():
            make_new(self._file)
            refuse_no_store(self._file)
            self._inode: Final = _inode(self._file)
            self.connection: Final = sqlite3.connect(
                f"{self._file.as_uri()}?mode=rw",
                uri=True,
                timeout=wait_s,
                isolation_level=None,
                check_same_thread=False,
            )
        self._schema_version = -1
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
        """Tells what SQLite refuses as the refusal of a call."""
        try:
            yield
        except sqlite3.Error as error:
            raise _refused(self.path, error, self._wait_s) from error
        except UnicodeDecodeError as error:  # a name in the damaged schema, in SQLite's own message
            why = _WHY["SQLITE_CORRUPT"]
            raise Refused.of(codes.STORE, f"the store {self.path} cannot be used: {why}") from error

    @contextmanager
    def told_of_system(self) -> Iterator[None]:
        """Tells what the system refuses as the refusal of a call; never around a caller's own doings."""
        try:
            yield
        except OSError as error:
            message = f"the store {self.path} cannot be used: {system_reason(error)}"
            raise Refused.of(codes.STORE, message) from error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One moment of the file for several looks."""
        self._refuse_elsewhere()
        with self.told():
            self._rollback()
            self.connection.execute("BEGIN")
            try:
                self._refuse_foreign_parts()
                yield self.connection
                self.commit()  # what was noted in tables of the connection itself; nothing is written
            finally:
                self._rollback()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other process writes beside. It is undone unless `commit` was called."""
        self._refuse_elsewhere()
        with self.told():
            self._rollback()
            self._begin_alone()
            try:
                self._refuse_foreign_parts()
                yield self.connection
            finally:
                self._rollback()

    def commit(self) -> None:
        self.connection.execute("COMMIT")

    @property
    def version(self) -> int:
        """Changes whenever another connection has changed the file."""
        return self._pragma("data_version")

    def truncate_log(self) -> bool:
        """Empties the write-ahead log into the file; false where a reader elsewhere keeps it for 5 s."""
        busy, _, _ = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def _open(self) -> None:
        connection = self.connection
        # A tampered row may hold bytes that are no UTF-8: it is to be counted, and to stop nothing.
        connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        for setting in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
            connection.execute(f"PRAGMA {setting}")  # the file may be of another's making
        version = schema.version_of(connection)
        for setting in ("synchronous = FULL", "secure_delete = ON", "temp_store = MEMORY"):
            connection.execute(f"PRAGMA {setting}")
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")
        if version < len(schema.MIGRATIONS):
            self._begin_alone()
            try:
                schema.migrate(connection, schema.version_of(connection))
                self.commit()
            finally:
                self._rollback()
        self._refuse_foreign_parts()

    def _begin_alone(self) -> None:
        until = time.monotonic() + self._wait_s
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            while True:
                try:
                    self.connection.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as error:
                    is_busy = error.sqlite_errorname.startswith("SQLITE_BUSY")
                    if not is_busy or time.monotonic() > until:
                        raise
                threading.Event().wait(_LOOK_S * random.random())
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {int(self._wait_s * 1000)}")

    def _refuse_elsewhere(self) -> None:
        """What is written to a file that lost its name, or by two processes on one connection, is lost."""
        if os.getpid() != self._pid:
            raise Refused.of(
                codes.STORE,
                f"the store {self.path} was opened before this process was forked; open it again in this one",
            )
        with self.told_of_system():
            try:
                is_there = _inode(self._file) == self._inode
            except FileNotFoundError:
                is_there = False
        if not is_there:
            raise Refused.of(
                codes.STORE,
                f"the file {self.path} was removed or replaced after it was opened; open it again",
            )

    def _refuse_foreign_parts(self) -> None:
        version = self._pragma("schema_version")
        if version != self._schema_version:
            schema.refuse_foreign_parts(self.connection)
            self._schema_version = version

    def _pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _rollback(self) -> None:
        """Also before a transaction: an interrupt may have come between the one before and its end."""
        if self.connection.in_transaction:
            # Where the file itself failed there may be nothing to undo; the first failure is the one to tell.
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")


def _inode(path: Path) -> tuple[int, int]:
    facts = path.stat()
    return facts.st_dev, facts.st_ino


def _refused(path: Path, error: sqlite3.Error, wait_s: float) -> Refused:
    name = getattr(error, "sqlite_errorname", "")
    known = (text.format(wait_s=wait_s) for code, text in _WHY.items() if name.startswith(code))
    return Refused.of(codes.STORE, f"the store {path} cannot be used: {next(known, str(error))}")
