"""Search: what answers a query best, by BM25 over all rows of the file and by nothing else."""

from collections.abc import Callable, Iterable
from functools import partial

from host.core.envelope import Envelope
from host.core.terms import query_terms
from host.records import codes
from host.records.answers import found_envelope
from host.records.look import Look
from host.records.model import Found, ScoreScale
from host.records.ranking import Ranking
from host.records.serving import readable, serve
from host.records.states import Filter, narrowed, sort_out

BestOf = Callable[[set[int], int, set[int]], Iterable[tuple[int, float]]]
"""The first so many of some rows, leaving some out, with their scores."""


def search(look: Look, query: str, wanted: Filter, *, top_k: int) -> Found:
    """The best of each list, best first; equal scores by id."""
    ranking = Ranking(look.connection, query_terms(query))
    best = partial(_best, ranking)
    return answer(look, ranking.matches, best, wanted, top_k=top_k)


def answer(
    look: Look,
    matches: set[int],
    best: BestOf,
    wanted: Filter,
    *,
    top_k: int,
    score_scale: ScoreScale = "bm25",
) -> Found:
    """The best of those matches that can be served and that the filter names, each list of them apart."""
    matches = narrowed(look.connection, readable(look, matches), wanted)
    rows = sort_out(look.connection, matches, look.now)
    hits, more = {}, 0
    for state, members in rows.lists.items():
        hits[state], failed = serve(look, top_k, partial(best, members))
        if state != "superseded":
            more += len(members) - len(failed) - len(hits[state])
    found = Found(
        envelope=Envelope(code=codes.FOUND, message=""),
        current=hits["current"],
        stale=hits["stale"],
        superseded=hits["superseded"],
        held_back=len(rows.waiting),
        more=more,
        unreadable=look.unreadable.count,
        unreadable_checked_at=look.unreadable.checked_at,
        score_scale=score_scale,
    )
    return found_envelope(found, look.evidence)


def _best(ranking: Ranking, members: set[int], most: int, without: set[int]) -> list[tuple[int, float]]:
    return ranking.best(members - without if without else members, most)
