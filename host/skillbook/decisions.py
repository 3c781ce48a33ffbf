"""Whether a decision to keep two skills apart still stands.

It was made about two texts, at one similarity. It is open again where either text says something else now, or
where the two have become more similar by more than `MAX_DRIFT`, which figures of two measures cannot tell.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from host.core.text import join_words, quoted
from host.skillbook.contents import Contents
from host.skillbook.embedding_text import embedding_text, text_hash
from host.skillbook.formats.decisions import hashes_of
from host.skillbook.holding import Holding
from host.skillbook.model import Pair, SimilarityDecision, Skill
from host.skillbook.similarity import Lexical, four_decimals

MAX_DRIFT: Final = 500
"""By how many ten-thousandths the similarity of a settled pair may rise."""


@dataclass(frozen=True, kw_only=True)
class Reopened:
    """Why a pair is to be decided again: `changed` are the skills whose texts changed; where none did, the
    similarity rose from `was` to `now`.
    """

    pair: Pair
    changed: tuple[str, ...] = ()
    was: int | None = None
    now: int | None = None

    def __str__(self) -> str:
        if self.changed:
            return (
                f"the text of {join_words(map(quoted, self.changed))} changed since the two were kept apart"
            )
        return f"similarity rose from {four_decimals(self.was or 0)} to {four_decimals(self.now or 0)}"


@dataclass(frozen=True, kw_only=True)
class Ended:
    """A decision about a skill that is gone: merged into another one, or purged where that is `None`."""

    pair: Pair
    skill_id: str
    merged_into: str | None = None

    def __str__(self) -> str:
        (other,) = self.pair - {self.skill_id}
        gone = "is gone" if self.merged_into is None else f"was merged into {quoted(self.merged_into)}"
        return f"{quoted(self.skill_id)} {gone}, so nothing keeps it apart from {quoted(other)}"


@dataclass(frozen=True, kw_only=True)
class Tended:
    """What was done about decisions before a pass: which were measured anew, and which ended."""

    stamped: tuple[Pair, ...] = ()
    ended: tuple[Ended, ...] = ()


def changed_sides(decision: SimilarityDecision, skills: Mapping[str, Skill]) -> tuple[str, ...]:
    """The ids of the skills that say something else than what was decided about, or that are gone."""
    return tuple(
        id_
        for id_, was in sorted(decision.hashes.items())
        if id_ not in skills or text_hash(skills[id_]) != was
    )


def reopened(book: Holding, pair: Pair, similarity: int, measure: str) -> Reopened | None:
    """Why a pair is to be decided again; `None` where it was never decided, or its decision stands.

    `similarity` is as measured now by `measure`, in ten-thousandths.
    """
    decision = book.decisions.get(pair)
    if decision is None:
        return None
    if changed := changed_sides(decision, book.by_id):
        return Reopened(pair=pair, changed=changed)
    was = decision.similarity
    if was is not None and decision.measure == measure and similarity - was > MAX_DRIFT:
        return Reopened(pair=pair, was=was, now=similarity)
    return None


def has_keep(book: Holding, pair: Pair) -> bool:
    """Whether there is a decision about two skills that are there and say what they said then."""
    decision = book.decisions.get(pair)
    return decision is not None and not changed_sides(decision, book.by_id) and ended(book, pair) is None


def is_settled(book: Holding, pair: Pair, similarity: int, measure: str) -> bool:
    """Whether the two are kept apart by a decision that stands, so that nobody is asked."""
    return has_keep(book, pair) and reopened(book, pair, similarity, measure) is None


def tend_decisions(book: Holding, measure: str, similarity: Callable[[str, str], int]) -> Tended:
    """Ends decisions about skills that are merged or purged, and stamps those that were not measured, or by
    another measure, with the similarity as it is now. Where a text changed there is nothing to stamp.

    `similarity` is of two embedding texts, in ten-thousandths.
    """
    stamped: list[Pair] = []
    over: list[Ended] = []
    with book.lock:
        for pair, decision in dict(book.decisions).items():
            if gone := ended(book, pair):
                over.append(gone)
                book.put_decision(pair, None)
            elif decision.similarity is None or decision.measure != measure:
                stamp = _stamped(pair, decision, book.by_id, measure, similarity)
                if stamp != decision:
                    book.put_decision(pair, stamp)
                    stamped.append(pair)
    return Tended(stamped=tuple(stamped), ended=tuple(over))


def measured(contents: Contents) -> Contents:
    """What a file holds, with the similarity of each pair that was settled without it being measured, as ACE
    does: as similar as the two are now, by the measure that needs nothing installed.
    """
    skills = {skill.id: skill for skill in contents.skills}
    lexical = Lexical()
    stamps = {
        pair: _stamped(pair, decision, skills, lexical.name, lexical.similarity)
        for pair, decision in contents.decisions.items()
        if decision.similarity is None
    }
    decisions = {**contents.decisions, **stamps}
    if decisions == contents.decisions:
        return contents
    return replace(contents, decisions=decisions, rest=replace(contents.rest, has_stamped=True))


def _stamped(
    pair: Pair,
    decision: SimilarityDecision,
    skills: Mapping[str, Skill],
    measure: str,
    similarity: Callable[[str, str], int],
) -> SimilarityDecision:
    """The decision with how similar the two are now; as it is where one is not there, or changed."""
    if not all(id_ in skills for id_ in pair) or changed_sides(decision, skills):
        return decision
    one, other = (embedding_text(skills[id_]) for id_ in sorted(pair))
    return replace(
        decision,
        similarity=similarity(one, other),
        measure=measure,
        hashes=decision.hashes or hashes_of(pair, skills),
    )


def ended(book: Holding, pair: Pair) -> Ended | None:
    """Which of the two is gone, so that there is nothing to keep apart."""
    for id_ in sorted(pair):
        skill = book.own(id_)
        if skill is None and id_ not in book.unread:
            return Ended(pair=pair, skill_id=id_)
        if skill is not None and skill.merged_into is not None:
            return Ended(pair=pair, skill_id=id_, merged_into=skill.merged_into)
    return None
