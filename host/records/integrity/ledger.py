"""The ledger: what was done to which row, in a chain of which each entry vouches for all before it.

It has no text. The newest entry of a row says which state of it is the one to be served, if any.
"""

import sqlite3
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from host.records.integrity.seal import Seal
from host.records.rows import Stored

Op = Literal["put", "approve", "supersede", "forget", "lost", "accept", "key"]
"""`lost` says that a row was missing when an operator accepted the file as it is, and `accept` that one did;
`key` begins the chain again under a key that the store had not before.
"""
GENESIS: Final = bytes(32)
NO_ROW: Final = 0


class Entry(NamedTuple):
    """One entry to be: `row_mac` is absent where no row is left."""

    op: Op
    seq: int
    row_mac: bytes | None


class Tip(NamedTuple):
    """Where the chain ends: the number of its newest entry, that one's MAC, and how many rows there are."""

    n: int
    mac: bytes
    rows: int


def tip_of(connection: sqlite3.Connection) -> Tip:
    newest = connection.execute("SELECT n, mac FROM ledger ORDER BY n DESC LIMIT 1").fetchone()
    rows = connection.execute("SELECT rows FROM totals").fetchone()
    n, mac = newest if newest else (0, GENESIS)
    return Tip(n, bytes(mac) if isinstance(mac, bytes) else b"", rows[0] if rows else -1)


def append(connection: sqlite3.Connection, seal: Seal, tip: Tip, entries: Sequence[Entry]) -> Tip:
    """Adds entries behind the tip; the new tip."""
    n, previous = tip.n, tip.mac
    values: list[tuple[Stored, ...]] = []
    for entry in entries:
        n += 1
        mac = entry_mac(seal, n, entry, previous)
        values.append((n, entry.op, entry.seq, entry.row_mac, previous, mac))
        previous = mac
    connection.executemany("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?)", values)
    rows = connection.execute("SELECT rows FROM totals").fetchone()[0]
    return Tip(n, previous, rows)


def entry_mac(seal: Seal, n: int, entry: Entry, previous: bytes) -> bytes:
    said = b"\0".join((str(n).encode(), entry.op.encode(), str(entry.seq).encode(), entry.row_mac or b""))
    return seal.of("entry", said + b"\0" + previous)


def newest_row_mac(connection: sqlite3.Connection, seq: int) -> bytes | None:
    """The MAC of the state of a row that is the one to serve; `None` where none is."""
    found = connection.execute(
        "SELECT row_mac FROM ledger WHERE seq = ? ORDER BY n DESC LIMIT 1", (seq,)
    ).fetchone()
    return found[0] if found else None
