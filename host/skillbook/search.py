"""Finds the skills that share words with a text: BM25 over what their embedding texts say."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from host.core.bm25 import scores
from host.core.terms import query_terms, terms
from host.core.text import join_words
from host.skillbook.embedding_text import embedding_text
from host.skillbook.model import SECTIONS, Skill
from host.skillbook.normal import keywords_of
from host.skillbook.similarity import compared_text
from host.skillbook.skillbook import Skillbook

TOP_K: Final = 5


class Hit(NamedTuple):
    """A skill that was found. `score` is above 0, and comparable within one search."""

    skill: Skill
    score: float


def search_skills(
    book: Skillbook,
    query: str,
    *,
    scope: str | None,
    top_k: int = TOP_K,
    section: str | None = None,
    keywords: Iterable[str] = (),
) -> list[Hit]:
    """The `top_k` active skills in scope that share most with the query, best first, else in their order.

    With a section those in it; with keywords those that have one of them. What a word is worth is taken over
    all active skills in scope, whichever are asked for. Raises `ValueError` for an unknown section and for a
    `top_k` below 1.
    """
    if section is not None and section not in SECTIONS:
        raise ValueError(f"section {section!r} is none of {join_words(SECTIONS)}")
    if top_k < 1:
        raise ValueError(f"top_k is {top_k}; ask for 1 or more")
    skills = book.skills(scope=scope)
    wanted = set(keywords_of(keywords))
    found = scores(query_terms(query), [terms(compared_text(embedding_text(skill))) for skill in skills])
    hits = [
        Hit(skill, score)
        for skill, score in zip(skills, found, strict=True)
        if score > 0
        and (section is None or skill.section == section)
        and (not wanted or not wanted.isdisjoint(skill.keywords))
    ]
    return sorted(hits, key=lambda hit: -hit.score)[:top_k]
