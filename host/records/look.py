"""One look into the file: the moment it is judged at, and what of it can be served.

Rows that cannot be are kept by place in a table of the connection, `temp.unreadable`, so that they count in
no answer. They come from the last full check, and from every row that was to be served and did not hold.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from host.core.envelope import Evidence
from host.records.integrity.check import Checked, Progress, check, is_servable
from host.records.integrity.seal import Seal
from host.records.model import Record
from host.records.rows import SELECT_KEPT, Kept, kept_of, record_of

MAX_CHECKED_ROWS: Final = 10_000
"""Up to so many rows are all checked whenever another process may have changed them."""


class Unreadable:
    """What a store knows of its rows that cannot be served, over all looks of one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TEMP TABLE unreadable (seq INTEGER PRIMARY KEY)")
        self._connection: Final = connection
        self._seqs: set[int] = set()
        self._missing: frozenset[int] = frozenset()
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

    def note(self, seqs: Iterable[int]) -> None:
        new = set(seqs) - self._seqs
        self._seqs |= new
        self._connection.executemany(
            "INSERT OR IGNORE INTO temp.unreadable VALUES (?)", [(seq,) for seq in new]
        )

    def replace(self, checked: Checked, now: datetime) -> None:
        """Takes the word of a full check in place of all before it."""
        self._connection.execute("DELETE FROM temp.unreadable")
        self._seqs = set()
        self.note(checked.unreadable)
        self._missing = checked.missing
        self.checked_at = now

    def forget(self, seqs: Iterable[int]) -> None:
        gone = set(seqs) & self._seqs
        self._seqs -= gone
        self._connection.executemany("DELETE FROM temp.unreadable WHERE seq = ?", [(seq,) for seq in gone])


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a call reads by. `evidence` speaks against the file as a whole."""

    connection: sqlite3.Connection
    seal: Seal
    now: datetime
    unreadable: Unreadable
    evidence: tuple[Evidence, ...] = ()

    def at(self, seq: int) -> Record | None:
        """The record at a place; `None`, and noted, for one that cannot be served."""
        values = self.connection.execute(f"{SELECT_KEPT} WHERE seq = ?", (seq,)).fetchone()
        return None if values is None else self.judged(kept_of(values))

    def with_id(self, record_id: str) -> Record | None:
        values = self.connection.execute(f"{SELECT_KEPT} WHERE id = ?", (record_id,)).fetchone()
        return None if values is None else self.judged(kept_of(values))

    def judged(self, kept: Kept) -> Record | None:
        """The record of a row that is as it was kept; `None`, and noted, of another."""
        try:
            record = record_of(kept, now=self.now) if is_servable(self.connection, self.seal, kept) else None
        except (ValueError, KeyError, TypeError):  # tampered with by who recomputed the hash of no key
            record = None
        if record is None:
            self.unreadable.note([kept.seq])
        return record

    def has_at_most(self, count: int) -> bool:
        """Whether the file has so many rows or fewer, by its rows and not by its own word on them."""
        some = "SELECT count(*) FROM (SELECT 1 FROM records LIMIT ?)"
        return int(self.connection.execute(some, (count + 1,)).fetchone()[0]) <= count

    def check_all(self, progress: Progress | None = None) -> Checked:
        """A full check, whose word counts from here on."""
        checked = check(self.connection, self.seal, progress)
        self.unreadable.replace(checked, self.now)
        return checked
