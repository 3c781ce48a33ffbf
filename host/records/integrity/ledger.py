"""The ledger: what was done to which row, in a chain of which each entry vouches for all before it.

It has no text. The newest entry of a row says which state of it is the one to be served, if any.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, get_args

from host.core.envelope import Refused
from host.records import codes
from host.records.integrity.seal import Seal
from host.records.rows import Stored

Op = Literal["put", "approve", "supersede", "forget", "lost", "void", "accept", "key"]
"""`accept` says that an operator accepted the file as it is: there `lost` tells of a row that was missing,
`void` of one of which no state is to be served. `key` begins the chain again under a key that the store had
not before.
"""
OPS: Final[tuple[Op, ...]] = get_args(Op)
GENESIS: Final = bytes(32)
NO_ROW: Final = 0
NO_STATE: Final = bytes(32)
"""Stands in an entry for a row of which no state is to be served."""

_MAC_BYTES: Final = 32
_LAST: Final = 2**62  # so that no number of a file that was tampered with makes one that SQLite cannot hold


class Entry(NamedTuple):
    """One entry to be: `row_mac` is absent where no row is left."""

    op: Op
    seq: int
    row_mac: bytes | None


class KeptEntry(NamedTuple):
    """An entry as it stands in the file, not judged yet: its columns may be of any type."""

    n: int
    entry: Entry
    previous_mac: bytes
    mac: bytes

    def is_genuine(self, seal: Seal) -> bool:
        """Whether it says what it said when it was written; its place in the chain is another question."""
        op, seq, of_row = self.entry
        return (
            op in OPS
            and isinstance(seq, int)
            and (of_row is None or _is_mac(of_row))
            and _is_mac(self.previous_mac)
            and self.mac == entry_mac(seal, self.n, self.entry, self.previous_mac)
        )


class Tip(NamedTuple):
    """Where the chain ends: the number of its newest entry, that one's MAC, and how many rows there are."""

    n: int
    mac: bytes
    rows: int


_SELECT: Final = "SELECT n, op, seq, row_mac, previous_mac, mac FROM ledger"


def tip_of(connection: sqlite3.Connection) -> Tip:
    newest = connection.execute("SELECT n, mac FROM ledger ORDER BY n DESC LIMIT 1").fetchone()
    rows = connection.execute("SELECT rows FROM totals").fetchone()
    n, mac = newest if newest else (0, GENESIS)
    return Tip(
        n, mac if isinstance(mac, bytes) else b"", rows[0] if rows and isinstance(rows[0], int) else -1
    )


def drop_impossible(connection: sqlite3.Connection) -> None:
    """Takes out entries of numbers that gg never came to, behind which no other has room."""
    connection.execute("DELETE FROM ledger WHERE n >= ?", (_LAST,))


def append(connection: sqlite3.Connection, seal: Seal, tip: Tip, entries: Sequence[Entry]) -> Tip:
    """Adds entries behind the tip; the new tip."""
    n, previous = tip.n, tip.mac
    if n >= _LAST:
        raise Refused.of(
            codes.STORE, f"entry {n} of the ledger was not written by gg; restore a copy of the file"
        )
    values: list[tuple[Stored, ...]] = []
    for entry in entries:
        n += 1
        mac = entry_mac(seal, n, entry, previous)
        values.append((n, entry.op, entry.seq, entry.row_mac, previous, mac))
        previous = mac
    connection.executemany("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?)", values)
    return tip_of(connection)


def entry_mac(seal: Seal, n: int, entry: Entry, previous: bytes) -> bytes:
    said = b"\0".join((str(n).encode(), entry.op.encode(), str(entry.seq).encode(), entry.row_mac or b""))
    return seal.of("entry", said + b"\0" + previous)


def is_newest_state(connection: sqlite3.Connection, seal: Seal, seq: int, mac: bytes) -> bool:
    """Whether the newest entry of a row names this state of it, and is one that was written so."""
    found = connection.execute(f"{_SELECT} WHERE seq = ? ORDER BY n DESC LIMIT 1", (seq,)).fetchone()
    kept = _kept(found) if found else None
    return kept is not None and kept.entry.row_mac == mac and kept.is_genuine(seal)


def entries_of(connection: sqlite3.Connection) -> Iterator[KeptEntry]:
    """All of them, in order."""
    return map(_kept, connection.execute(f"{_SELECT} ORDER BY n"))


def is_end_of(connection: sqlite3.Connection, seal: Seal) -> bool:
    """Whether the newest entry is one of this seal, or there is none at all."""
    found = connection.execute(f"{_SELECT} ORDER BY n DESC LIMIT 1").fetchone()
    return found is None or _kept(found).is_genuine(seal)


def next_place(connection: sqlite3.Connection) -> int:
    """The place of a new row: above all that the rows and the ledger know, so that none is given twice."""
    known = [
        connection.execute(f"SELECT max(seq) FROM {table} WHERE seq < ?", (_LAST,)).fetchone()[0]
        for table in ("ledger", "records")
    ]
    place = 1 + max([0, *(seq for seq in known if isinstance(seq, int))])
    if place >= _LAST:
        raise Refused.of(codes.STORE, f"place {place - 1} was not given by gg; restore a copy of the file")
    return place


def _kept(values: tuple[Stored, ...]) -> KeptEntry:
    n, op, seq, of_row, previous, mac = values
    return KeptEntry(n, Entry(op, seq, of_row), previous, mac)  # type: ignore[arg-type]


def _is_mac(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == _MAC_BYTES
