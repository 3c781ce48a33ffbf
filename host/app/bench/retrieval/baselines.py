"""What the store's search stands beside: a scan of every row, and SQLite's FTS5 with its own bm25().

Both read one table in memory that has the rows of the store's file and the states that they are in, and both
leave out what may not be served, as the store does: what is compared is how they rank. FTS5 once more without
states, over everything that was ever kept, shows what a table of texts alone would serve.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Final

from host.app.bench.retrieval.answering import TOP_K, Answer, System
from host.app.bench.retrieval.judged_set import JudgedSet
from host.app.bench.retrieval.kept import Ids
from host.core.bm25 import scores
from host.core.terms import STOP_WORDS, query_terms, terms

SCAN: Final = "plain scan"
FTS5: Final = "FTS5 bm25()"
FTS5_WITHOUT_STATES: Final = "FTS5 bm25(), no states"

_LISTS: Final = ("current", "stale", "superseded")
_TABLES: Final = """
CREATE TABLE notes (key TEXT, id TEXT, text TEXT, state TEXT);
CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE all_words USING fts5(text, tokenize = 'porter unicode61');
"""
_PUNCTUATION: Final = ".,:;!?()\"'"


@contextmanager
def baselines(judged: JudgedSet, ids: Ids) -> Iterator[tuple[System, ...]]:
    """The plain scan, FTS5, and FTS5 without states. Equal scores are told apart by the id in the store."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_TABLES)
        for row, record in enumerate(judged.records.values(), 1):
            note = (row, record.key, ids[record.key], record.text, record.state)
            connection.execute("INSERT INTO all_words (rowid, text) VALUES (?, ?)", (row, record.text))
            connection.execute("INSERT INTO notes (rowid, key, id, text, state) VALUES (?, ?, ?, ?, ?)", note)
            if record.state != "forgotten":
                connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (row, record.text))
        yield (
            System(SCAN, partial(_scan, connection)),
            System(FTS5, partial(_full_text, connection)),
            System(FTS5_WITHOUT_STATES, partial(_full_text_without_states, connection)),
        )


def _scan(connection: sqlite3.Connection, query: str) -> Answer:
    """Reads every row, takes its text apart and scores it."""
    rows = connection.execute("SELECT key, id, text, state FROM notes WHERE state != 'forgotten'").fetchall()
    found = scores(query_terms(query), [terms(text) for _, _, text, _ in rows])
    scored = [(-score, id_, key, state) for score, (key, id_, _, state) in zip(found, rows, strict=True)]
    return _answer([(key, state) for score, _, key, state in sorted(scored) if score < 0])


def _full_text(connection: sqlite3.Connection, query: str) -> Answer:
    rows = connection.execute(
        "SELECT key, state FROM words JOIN notes ON notes.rowid = words.rowid WHERE words MATCH ?"
        " ORDER BY bm25(words), id",
        (_any_of(query),),
    )
    return _answer(rows.fetchall())


def _full_text_without_states(connection: sqlite3.Connection, query: str) -> Answer:
    rows = connection.execute(
        "SELECT key FROM all_words JOIN notes ON notes.rowid = all_words.rowid WHERE all_words MATCH ?"
        " ORDER BY bm25(all_words), id LIMIT ?",
        (_any_of(query), TOP_K),
    )
    return Answer(current=tuple(key for (key,) in rows))


def _any_of(query: str) -> str:
    """A query in FTS5's language: any of the words, each as a phrase; without the stop words of the store."""
    words = query.split()
    wanted = [word for word in words if word.strip(_PUNCTUATION).casefold() not in STOP_WORDS] or words
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in wanted)


def _answer(ranked: Sequence[tuple[str, str]]) -> Answer:
    lists = {name: tuple(key for key, state in ranked if state == name)[:TOP_K] for name in _LISTS}
    return Answer(**lists)
