"""Hybrid search: by the words of a query and by its meaning, two rankings in one.

A record matches if it shares a term with the query, as in a search by words, or if its meaning is near enough
by the embedder's own measure. In each list of the answer apart the matches are ranked by BM25 and by cosine,
and the rankings fused by place. Records of equal scores stand by their BM25, then by id.
"""

from collections.abc import Mapping
from functools import partial
from heapq import nlargest
from typing import Final

from host.core.terms import query_terms
from host.records import vectors
from host.records.access import Access
from host.records.embedder import Embedder
from host.records.fusing import fused
from host.records.integrity.check import Progress
from host.records.look import Look
from host.records.model import Found
from host.records.ranking import Ranking, ids_at
from host.records.searching import answer
from host.records.states import Filter

DEPTH: Final = 1_000
"""So far down each ranking is read; an answer gives at most a tenth of it."""


def search(
    access: Access,
    query: str,
    wanted: Filter,
    *,
    embedder: Embedder,
    top_k: int,
    progress: Progress | None = None,
) -> Found:
    """The best of each list, best first. `progress` is told of vectors that are made for it."""
    asked = embedder.embed([query])[0]
    if not asked:  # of its words the model knows none
        with access.reading() as look:
            return _found(look, query, wanted, {}, top_k=top_k)
    with access.reading() as look:
        near = vectors.nearest(look, embedder, asked)
        if not near.missing:
            return _found(look, query, wanted, near.similarities, top_k=top_k)
    vectors.make(access, embedder, near.missing, progress)
    with access.reading() as look:
        near = vectors.nearest(look, embedder, asked)
        near.similarities.update(vectors.nearest_unkept(look, embedder, asked, near.missing))
        return _found(look, query, wanted, near.similarities, top_k=top_k)


def _found(look: Look, query: str, wanted: Filter, near: Mapping[int, float], *, top_k: int) -> Found:
    by_words = Ranking(look.connection, query_terms(query))
    matches = by_words.matches | near.keys()
    best = partial(_best, look, by_words, near)
    return answer(look, matches, best, wanted, top_k=top_k, score_scale="rrf")


def _best(
    look: Look, by_words: Ranking, near: Mapping[int, float], members: set[int], most: int, without: set[int]
) -> list[tuple[int, float]]:
    left = members - without
    words = dict(by_words.best(left & by_words.matches, DEPTH))
    scores = fused([words, _highest({seq: near[seq] for seq in left & near.keys()})])
    ids = ids_at(look.connection, scores)
    ranked = sorted(scores, key=lambda seq: (-scores[seq], -words.get(seq, 0.0), ids.get(seq, "")))
    return [(seq, scores[seq]) for seq in ranked[:most]]


def _highest(near: Mapping[int, float]) -> dict[int, float]:
    """The first of a ranking with all that share the last place of them."""
    if len(near) <= DEPTH:
        return dict(near)
    least = nlargest(DEPTH, near.values())[-1]
    return {seq: cosine for seq, cosine in near.items() if cosine >= least}
