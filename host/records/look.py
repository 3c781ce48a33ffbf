"""One look into the file: the moment it is judged at, and what of it can be served.

Rows that cannot be are kept by place in a table of the connection, `temp.unreadable`, so that they count in
no answer. They come from the last full check, and from every row that was to be served and did not hold.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from host.core.envelope import Evidence
from host.records.integrity.check import Checked, Progress, check, is_servable
from host.records.integrity.findings import evidence_of
from host.records.integrity.seal import Seal
from host.records.model import Record
from host.records.rows import SELECT_KEPT, Kept, kept_of, record_of

T = TypeVar("T")

MAX_CHECKED_ROWS: Final = 10_000
"""Up to so many rows are all checked whenever another process may have changed them."""


class Unreadable:
    """What a store knows of its rows that cannot be served, over all looks of one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TEMP TABLE unreadable (seq INTEGER PRIMARY KEY)")
        self._connection: Final = connection
        self._seqs: set[int] = set()
        self._missing: frozenset[int] = frozenset()
        self._is_in_table = True
        self.evidence: tuple[Evidence, ...] = ()
        """What the last full check found that speaks against the file as a whole."""
        self.checked_at: datetime | None = None

    @property
    def count(self) -> int:
        return len(self._seqs) + len(self._missing)

    @property
    def seqs(self) -> frozenset[int]:
        return frozenset(self._seqs)

    @property
    def missing(self) -> frozenset[int]:
        """The places of rows that are gone without a word in the ledger; the indexes may still have them."""
        return self._missing

    @contextmanager
    def within(self, transaction: AbstractContextManager[T]) -> Iterator[T]:
        """Around a transaction: one that is undone takes its rows of the table along, and takes back what was
        forgotten in it. What was noted stays true.
        """
        before, missing = set(self._seqs), self._missing
        try:
            with transaction as what:
                self._bring_into_table()
                yield what
        except BaseException:
            self._seqs |= before
            self._missing |= missing
            self._is_in_table = False
            raise

    def note(self, seqs: Iterable[int]) -> None:
        new = set(seqs) - self._seqs
        self._seqs |= new
        self._connection.executemany(
            "INSERT OR IGNORE INTO temp.unreadable VALUES (?)", [(seq,) for seq in new]
        )

    def replace(self, checked: Checked, now: datetime) -> None:
        """Takes the word of a full check in place of all before it."""
        self._seqs = set(checked.unreadable)
        self._is_in_table = False
        self._bring_into_table()
        self._missing = checked.missing
        self.evidence = tuple(evidence_of(checked))
        self.checked_at = now

    def forget(self, seqs: Iterable[int]) -> None:
        """Of rows that were taken out."""
        wanted = set(seqs)
        gone = wanted & self._seqs
        self._seqs -= gone
        self._missing -= wanted
        self._connection.executemany("DELETE FROM temp.unreadable WHERE seq = ?", [(seq,) for seq in gone])

    def _bring_into_table(self) -> None:
        if not self._is_in_table:
            self._connection.execute("DELETE FROM temp.unreadable")
            self._connection.executemany(
                "INSERT INTO temp.unreadable VALUES (?)", [(seq,) for seq in self._seqs]
            )
            self._is_in_table = True


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a call reads by. `doubts` are what the head says against the file."""

    connection: sqlite3.Connection
    seal: Seal
    now: datetime
    unreadable: Unreadable
    doubts: tuple[Evidence, ...] = ()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What speaks against the file as a whole."""
        return (*self.doubts, *self.unreadable.evidence)

    def at(self, seq: int) -> Record | None:
        """The record at a place; `None`, and noted, for one that cannot be served."""
        if not isinstance(seq, int):
            return None  # a place of an index that was tampered with
        values = self.connection.execute(f"{SELECT_KEPT} WHERE seq = ?", (seq,)).fetchone()
        return None if values is None else self.judged(kept_of(values))

    def with_id(self, record_id: str) -> Record | None:
        values = self.connection.execute(f"{SELECT_KEPT} WHERE id = ?", (record_id,)).fetchone()
        return None if values is None else self.judged(kept_of(values))

    def judged(self, kept: Kept) -> Record | None:
        """The record of a row that is as it was kept; `None`, and noted, of another."""
        try:
            record = record_of(kept, now=self.now) if is_servable(self.connection, self.seal, kept) else None
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
        ):  # tampered with by who recomputed the hash of no key
            record = None
        if record is None:
            self.unreadable.note([kept.seq])
        return record

    def check_what_is_new(self) -> None:
        """For a file that another process may have changed: all of its rows are checked, and of a large one
        those again that could not be served.
        """
        if self.has_at_most(MAX_CHECKED_ROWS):
            self.check_all()
            return
        noted = self.unreadable.seqs
        self.unreadable.forget(noted)
        for seq in noted:
            self.at(seq)

    def has_at_most(self, count: int) -> bool:
        """Whether the file has so many rows or fewer, by its rows and not by its own word on them."""
        some = "SELECT count(*) FROM (SELECT 1 FROM records LIMIT ?)"
        return int(self.connection.execute(some, (count + 1,)).fetchone()[0]) <= count

    def check_all(self, progress: Progress | None = None) -> Checked:
        """A full check, whose word counts from here on."""
        checked = check(self.connection, self.seal, progress)
        self.unreadable.replace(checked, self.now)
        return checked
