"""Finds what is to be asked about a book: similar pairs that no decision has settled, in clusters."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from host.core.text import counted
from host.skillbook.consolidation.clusters import Cluster, clusters_of
from host.skillbook.consolidation.questions import Question
from host.skillbook.decisions import Reopened, is_settled, reopened
from host.skillbook.embedding_text import embedding_text, text_hash
from host.skillbook.holding import EVERYWHERE
from host.skillbook.merging import Asked, asked_about
from host.skillbook.model import Pair, Skill
from host.skillbook.similarity import Compared, Measure, SimilarPair, SimilarPairs, similar_pairs
from host.skillbook.skillbook import Skillbook


@dataclass(frozen=True, kw_only=True)
class Search:
    """What is looked for: pairs of active skills that are similar by `threshold`, or by the measure's own.

    `scope` is that of the runs whose skills are compared; all of them where it is `EVERYWHERE`.
    """

    measure: Measure
    threshold: int | None = None
    across_sections: bool = False
    scope: str | None = EVERYWHERE

    @property
    def least(self) -> int:
        return self.measure.threshold if self.threshold is None else self.threshold


@dataclass(frozen=True, kw_only=True)
class Survey:
    """What was found.

    Args:
        questions: one for each cluster, that with the most similar pair first.
        left: pairs whose skills stand in different clusters, as one would have been too large.
        is_whole: whether these are all pairs; there may be more than are held at once.
        settled: how many similar pairs are kept apart by a decision that stands.
        reopened: why pairs are asked again that were kept apart.
        skills: the skills as they were compared, by their ids.
        compared: how many skills the measure could go by.
        unread: the skills that it cannot go by.
    """

    questions: tuple[Question, ...]
    left: tuple[SimilarPair, ...]
    is_whole: bool
    settled: int
    reopened: tuple[Reopened, ...]
    skills: Mapping[str, Compared]
    compared: int
    unread: tuple[str, ...]

    @property
    def why_useless(self) -> str | None:
        """Why nothing could be found, where that says nothing about the skills."""
        if self.compared or not self.unread:
            return None
        return f"the measure has no word of what {counted(len(self.unread), 'skill')} say; choose another one"


def survey(
    book: Skillbook, search: Search, *, but: Collection[Pair] = (), after: Survey | None = None
) -> Survey:
    """Looks through a book; `but` are pairs that are not to be asked about. Changes nothing.

    With the survey `after` which it comes, the pairs that this one has left are looked at alone, and nothing
    is compared again. A pair of which a text changed since stays left.

    Raises `ValueError` for a threshold that the measure refuses.
    """
    measure = search.measure
    settled: set[Pair] = set()
    again: dict[Pair, Reopened] = {}

    def offered(first: str, second: str, similarity: int) -> bool:
        pair = frozenset((first, second))
        if pair in but:
            return False
        if is_settled(book, pair, similarity, measure.name):
            settled.add(pair)
            return False
        if (why := reopened(book, pair, similarity, measure.name)) is not None:
            again[pair] = why
        return True

    skills = _skills(book, search)
    if after is None:
        found = similar_pairs(
            list(skills.values()),
            measure,
            threshold=search.threshold,
            across_sections=search.across_sections,
            offered=offered,
        )
        pairs, changed = found.pairs, []
    else:
        found = SimilarPairs(
            pairs=after.left, is_whole=after.is_whole, compared=after.compared, unread=after.unread
        )
        there = [pair for pair in found.pairs if pair.ids <= skills.keys()]
        same = [all(skills[id_] == after.skills[id_] for id_ in pair.ids) for pair in there]
        changed = [pair for pair, is_same in zip(there, same, strict=True) if not is_same]
        pairs = tuple(
            pair
            for pair, is_same in zip(there, same, strict=True)
            if is_same and offered(pair.first_id, pair.second_id, pair.similarity)
        )
    joined = clusters_of(pairs)
    return Survey(
        questions=tuple(_question(book, cluster, again, measure) for cluster in joined.clusters),
        left=(*joined.left, *changed),
        is_whole=found.is_whole,
        settled=len(settled),
        reopened=tuple(again.values()),
        skills=skills if after is None else after.skills,
        compared=found.compared,
        unread=found.unread,
    )


def has_news(book: Skillbook, search: Search, found: Survey) -> bool:
    """Whether a skill says what was not compared in the survey, so that there may be pairs beyond its own."""
    return any(found.skills.get(id_) != skill for id_, skill in _skills(book, search).items())


def _skills(book: Skillbook, search: Search) -> dict[str, Compared]:
    return {skill.id: _compared(skill) for skill in book.skills(scope=search.scope)}


def _compared(skill: Skill) -> Compared:
    return Compared(id=skill.id, text=embedding_text(skill), section=skill.section, scope=skill.scope)


def _question(book: Skillbook, cluster: Cluster, again: dict[Pair, Reopened], measure: Measure) -> Question:
    skills = tuple(book.by_id[id_] for id_ in cluster.skill_ids)
    similarity = {
        frozenset((one.id, other.id)): measure.similarity(embedding_text(one), embedding_text(other))
        for one, other in combinations(skills, 2)
    }
    return Question(
        skills=skills,
        pairs=cluster.pairs,
        reopened=tuple(_of(cluster.pairs, again)),
        kept=tuple(pair for pair, now in similarity.items() if is_settled(book, pair, now, measure.name)),
        asked=asked_about(skills, similarity, measure.name),
    )


def asked_anew(asked: Asked, said: Skill, book: Skillbook, measure: Measure) -> Asked:
    """The question as it is once an answer to it has a skill say something else."""
    others = (book.own(id_) for id_ in asked.hashes if id_ != said.id)
    similarity = {
        frozenset((said.id, other.id)): measure.similarity(embedding_text(said), embedding_text(other))
        for other in others
        if other is not None
    }
    return Asked(
        hashes={**asked.hashes, said.id: text_hash(said)},
        similarities={**asked.similarities, **similarity},
        measure=asked.measure,
    )


def _of(pairs: Iterable[SimilarPair], again: dict[Pair, Reopened]) -> Iterable[Reopened]:
    return (again[pair.ids] for pair in pairs if pair.ids in again)
