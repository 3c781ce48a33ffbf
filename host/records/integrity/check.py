"""The full check of a file: every row against its hash and its newest entry, the whole chain, the sums."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from host.records.integrity.ledger import GENESIS, Entry, entry_mac, newest_row_mac
from host.records.integrity.seal import Seal, row_mac
from host.records.rows import SELECT_KEPT, Kept, kept_of, row_hash

_BATCH: Final = 1_000
Progress = Callable[[int, int], None]
"""Told how many rows of how many are checked."""


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What a full check found.

    Args:
        rows: how many there are.
        unreadable: the places of rows that were changed since they were kept, or that nobody put there.
        missing: the places of rows that were kept and never forgotten, and are gone.
        broken_entry: the number of the first entry of the ledger that the chain does not vouch for.
        wrong_totals: whether the file's own sums differ from those of its rows.
    """

    rows: int = 0
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
    if not kept.is_whole:
        return False
    mac = row_mac(seal, kept.seq, kept.row.content)
    return kept.mac == mac and newest_row_mac(connection, kept.seq) == mac


def check(connection: sqlite3.Connection, seal: Seal, progress: Progress | None = None) -> Checked:
    """Linear in the rows and in the ledger; the rows are read one batch at a time."""
    newest = _newest_states(connection)
    total = len(newest)
    unreadable: set[int] = set()
    rows = size_bytes = 0
    for kept in _all_rows(connection):
        rows += 1
        size_bytes += kept.row.size_bytes if isinstance(kept.row.size_bytes, int) else 0
        content = kept.row.content
        mac = row_mac(seal, kept.seq, content)
        vouched = newest.pop(kept.seq, None)
        if not (kept.hash == row_hash(content) and kept.mac == mac == vouched):
            unreadable.add(kept.seq)
        if progress is not None and rows % _BATCH == 0:
            progress(rows, max(rows, total))
    sums = connection.execute("SELECT rows, bytes FROM totals").fetchone()
    return Checked(
        rows=rows,
        unreadable=frozenset(unreadable),
        missing=frozenset(newest),
        broken_entry=_first_broken(connection, seal),
        wrong_totals=sums != (rows, size_bytes),
    )


def _all_rows(connection: sqlite3.Connection) -> Iterator[Kept]:
    cursor = connection.execute(SELECT_KEPT)
    while batch := cursor.fetchmany(_BATCH):
        yield from map(kept_of, batch)


def _newest_states(connection: sqlite3.Connection) -> dict[int, bytes]:
    """The MAC that each row which should be there has now."""
    states: dict[int, bytes] = {}
    for seq, mac in connection.execute("SELECT seq, row_mac FROM ledger ORDER BY n"):
        if mac is None:
            states.pop(seq, None)
        else:
            states[seq] = mac
    return states


def _first_broken(connection: sqlite3.Connection, seal: Seal) -> int | None:
    """Looks from the newest entry on that an operator accepted the file with."""
    accepted = connection.execute("SELECT max(n) FROM ledger WHERE op = 'accept'").fetchone()[0]
    start = accepted or 0
    previous = GENESIS
    expected = start or 1
    cursor = connection.execute(
        "SELECT n, op, seq, row_mac, previous_mac, mac FROM ledger WHERE n >= ? ORDER BY n", (start,)
    )
    for n, op, seq, mac_of_row, stood_before, mac in cursor:
        before = stood_before if n == start else previous
        is_chained = n == expected and stood_before == before
        if not is_chained or mac != entry_mac(seal, n, Entry(op, seq, mac_of_row), before):
            return int(n)
        previous, expected = mac, n + 1
    return None
