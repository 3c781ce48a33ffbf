"""A store's file as its operations use it: one thread at a time, each look and each write at one moment."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from host.core.envelope import Evidence
from host.records import erasing, index
from host.records.integrity.keys import Keys
from host.records.integrity.ledger import Tip
from host.records.journal import Change, Journal
from host.records.look import Look, Unreadable

Now = Callable[[], datetime]
"""The present moment, aware; staleness is judged by it, once in each call."""


class Access:
    """Raises `Refused` where the file cannot be used, and `ValueError` for a clock without a zone."""

    def __init__(self, path: Path, keys: Keys | None, now: Now) -> None:
        self._now: Final = now
        self.lock: Final = threading.RLock()
        self.journal: Final = Journal(path, keys)
        try:
            index.bring_up_to_date(self.journal.database)
            erasing.finish(self.journal.database)
            self._unreadable: Final = Unreadable(self.journal.database.connection)
        except BaseException:
            self.journal.close()
            raise
        self._seen_version: int | None = None

    @property
    def path(self) -> Path:
        return self.journal.database.path

    def close(self) -> None:
        with self.lock:
            self.journal.close()

    @contextmanager
    def reading(self) -> Iterator[Look]:
        with self.lock, self._unreadable.within(self.journal.reading()) as (connection, doubts):
            look = self._look(connection, doubts)
            version = self.journal.database.version
            if version != self._seen_version:  # the file is new to this connection, or another one changed it
                look.check_what_is_new()
                self._seen_version = version
            yield look

    @contextmanager
    def writing(self) -> Iterator[tuple[Change, Look]]:
        """A write, which is on the disk when this ends and undone when it raises."""
        with self.lock, self._unreadable.within(self.journal.writing()) as change:
            yield change, self._look(change.connection)

    @contextmanager
    def judging(self) -> Iterator[tuple[Look, str | None]]:
        """A look at a file that may have been changed in any way; with what the head says against it."""
        with self.lock, self._unreadable.within(self.journal.judging()) as (connection, doubt):
            yield self._look(connection), doubt

    @contextmanager
    def accepting(self) -> Iterator[tuple[Change, Look, Tip, str | None]]:
        """A write onto a file that may have been changed in any way, with its end and what the head says."""
        with self.lock, self._unreadable.within(self.journal.accepting()) as (change, tip, doubt):
            yield change, self._look(change.connection), tip, doubt

    def _look(self, connection: sqlite3.Connection, doubts: tuple[Evidence, ...] = ()) -> Look:
        return Look(
            connection=connection,
            seal=self.journal.seal,
            now=self._moment(),
            unreadable=self._unreadable,
            doubts=doubts,
        )

    def _moment(self) -> datetime:
        now = self._now()
        if now.tzinfo is None or now.utcoffset() is None:
            raise ValueError(f"the clock gives {now.isoformat()}, which has no time zone; give it UTC")
        return now.astimezone(UTC)
