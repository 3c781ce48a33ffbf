"""Whether the indexes of a file say what its rows do: an edited one hides a record that is whole.

Both look at rows alone that can be served; of others nobody knows what the indexes should say.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from host.core.terms import terms
from host.core.text import has_lone_surrogate
from host.records.integrity.check import Progress
from host.records.integrity.ledger import NO_ROW

_BATCH: Final = 1_000
_MAX_DAMAGES: Final = 100


def wrong_postings(
    connection: sqlite3.Connection, apart: Collection[int], progress: Progress | None = None
) -> tuple[frozenset[int], int]:
    """The places of which the index of terms says something else than their texts do, and how many terms all
    texts have. Linear in all texts; keeps a number for each row.
    """
    sums: dict[int, int] = {}
    count = 0
    for done, (seq, text) in enumerate(_rows(connection, "text"), start=1):
        if progress is not None and done % _BATCH == 0:
            progress(done, done)
        found = terms(text) if isinstance(text, str) else []
        count += len(found)
        if seq not in apart:
            sums[seq] = sum(hash((term, seq, tf, len(found))) for term, tf in Counter(found).items())
    for term, seq, tf, length in connection.execute("SELECT term, seq, tf, len FROM postings"):
        if seq not in apart:
            sums[seq] = sums.get(seq, 0) - hash((term, seq, tf, length))
    return frozenset(_place(seq) for seq, sum_ in sums.items() if sum_), count


def wrong_tags(connection: sqlite3.Connection, apart: Collection[int]) -> frozenset[int]:
    """The places of which the index of tags says something else than their rows do."""
    expected: dict[int, set[object]] = {}
    for seq, text in _rows(connection, "tags"):
        if seq not in apart:
            expected[seq] = tags_in(text)
    wrong = set()
    for tag, seq in connection.execute("SELECT tag, seq FROM record_tags"):
        if seq not in apart:
            if tag in expected.get(seq, ()):
                expected[seq].discard(tag)
            else:
                wrong.add(seq)
    return frozenset(map(_place, wrong.union(seq for seq, left in expected.items() if left)))


def _place(seq: object) -> int:
    """What an index has at no place that a row could be at is told of place 0."""
    return seq if isinstance(seq, int) else NO_ROW


def make_tags_anew(connection: sqlite3.Connection, apart: Collection[int]) -> None:
    """From the rows; the tags of those apart stay, by which they can be found and forgotten."""
    stay = [
        pair
        for pair in connection.execute("SELECT tag, seq FROM record_tags")
        if pair[1] in apart and isinstance(pair[0], str) and not has_lone_surrogate(pair[0])
    ]
    connection.execute("DELETE FROM record_tags")
    connection.executemany("INSERT OR IGNORE INTO record_tags VALUES (?, ?)", stay)
    for seq, text in list(_rows(connection, "tags")):
        if seq not in apart:
            pairs = [(tag, seq) for tag in tags_in(text)]
            connection.executemany("INSERT OR IGNORE INTO record_tags VALUES (?, ?)", pairs)


def damages(connection: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong with the pages of the file and with the indexes that it keeps itself."""
    found = connection.execute(f"PRAGMA integrity_check({_MAX_DAMAGES})")
    return [str(row[0]) for row in found if row[0] != "ok"]


def tags_in(text: object) -> set[object]:
    try:
        said = json.loads(text) if isinstance(text, str) else []
    except (ValueError, RecursionError):
        return set()
    if not isinstance(said, list):
        return set()
    return {each for each in said if isinstance(each, str) and not has_lone_surrogate(each)}


def _rows(connection: sqlite3.Connection, column: str) -> Iterator[tuple[int, object]]:
    cursor = connection.execute(f"SELECT seq, {column} FROM records")
    while batch := cursor.fetchmany(_BATCH):
        yield from batch
