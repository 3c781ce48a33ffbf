"""What the store's search is timed beside: a scan of every text, and SQLite's FTS5 with its own bm25()."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from heapq import nlargest
from pathlib import Path
from typing import Final

from host.core.bm25 import scores
from host.core.terms import query_terms, terms

VERSION: Final = sqlite3.sqlite_version

_BEST: Final = "SELECT rowid, bm25(words) FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT ?"
_COUNT: Final = "SELECT count(*) FROM words WHERE words MATCH ?"
_TABLE: Final = "CREATE VIRTUAL TABLE words USING fts5(text, content = '', tokenize = 'porter unicode61')"


def scan(path: Path, query: str, most: int) -> list[tuple[float, str]]:
    """Reads every text of a store's file, takes it apart and scores it."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT id, text FROM records").fetchall()
    found = scores(query_terms(query), [terms(text) for _, text in rows])
    return nlargest(most, zip(found, (id_ for id_, _ in rows), strict=True))


class FullText:
    """Texts in FTS5, which keeps neither them nor any state of a record."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection: Final = connection

    def best(self, query: str, most: int) -> Sequence[tuple[int, float]]:
        return self._connection.execute(_BEST, (_any_of(query), most)).fetchall()

    def count(self, query: str) -> int:
        return int(self._connection.execute(_COUNT, (_any_of(query),)).fetchone()[0])


@contextmanager
def full_text(path: Path, texts: Iterable[str]) -> Iterator[FullText]:
    """Texts in a file that is made for them, and put in order as well as FTS5 can."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(_TABLE)
        connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", enumerate(texts, 1))
        connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        connection.commit()
        yield FullText(connection)


def _any_of(query: str) -> str:
    return " OR ".join(f'"{word}"' for word in query.split())
