"""The index of terms: for each term which rows hold it, how often, and in how many terms in all."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from host.core.terms import terms


def add(connection: sqlite3.Connection, texts: Iterable[tuple[int, str]]) -> None:
    """Indexes texts under their places."""
    postings: list[tuple[str, int, int, int]] = []
    total = 0
    for seq, text in texts:
        found = terms(text)
        total += len(found)
        postings += [(term, seq, count, len(found)) for term, count in Counter(found).items()]
    connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?)", sorted(postings))
    connection.execute("UPDATE totals SET terms = terms + ?", (total,))


def remove(connection: sqlite3.Connection, seqs: Sequence[int]) -> None:
    """Takes out all that the index has of places; their texts may be unreadable by now."""
    for seq in seqs:
        length = connection.execute("SELECT max(len) FROM postings WHERE seq = ?", (seq,)).fetchone()[0]
        connection.execute("DELETE FROM postings WHERE seq = ?", (seq,))
        connection.execute("UPDATE totals SET terms = terms - ?", (length or 0,))
