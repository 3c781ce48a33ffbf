"""What is asked about a cluster, and what is wrong with an answer."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from host.core.text import join_words, quoted
from host.skillbook.decisions import Reopened
from host.skillbook.merging import Asked, Decision, Delete, Keep, Merge, Rewrite
from host.skillbook.model import Pair, Skill
from host.skillbook.similarity import SimilarPair

_SHOWN: Final = 5


@dataclass(frozen=True, kw_only=True)
class Question:
    """Skills that look alike: which of them are one, which are not?

    Args:
        skills: as they are now, in the order of their ids.
        pairs: the pairs to settle, the most similar first.
        reopened: why pairs among them are asked again that were kept apart.
        kept: pairs of the skills that are kept apart by a decision that stands.
        asked: what a decision is held against: the texts, and the similarities of all their pairs.
    """

    skills: tuple[Skill, ...]
    pairs: tuple[SimilarPair, ...]
    reopened: tuple[Reopened, ...] = ()
    kept: tuple[Pair, ...] = ()
    asked: Asked

    @property
    def skill_ids(self) -> tuple[str, ...]:
        return tuple(skill.id for skill in self.skills)


def faults_of(question: Question, decisions: Sequence[Decision]) -> tuple[str, ...]:
    """What of an answer cannot be carried out, or contradicts itself; each says what to do instead."""
    return tuple(_faults(question, decisions))


def unsettled(question: Question, decisions: Sequence[Decision]) -> tuple[SimilarPair, ...]:
    """The pairs that an answer leaves open: neither is removed, rewritten or merged, nor are both kept apart.

    Of a merge, the skill that stays says something else afterwards, so its other pairs are measured anew.
    """
    touched: set[str] = set()
    kept: set[Pair] = set()
    for decision in decisions:
        if isinstance(decision, Keep):
            kept.update(decision.pairs)
        else:
            touched.update(decision.skill_ids)
    return tuple(pair for pair in question.pairs if pair.ids not in kept and not pair.ids & touched)


def _faults(question: Question, decisions: Sequence[Decision]) -> Iterator[str]:
    known = set(question.skill_ids)
    for decision in decisions:
        if strangers := [id_ for id_ in decision.skill_ids if id_ not in known]:
            yield f"{decision.type} names {_ids(strangers)}, and the question is about {_ids(sorted(known))}"
        elif len(decision.skill_ids) < 2 and isinstance(decision, Merge | Keep):
            yield f"{decision.type} is about two skills or more; name them all"
        if isinstance(decision, Merge):
            yield from _kept_apart(question, decision)
    changed = Counter(
        id_ for decision in decisions if not isinstance(decision, Keep) for id_ in decision.skill_ids
    )
    for id_, count in changed.items():
        if count > 1:
            yield f"{quoted(id_)} stands in {count} decisions that change it; decide about it once"
    gone = {id_ for decision in decisions for id_ in _gone(decision)}
    for decision in decisions:
        if isinstance(decision, Keep) and (lost := sorted(gone & set(decision.skill_ids))):
            yield f"KEEP names {_ids(lost)}, which another decision removes; leave it out of one of them"


def _kept_apart(question: Question, merge: Merge) -> Iterator[str]:
    settled = set(question.kept)
    apart = [pair for pair in map(frozenset, combinations(merge.skill_ids, 2)) if pair in settled]
    for pair in apart[:_SHOWN]:
        ids = _ids(sorted(pair))
        yield f"MERGE joins {ids}, which an earlier decision keeps apart; leave one of them out"


def _gone(decision: Decision) -> tuple[str, ...]:
    match decision:
        case Merge():
            return decision.skill_ids[1:]
        case Delete():
            return decision.skill_ids
        case Rewrite() | Keep():
            return ()


def _ids(skill_ids: Iterable[str]) -> str:
    return join_words(map(quoted, skill_ids))
