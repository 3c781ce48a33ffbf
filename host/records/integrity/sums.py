"""The sums that a store's file has over its rows, in the one row of `totals`."""

import sqlite3
from typing import Final

_MAX: Final = 2**62
MAX_SIZE_BYTES: Final = 2**40
"""No row is counted with more, whatever it says of itself."""


def is_size(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= MAX_SIZE_BYTES


def are_numbers(connection: sqlite3.Connection) -> bool:
    """Whether the file has sums that can be reckoned with, right or wrong."""
    found = connection.execute("SELECT rows, bytes, terms FROM totals").fetchall()
    return len(found) == 1 and all(isinstance(each, int) and 0 <= each < _MAX for each in found[0])


def add(connection: sqlite3.Connection, rows: int, size_bytes: int) -> None:
    connection.execute("UPDATE totals SET rows = rows + ?, bytes = bytes + ?", (rows, size_bytes))


def make_anew(connection: sqlite3.Connection) -> None:
    """From the rows; how many terms there are stays, or is 0 where it was no number. Linear in the rows."""
    found = connection.execute("SELECT max(terms) FROM totals").fetchone()[0]
    terms = found if isinstance(found, int) and 0 <= found < _MAX else 0
    connection.execute("DELETE FROM totals")
    connection.execute(
        "INSERT INTO totals SELECT 1, count(*), coalesce(sum(size_bytes) FILTER"
        f" (WHERE typeof(size_bytes) = 'integer' AND size_bytes BETWEEN 0 AND {MAX_SIZE_BYTES}), 0), ?"
        " FROM records",
        (terms,),
    )
