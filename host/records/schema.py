"""The tables of a store's file, and the steps by which an older file comes to them.

`records` holds what was kept, one row each; `seq` is never given twice. `record_tags` and `postings` are
indexes of it: which rows carry a tag, and which hold a term, how often, in how many terms. `totals` is one
row of sums over `records`. `ledger` is the append-only chain of what was done to which row, without any text.
`settings` has the store's own number, which its MACs are bound to, and by which rules `postings` was made.
`vectors` holds what hybrid searches made of the texts, by place and for one model.
"""

import sqlite3
from collections.abc import Callable
from typing import Final

from host.core.envelope import Refused
from host.core.terms import VERSION
from host.records import codes

APPLICATION_ID: Final = 0x67365243
"""Stands in the header of a store's file."""

_FIRST: Final = """
CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    source TEXT,
    written_by TEXT NOT NULL,
    passage TEXT,
    provenance TEXT,
    tags TEXT NOT NULL,
    created_at TEXT NOT NULL,
    stale_after TEXT,
    status TEXT NOT NULL,
    approval TEXT,
    superseded_by TEXT,
    superseded TEXT,
    size_bytes INTEGER NOT NULL,
    hash BLOB NOT NULL,
    mac BLOB NOT NULL
);
CREATE INDEX records_states ON records (kind, status, seq, superseded_by, stale_after);
CREATE INDEX records_superseded ON records (kind, status, seq, superseded_by)
    WHERE superseded_by IS NOT NULL;
CREATE INDEX records_stale ON records (stale_after) WHERE stale_after IS NOT NULL;
CREATE TABLE record_tags (tag TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (tag, seq)) WITHOUT ROWID;
CREATE INDEX record_tags_of_row ON record_tags (seq);
CREATE TABLE postings (
    term TEXT NOT NULL,
    seq INTEGER NOT NULL,
    tf INTEGER NOT NULL,
    len INTEGER NOT NULL,
    PRIMARY KEY (term, seq)
) WITHOUT ROWID;
CREATE TABLE totals (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    rows INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    terms INTEGER NOT NULL
);
INSERT INTO totals VALUES (1, 0, 0, 0);
CREATE TABLE ledger (
    n INTEGER PRIMARY KEY,
    op TEXT NOT NULL,
    seq INTEGER NOT NULL,
    row_mac BLOB,
    previous_mac BLOB NOT NULL,
    mac BLOB NOT NULL
);
CREATE INDEX ledger_of_row ON ledger (seq, n);
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
INSERT INTO settings VALUES ('store', randomblob(16));
CREATE TABLE acceptances (n INTEGER PRIMARY KEY, at TEXT NOT NULL, reason TEXT NOT NULL);
CREATE TABLE tombstones (mac BLOB PRIMARY KEY, at TEXT NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE receipts (number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, receipt TEXT NOT NULL);
CREATE TABLE exports (number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, target TEXT NOT NULL);
CREATE TABLE exported (
    number INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (number, first)
) WITHOUT ROWID;
CREATE TABLE uses (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    record TEXT NOT NULL,
    run TEXT NOT NULL,
    agent TEXT NOT NULL,
    turn INTEGER NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX uses_of_record ON uses (record);
"""

_VECTORS: Final = """CREATE TABLE vectors (
    seq INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    tag BLOB NOT NULL
)"""


def _first(connection: sqlite3.Connection) -> None:
    for statement in _FIRST.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute("INSERT INTO settings VALUES ('terms', ?)", (VERSION,))


def _vectors(connection: sqlite3.Connection) -> None:
    connection.execute(_VECTORS)


MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (_first, _vectors)
"""Step n, from 1, makes a file of version n out of one of version n - 1."""


def version_of(connection: sqlite3.Connection) -> int:
    """The version of a store's file; 0 for an empty one. Raises `Refused` for a file of something else, of a
    newer version, or with tables that are not gg's.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    is_empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if version == 0 and application == 0 and is_empty:
        return 0
    if application != APPLICATION_ID or version == 0:
        raise Refused.of(codes.STORE, "the file is a database of something else; name another file")
    if version > len(MIGRATIONS):
        raise Refused.of(
            codes.STORE,
            f"the file has version {version} of the record store, this gg reads up to {len(MIGRATIONS)};"
            " run: pip install --upgrade gg",
        )
    return version


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Brings the file to the present version, inside the transaction of the caller."""
    try:
        for step in MIGRATIONS[version:]:
            step(connection)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname != "SQLITE_ERROR":  # the disk's or another process's doing
            raise
        raise Refused.of(
            codes.STORE,
            f"the file says that it has version {version} of the record store, and its tables are not that"
            " one's; restore the file from a copy",
        ) from error
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def refuse_foreign_parts(connection: sqlite3.Connection) -> None:
    """Refuses a file with a trigger, a view or a table that no step makes, which could act on a write, and a
    file that lacks a part.
    """
    found = {
        (kind, name, sql)
        for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master")
        if not _is_of_sqlite(kind, name, sql)
    }
    differing = sorted(f"{kind} {name}" for kind, name, _ in found ^ _parts_of_present())
    if differing:
        raise Refused.of(
            codes.STORE,
            f"the file has a part that gg did not make, or lacks or has changed one: {differing[0]};"
            " restore the file from a copy",
        )


def _is_of_sqlite(kind: str, name: str, sql: str | None) -> bool:
    """What SQLite makes by itself. Who edits the schema can give other parts names that begin so."""
    return (kind == "index" and name.startswith("sqlite_autoindex_") and sql is None) or (
        kind == "table" and name in _OF_SQLITE
    )


_OF_SQLITE: Final = frozenset({"sqlite_sequence", "sqlite_stat1", "sqlite_stat4"})
_PRESENT: list[frozenset[tuple[str, str, str]]] = []


def _parts_of_present() -> frozenset[tuple[str, str, str]]:
    if not _PRESENT:
        empty = sqlite3.connect(":memory:", isolation_level=None)
        try:
            migrate(empty, 0)
            rows = empty.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        finally:
            empty.close()
        _PRESENT.append(frozenset(row for row in map(tuple, rows) if not _is_of_sqlite(*row)))
    return _PRESENT[0]
