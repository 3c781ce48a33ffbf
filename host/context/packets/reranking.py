"""What a re-ranker decides about candidates, and the check that it decided about these and no others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from host.context.codes import RERANK_INVALID
from host.core.bm25 import scores
from host.core.context_item import ContextItem
from host.core.envelope import Refused
from host.core.hashing import document_sha256
from host.core.terms import query_terms, terms


@dataclass(frozen=True)
class RerankDecision:
    """The indices of the candidates that are kept, best first, and of those that are dropped.

    `fingerprint` is that of the candidates that the decision is about.
    """

    kept: tuple[int, ...]
    dropped: tuple[int, ...]
    fingerprint: str


class Reranker(Protocol):
    """Orders what keywords have found. It is shown masked text and can add nothing."""

    def __call__(self, query: str, candidates: Sequence[ContextItem], /) -> RerankDecision: ...


class Bm25Reranker:
    """Orders candidates by BM25 over the terms of their keys and values; equals stay in their order.

    It calls no model. It drops nothing.
    """

    def __call__(self, query: str, candidates: Sequence[ContextItem], /) -> RerankDecision:
        worth = scores(query_terms(query), [terms(f"{item.key} {item.value}") for item in candidates])
        order = sorted(range(len(candidates)), key=lambda index: (-worth[index], index))
        return RerankDecision(tuple(order), (), fingerprint(candidates))


def fingerprint(candidates: Sequence[ContextItem]) -> str:
    """SHA-256 over the keys, sources and values of the candidates, in order."""
    return document_sha256({"candidates": [[item.key, item.source, item.value] for item in candidates]})


def validate_rerank_decision(decision: RerankDecision, candidates: Sequence[ContextItem]) -> list[int]:
    """The indices that are kept, best first.

    Raises `Refused` (`G6_E_CONTEXT_RERANK_INVALID`) unless the decision is about these very candidates and
    names each index once, among the kept or the dropped.
    """
    if not isinstance(decision, RerankDecision):
        raise _invalid(f"a decision is a RerankDecision, not {type(decision).__name__}")
    if not isinstance(decision.kept, tuple | list) or not isinstance(decision.dropped, tuple | list):
        raise _invalid("kept and dropped are lists of indices")
    if decision.fingerprint != fingerprint(candidates):
        raise _invalid("the decision is about other candidates; its fingerprint is not theirs")
    named = [*decision.kept, *decision.dropped]
    for index in named:
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(candidates):
            raise _invalid(f"{index!r} is not an index from 0 to {len(candidates) - 1}")
    if len(set(named)) < len(named):
        raise _invalid("an index is named twice")
    if len(named) < len(candidates):
        raise _invalid("an index is neither kept nor dropped")
    return list(decision.kept)


def _invalid(message: str) -> Refused:
    return Refused.of(RERANK_INVALID, message)
