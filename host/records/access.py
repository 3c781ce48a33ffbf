"""A store's file as its operations use it: one thread at a time, each look and each write at one moment."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from host.records import emptying
from host.records.integrity.keys import Keys
from host.records.journal import Change, Journal
from host.records.look import MAX_CHECKED_ROWS, Look, Unreadable

Now = Callable[[], datetime]
"""The present moment, aware; staleness is judged by it, once in each call."""


class Access:
    """Raises `Refused` where the file cannot be used, and `ValueError` for a clock without a zone."""

    def __init__(self, path: Path, keys: Keys | None, now: Now) -> None:
        self._now: Final = now
        self.lock: Final = threading.RLock()
        self.journal: Final = Journal(path, keys)
        try:
            emptying.finish(self.journal.database)
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
        with self.lock, self.journal.reading() as (connection, evidence):
            look = Look(
                connection=connection,
                seal=self.journal.seal,
                now=self._moment(),
                unreadable=self._unreadable,
                evidence=evidence,
            )
            self._check_what_others_wrote(look)
            yield look

    @contextmanager
    def writing(self) -> Iterator[tuple[Change, Look]]:
        """A write, which is on the disk when this ends and undone when it raises."""
        with self.lock, self.journal.writing() as change:
            look = Look(
                connection=change.connection,
                seal=change.seal,
                now=self._moment(),
                unreadable=self._unreadable,
            )
            yield change, look

    def _check_what_others_wrote(self, look: Look) -> None:
        """A full check where the file is new to this connection, or changed by another one; of a large file
        only the rows that are served are looked at.
        """
        version = self.journal.database.version
        if version == self._seen_version:
            return
        if look.has_at_most(MAX_CHECKED_ROWS):
            look.check_all()
        self._seen_version = version

    def _moment(self) -> datetime:
        now = self._now()
        if now.tzinfo is None or now.utcoffset() is None:
            raise ValueError(f"the clock gives {now.isoformat()}, which has no time zone; give it UTC")
        return now.astimezone(UTC)
