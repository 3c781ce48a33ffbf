"""A scan of a record store as an oracle: it reads every row of the file, past gg, and uses no index."""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from typing import NamedTuple

from host.core.bm25 import scores
from host.core.moments import moment_text
from host.core.terms import query_terms, terms
from host.records import Found, Store

Posting = tuple[str, int, int, int]
"""A term, a place, how often the term stands there, and how many terms do."""


class _Row(NamedTuple):
    seq: int
    id: str
    text: str
    kind: str
    status: str
    tags: str
    stale_after: str | None
    superseded_by: str | None


class Answer(NamedTuple):
    """What a search or a recall says: ids with their scores, and counts."""

    current: list[tuple[str, float | None]]
    stale: list[tuple[str, float | None]]
    superseded: list[tuple[str, float | None]]
    held_back: int
    more: int


def answer_of(found: Found) -> Answer:
    """The same of an answer of the store."""
    lists = (found.current, found.stale, found.superseded)
    served = [[(hit.record.id, hit.score) for hit in hits] for hits in lists]
    return Answer(*served, held_back=found.held_back, more=found.more)


def indexed(store: Store) -> tuple[list[Posting], int]:
    """What the index of terms says, in the order of SQLite, and the sum of terms that the file keeps."""
    with closing(sqlite3.connect(store.path)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        found = connection.execute("SELECT term, seq, tf, len FROM postings ORDER BY term, seq").fetchall()
        return found, connection.execute("SELECT terms FROM totals").fetchone()[0]


def index_of(texts: Mapping[int, str]) -> tuple[list[Posting], int]:
    """What the index of texts at some places has to say."""
    rows = {seq: terms(text) for seq, text in texts.items()}
    found = [(term, seq, tf, len(row)) for seq, row in rows.items() for term, tf in Counter(row).items()]
    return sorted(found, key=lambda each: (each[0].encode(), each[1])), sum(map(len, rows.values()))


def texts_of(store: Store) -> dict[int, str]:
    """The texts of all rows by place."""
    return {row.seq: row.text for row in _rows(store)}


def scanned_search(
    store: Store,
    query: str,
    *,
    now: datetime,
    top_k: int,
    tags: Sequence[str] = (),
    kind: str | None = None,
    unreadable: Collection[str] = (),
) -> Answer:
    """The search by reading all rows; those with ids among `unreadable` count for df and length alone."""
    rows = _rows(store)
    scored = zip(rows, scores(query_terms(query), [terms(row.text) for row in rows]), strict=True)
    matches = [(row, score) for row, score in scored if score > 0]
    matches.sort(key=lambda match: (-match[1], match[0].id))
    wanted = [match for match in matches if _is_wanted(match[0], tags, kind, unreadable)]
    return _answer(wanted, now=now, most=top_k, proposed=False)


def scanned_recall(
    store: Store,
    *,
    now: datetime,
    limit: int,
    record_ids: Sequence[str] = (),
    tags: Sequence[str] = (),
    kind: str | None = None,
    proposed: bool = False,
    unreadable: Collection[str] = (),
) -> Answer:
    """The recall by reading all rows."""
    rows = sorted(_rows(store), key=lambda row: -row.seq)
    wanted = [
        (row, None)
        for row in rows
        if _is_wanted(row, tags, kind, unreadable) and (not record_ids or row.id in record_ids)
    ]
    return _answer(wanted, now=now, most=limit, proposed=proposed)


def _answer(
    matches: Sequence[tuple[_Row, float | None]], *, now: datetime, most: int, proposed: bool
) -> Answer:
    lists: dict[str, list[tuple[str, float | None]]] = {"current": [], "stale": [], "superseded": []}
    for row, score in matches:
        if (row.status == "proposed") == proposed:
            lists[_state(row, now)].append((row.id, score))
    served = {name: ids[:most] for name, ids in lists.items()}
    waiting = sum(row.status == "proposed" for row, _ in matches)
    return Answer(
        **served,
        held_back=0 if proposed else waiting,
        more=sum(len(lists[name]) - len(served[name]) for name in ("current", "stale")),
    )


def _state(row: _Row, now: datetime) -> str:
    if row.superseded_by is not None:
        return "superseded"
    is_stale = row.stale_after is not None and moment_text(now) >= row.stale_after
    return "stale" if is_stale else "current"


def _is_wanted(row: _Row, tags: Sequence[str], kind: str | None, unreadable: Collection[str]) -> bool:
    has_tags = set(tags) <= set(json.loads(row.tags))
    return has_tags and kind in {None, row.kind} and row.id not in unreadable


def _rows(store: Store) -> list[_Row]:
    with closing(sqlite3.connect(store.path)) as connection:
        columns = ", ".join(_Row._fields)
        return [_Row._make(row) for row in connection.execute(f"SELECT {columns} FROM records")]
