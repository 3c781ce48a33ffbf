"""Search: the records most relevant to a query, by BM25 over all rows of the file and by nothing else."""

import json
from heapq import nsmallest
from typing import Final

from host.core.bm25 import idf, weight
from host.core.envelope import Envelope
from host.core.terms import query_terms
from host.records import codes
from host.records.answers import found_envelope
from host.records.look import Look
from host.records.model import Found, Hit
from host.records.states import STATE, STATES, Filter, State, at

_STATES: Final = f"""SELECT r.seq, r.id, {STATE}, r.status = 'proposed' FROM records r
 WHERE r.seq IN (SELECT value FROM json_each(:seqs)) AND r.seq NOT IN (SELECT seq FROM temp.unreadable)"""


def search(look: Look, query: str, wanted: Filter, *, top_k: int) -> Found:
    """The best of each list, best first; equal scores by id."""
    scores = _scores(look, query_terms(query))
    condition, values = wanted.sql()
    lists: dict[State, list[tuple[float, str, int]]] = {state: [] for state in STATES}
    held_back = 0
    rows = look.connection.execute(
        f"{_STATES} AND {condition}", {**values, **at(look.now), "seqs": json.dumps(list(scores))}
    )
    for seq, id_, state, waits in rows:
        if waits:
            held_back += 1
        else:
            lists[state].append((-scores[seq], id_, seq))
    hits = {state: _served(look, ranked, top_k) for state, ranked in lists.items()}
    served: tuple[State, ...] = ("current", "stale")
    found = Found(
        envelope=Envelope(code=codes.FOUND, message=""),
        current=hits["current"],
        stale=hits["stale"],
        superseded=hits["superseded"],
        held_back=held_back,
        more=sum(len(lists[state]) - len(hits[state]) for state in served),
        unreadable=look.unreadable.count,
        unreadable_checked_at=look.unreadable.checked_at,
    )
    return found_envelope(found, look.evidence)


def _scores(look: Look, asked: tuple[str, ...]) -> dict[int, float]:
    count, total = look.connection.execute("SELECT rows, terms FROM totals").fetchone()
    scores: dict[int, float] = {}
    for term in asked:
        postings = look.connection.execute(
            "SELECT seq, tf, len FROM postings WHERE term = ?", (term,)
        ).fetchall()
        worth = idf(count, len(postings))
        for seq, tf, length in postings:
            scores[seq] = scores.get(seq, 0.0) + worth * weight(tf, length, total / count)
    return scores


def _served(look: Look, ranked: list[tuple[float, str, int]], top_k: int) -> tuple[Hit, ...]:
    """The best that can be served; what cannot be is taken out of the list as well."""
    hits: list[Hit] = []
    while ranked and len(hits) < top_k:
        for entry in nsmallest(top_k, ranked)[len(hits) :]:
            record = look.at(entry[2])
            if record is None:
                ranked.remove(entry)
            else:
                hits.append(Hit(record, -entry[0]))
        if len(hits) == len(ranked):
            break
    return tuple(hits)
