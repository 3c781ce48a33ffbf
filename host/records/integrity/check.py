"""The full check of a file: every row against its hash and its newest entry, the whole chain, the sums."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from host.records.integrity.ledger import GENESIS, NO_STATE, KeptEntry, entries_of, is_newest_state
from host.records.integrity.seal import Seal, row_mac
from host.records.integrity.sums import is_size
from host.records.rows import SELECT_KEPT, Kept, kept_of, row_hash

_BATCH: Final = 1_000
Progress = Callable[[int, int], None]
"""Told how many rows of how many are checked."""


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What a full check found.

    Args:
        rows: how many there are.
        entries: how many the ledger has.
        unreadable: the places of rows that were changed since they were kept, or that nobody put there.
        missing: the places of rows that were kept and never forgotten, and are gone.
        broken_entry: the number of the first entry of the ledger that the chain does not vouch for.
        wrong_totals: whether the file's own sums differ from those of its rows.
    """

    rows: int = 0
    entries: int = 0
    unreadable: frozenset[int] = frozenset()
    missing: frozenset[int] = frozenset()
    broken_entry: int | None = None
    wrong_totals: bool = False

    @property
    def count(self) -> int:
        """How many rows cannot be served."""
        return len(self.unreadable) + len(self.missing)

    @property
    def is_whole(self) -> bool:
        return self.count == 0 and self.broken_entry is None and not self.wrong_totals


def is_servable(connection: sqlite3.Connection, seal: Seal, kept: Kept) -> bool:
    """Whether a row is as it was kept last: by its hash, its MAC, and the ledger's newest word on it."""
    content = kept.row.content
    if kept.hash != row_hash(content):
        return False
    mac = row_mac(seal, kept.seq, content)
    return kept.mac == mac and is_newest_state(connection, seal, kept.seq, mac)


def check(connection: sqlite3.Connection, seal: Seal, progress: Progress | None = None) -> Checked:
    """Linear in the rows and in the ledger; the rows are read one batch at a time."""
    ledger = _Ledger()
    for entry in entries_of(connection):
        ledger.read(entry, entry.is_genuine(seal))
    newest = ledger.states
    total = len(newest)
    unreadable: set[int] = set()
    rows = size_bytes = 0
    for kept in _all_rows(connection):
        rows += 1
        size_bytes += kept.row.size_bytes if is_size(kept.row.size_bytes) else 0
        content = kept.row.content
        mac = row_mac(seal, kept.seq, content)
        vouched = newest.pop(kept.seq, None)
        if not (kept.hash == row_hash(content) and kept.mac == mac == vouched):
            unreadable.add(kept.seq)
        if progress is not None and rows % _BATCH == 0:
            progress(rows, max(rows, total))
    sums = connection.execute("SELECT rows, bytes FROM totals").fetchall()
    return Checked(
        rows=rows,
        entries=ledger.count,
        unreadable=frozenset(unreadable),
        missing=frozenset(newest),
        broken_entry=ledger.broken_entry,
        wrong_totals=sums != [(rows, size_bytes)],
    )


def _all_rows(connection: sqlite3.Connection) -> Iterator[Kept]:
    cursor = connection.execute(SELECT_KEPT)
    while batch := cursor.fetchmany(_BATCH):
        yield from map(kept_of, batch)


class _Ledger:
    """Reads the chain from its first entry on.

    `states` has the MAC that each row which should be there has now. `broken_entry` is the first that the
    chain does not vouch for; the newest entry by which an operator accepted the file begins it again.
    """

    def __init__(self) -> None:
        self.states: dict[int, bytes] = {}
        self.broken_entry: int | None = None
        self.count = 0
        self._previous = GENESIS
        self._expected = 1

    def read(self, kept: KeptEntry, is_genuine: bool) -> None:
        self.count += 1
        n, (op, seq, mac), previous, own = kept
        if op == "accept" and is_genuine:
            self.broken_entry = None
        elif self.broken_entry is None and not (
            is_genuine and n == self._expected and previous == self._previous
        ):
            self.broken_entry = n
        self._previous, self._expected = own, n + 1
        if not isinstance(seq, int):
            return
        if mac is None and is_genuine:
            self.states.pop(seq, None)
        elif seq:  # a forged entry makes no row vanish from what should be there
            self.states[seq] = mac if is_genuine and mac is not None else NO_STATE
