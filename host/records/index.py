"""The index of terms: for each term which rows hold it, how often, and in how many terms in all.

Numbers leave SQLite by the thousand, as one JSON array for a term: a row fetched at a time costs five times
as much.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final, TypeGuard

from host.core.envelope import Refused
from host.core.terms import VERSION, terms
from host.core.text import has_lone_surrogate
from host.records import codes
from host.records.database import Database

_LENGTH_BITS: Final = 20  # a text of 4,000 characters has fewer terms than 2 to this power
_SCANNED_PLACES: Final = 20  # from so many on the whole table is read once
_BATCH: Final = 5_000
_SETTING: Final = "terms"

_PLACES: Final = "SELECT json_group_array(seq) FROM postings WHERE term = ?"
_PACKED: Final = f"SELECT json_group_array(p.seq), json_group_array((p.tf << {_LENGTH_BITS}) + p.len)"
_FREQUENCIES: Final = f"{_PACKED} FROM postings p WHERE p.term = ?"
_FREQUENCIES_AT: Final = f"""{_PACKED}
 FROM json_each(?) asked CROSS JOIN postings p ON p.term = ? AND p.seq = asked.value"""
_OF_TERMS: Final = "seq = ? AND term IN (SELECT value FROM json_each(CAST(? AS TEXT)))"
_OF_PLACES: Final = "seq IN (SELECT value FROM json_each(?))"
# From each term to the next one: a tenth of what it takes to read every posting.
_EACH_TERM: Final = """
 WITH RECURSIVE known (term) AS (
    SELECT min(term) FROM postings
    UNION ALL
    SELECT (SELECT min(p.term) FROM postings p WHERE p.term > known.term) FROM known
    WHERE known.term IS NOT NULL)"""
_TERMS_AT: Final = f"""{_EACH_TERM}
 SELECT json_group_array(p.term) FROM known CROSS JOIN postings p ON p.term = known.term AND p.seq = ?"""
_ANY_AT: Final = f"""{_EACH_TERM}
 SELECT 1 FROM known CROSS JOIN json_each(?) asked
 CROSS JOIN postings p ON p.term = known.term AND p.seq = asked.value LIMIT 1"""
_ANY_SCANNED: Final = "SELECT 1 FROM postings WHERE seq IN (SELECT value FROM json_each(?)) LIMIT 1"


def add(connection: sqlite3.Connection, texts: Iterable[tuple[int, str]]) -> None:
    """Indexes texts under their places; the more at a time, the less each costs."""
    postings: list[tuple[str, int, int, int]] = []
    total = 0
    for seq, text in texts:
        found = terms(text)
        total += len(found)
        postings += [(term, seq, count, len(found)) for term, count in Counter(found).items()]
    connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?)", sorted(postings))
    connection.execute("UPDATE totals SET terms = terms + ?", (total,))


def remove(connection: sqlite3.Connection, texts: Iterable[tuple[int, object]]) -> None:
    """Takes out all that the index has of places, given with what stands there as their text.

    The text says which postings to look for. It may have been changed since, as the index may: so every term
    of the index is asked whether anything is left.
    """
    lengths: dict[int, int] = {}
    for seq, text in texts:
        wanted = json.dumps(list(dict.fromkeys(terms(text)))) if _is_text(text) else "[]"
        lengths[seq] = _delete(connection, _OF_TERMS, (seq, wanted)).get(seq, 0)
    if holds_any(connection, lengths):
        if len(lengths) < _SCANNED_PLACES:
            for seq in list(lengths):  # a damaged table gives places that nobody asked for
                held: str = connection.execute(_TERMS_AT, (seq,)).fetchone()[0]
                lengths |= _delete(connection, _OF_TERMS, (seq, held.encode("utf-8", "surrogateescape")))
        else:
            lengths |= _delete(connection, _OF_PLACES, (json.dumps(list(lengths)),))
    connection.execute("UPDATE totals SET terms = terms - ?", (sum(lengths.values()),))


def holds_any(connection: sqlite3.Connection, seqs: Collection[int]) -> bool:
    """Whether the index has anything of places, under whatever term."""
    sql = _ANY_AT if len(seqs) < _SCANNED_PLACES else _ANY_SCANNED
    return connection.execute(sql, (json.dumps(list(seqs)),)).fetchone() is not None


def places(connection: sqlite3.Connection, term: str) -> list[int]:
    """The places of the rows that hold a term."""
    return _loaded(connection.execute(_PLACES, (term,)).fetchone()[0])


def frequencies(connection: sqlite3.Connection, term: str) -> dict[int, int]:
    """By place how often a row holds a term, and how long it is: packed, see `unpacked`."""
    return _pairs(connection.execute(_FREQUENCIES, (term,)).fetchone())


def frequencies_at(connection: sqlite3.Connection, term: str, seqs: Collection[int]) -> dict[int, int]:
    """The same of some rows alone, of those of them that hold the term."""
    return _pairs(connection.execute(_FREQUENCIES_AT, (json.dumps(list(seqs)), term)).fetchone())


def unpacked(packed: object) -> tuple[int, int]:
    """How often a term stands in a row, and how many terms the row has."""
    if not isinstance(packed, int) or packed < 1 << _LENGTH_BITS:
        raise damaged()
    return packed >> _LENGTH_BITS, packed & (1 << _LENGTH_BITS) - 1


def totals(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many rows there are, and how many terms in all of them."""
    found = connection.execute("SELECT rows, terms FROM totals").fetchone()
    if found is None or not all(isinstance(each, int) for each in found):
        raise damaged()
    rows, count = found
    return rows, count


def bring_up_to_date(database: Database) -> None:
    """Makes the index anew where it was made by other rules for what a term is: by another version of gg, of
    the stemmer or of Unicode. Rows and ledger stay as they are.
    """
    with database.told():
        if _is_current(database.connection):
            return
    with database.writing() as connection:
        if not _is_current(connection):  # another process may have been first
            rebuild(connection)
            database.commit()


def rebuild(connection: sqlite3.Connection) -> None:
    """Makes the index anew from the texts of all rows, inside the transaction of the caller.

    A million records take two minutes.
    """
    connection.execute("DELETE FROM postings")
    connection.execute("UPDATE totals SET terms = 0")
    cursor = connection.execute("SELECT seq, text FROM records")
    while batch := cursor.fetchmany(_BATCH):
        add(connection, [(seq, text) for seq, text in batch if _is_text(text)])
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_SETTING, VERSION))


def damaged() -> Refused:
    """The refusal of a search that the index cannot answer."""
    return Refused.of(
        codes.STORE,
        "the index of terms was changed outside gg; look at the store with gg records verify,"
        " or restore the file from a copy",
    )


def _is_current(connection: sqlite3.Connection) -> bool:
    found = connection.execute("SELECT value FROM settings WHERE name = ?", (_SETTING,)).fetchone()
    return found is not None and found[0] == VERSION


def _is_text(value: object) -> TypeGuard[str]:
    """Whether a row has what it was kept with, and not what somebody else put there."""
    return isinstance(value, str) and not has_lone_surrogate(value)


def _loaded(array: str) -> list[int]:
    try:
        found: list[int] = json.loads(array)
    except ValueError:  # numbers of SQLite's that JSON has not
        raise damaged() from None
    return found


def _pairs(columns: tuple[str, str]) -> dict[int, int]:
    return dict(zip(_loaded(columns[0]), _loaded(columns[1]), strict=True))


def _delete(connection: sqlite3.Connection, condition: str, values: Sequence[object]) -> dict[int, int]:
    """Takes out postings; by place the lengths of the texts that they were of."""
    lengths = connection.execute(
        f"SELECT seq, max(len) FROM postings WHERE {condition} GROUP BY seq", values
    ).fetchall()
    connection.execute(f"DELETE FROM postings WHERE {condition}", values)
    return {seq: length for seq, length in lengths if _is_length(length)}


def _is_length(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < 1 << _LENGTH_BITS
