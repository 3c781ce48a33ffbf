"""Decisions about similar skills, and what each does to a book: a closed set of four.

A decision is carried out whole or not at all. It is refused where it names a skill that is not there, that
nobody was asked about, or whose text changed since.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, Literal

from host.core.text import counted, join_words, quoted
from host.skillbook.absorbing import absorbing
from host.skillbook.embedding_text import text_hash
from host.skillbook.formats.fields import Unreadable, filled_field, list_field, named, object_of, text_field
from host.skillbook.model import Done, Occurrence, Pair, Skill, done, refused
from host.skillbook.normal import text_of, why_unsound
from host.skillbook.skillbook import Skillbook

SYSTEM: Final = "gg"
TRACE: Final = "consolidation"


@dataclass(frozen=True, kw_only=True)
class Merge:
    """The skills say one thing, which `keep_id` says from now on: `merged_content` is its insight, or the
    issue of a skill in section `harness`.
    """

    type: Literal["MERGE"] = "MERGE"
    source_ids: tuple[str, ...]
    keep_id: str
    merged_content: str
    reasoning: str

    @property
    def skill_ids(self) -> tuple[str, ...]:
        """All that it is about, the one that stays first."""
        return tuple(dict.fromkeys((self.keep_id, *self.source_ids)))


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """A skill says `new_content` from now on, under the same id, so that it is told from others."""

    type: Literal["UPDATE"] = "UPDATE"
    skill_id: str
    new_content: str
    reasoning: str

    @property
    def skill_ids(self) -> tuple[str, ...]:
        return (self.skill_id,)


@dataclass(frozen=True, kw_only=True)
class Delete:
    """A skill says nothing that others do not; it is retired, and `restore` undoes that."""

    type: Literal["DELETE"] = "DELETE"
    skill_id: str
    reasoning: str

    @property
    def skill_ids(self) -> tuple[str, ...]:
        return (self.skill_id,)


@dataclass(frozen=True, kw_only=True)
class Keep:
    """The skills look alike and are not: each two of them stay apart."""

    type: Literal["KEEP"] = "KEEP"
    skill_ids: tuple[str, ...]
    reasoning: str

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return tuple(map(frozenset, combinations(dict.fromkeys(self.skill_ids), 2)))


Decision = Merge | Rewrite | Delete | Keep


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a decision was made about: the hash of each skill's text, and how similar pairs were by `measure`,
    in ten-thousandths.
    """

    hashes: Mapping[str, str]
    similarities: Mapping[Pair, int]
    measure: str


def asked_about(skills: Sequence[Skill], similarities: Mapping[Pair, int], measure: str) -> Asked:
    """A question about skills as they are now."""
    return Asked(
        hashes={skill.id: text_hash(skill) for skill in skills}, similarities=similarities, measure=measure
    )


def decision_from_json(payload: object) -> Decision:
    """The decision of an object. Raises `ValueError` for what is none, and says why."""
    raw = object_of(payload, "the decision")
    reasoning = text_field(raw, "reasoning", "") or ""
    match text_field(raw, "type", "") or "":
        case "MERGE":
            return Merge(
                source_ids=_ids(raw, "source_ids"),
                keep_id=filled_field(raw, "keep_id"),
                merged_content=filled_field(raw, "merged_content"),
                reasoning=reasoning,
            )
        case "UPDATE":
            content = filled_field(raw, "new_content")
            return Rewrite(skill_id=filled_field(raw, "skill_id"), new_content=content, reasoning=reasoning)
        case "DELETE":
            return Delete(skill_id=filled_field(raw, "skill_id"), reasoning=reasoning)
        case "KEEP":
            told = reasoning or text_field(raw, "differentiation", "") or ""
            return Keep(skill_ids=_ids(raw, "skill_ids"), reasoning=told)
        case other:
            raise Unreadable(f"its type is {quoted(other)}, none of MERGE, UPDATE, DELETE and KEEP")


def apply_decision(
    book: Skillbook, decision: Decision, *, asked: Asked, source: Occurrence | None = None
) -> Done:
    """Carries a decision out. Its reasoning becomes an occurrence of each skill that it retires or rewrites,
    in the run and turn of `source`.
    """
    with book.lock:
        if (wrong := _why_not(book, decision, asked)) is not None:
            return refused(wrong)
        because = _because(decision, source)
        match decision:
            case Merge():
                return _merge(book, decision, because)
            case Rewrite():
                return _rewrite(book, decision, because)
            case Delete():
                return book.remove_skill(decision.skill_id, insight_source=because)
            case Keep():
                return _keep(book, decision, asked)


def _why_not(book: Skillbook, decision: Decision, asked: Asked) -> str | None:
    for id_ in decision.skill_ids:
        skill = book.own(id_)
        if skill is None:
            return f"there is no skill {quoted(id_)}"
        if id_ not in asked.hashes:
            return f"nobody was asked about {quoted(id_)}; decide about {join_words(sorted(asked.hashes))}"
        if text_hash(skill) != asked.hashes[id_]:
            return f"what {quoted(id_)} says changed since the question; ask again"
        if skill.merged_into is not None:
            return f"{quoted(id_)} was merged into {quoted(skill.merged_into)} since the question; ask again"
        if not skill.is_served:
            return f"{quoted(id_)} is not active"
    if len(set(decision.skill_ids)) < 2 and isinstance(decision, Merge | Keep):
        return f"{decision.type} is about two skills or more; name them all"
    return None


def _merge(book: Skillbook, merge: Merge, because: Occurrence) -> Done:
    keep, *sources = (book.by_id[id_] for id_ in merge.skill_ids)
    narrower = [each.id for each in sources if keep.scope not in (None, each.scope)]
    if narrower:
        wider = join_words(map(quoted, narrower))
        return refused(
            f"{quoted(keep.id)} is for {quoted(keep.scope or '')} alone, and {wider} would no longer be seen"
            " elsewhere; keep the one that is for everywhere",
            keep.id,
        )
    merged = _saying(absorbing(keep, sources), merge.merged_content)
    if (wrong := why_unsound(merged)) is not None:
        return refused(wrong, keep.id)
    for each in sources:
        book.revise(replace(each, active=False, merged_into=keep.id), because)
    book.revise(merged)
    ended = sum(book.end_decisions(each.id) for each in sources)
    about = f"; {counted(ended, 'decision')} to keep them apart from others ended" if ended else ""
    return done(keep.id, f"merged {join_words(each.id for each in sources)} into {keep.id}{about}")


def _rewrite(book: Skillbook, rewrite: Rewrite, because: Occurrence) -> Done:
    skill = book.by_id[rewrite.skill_id]
    written = _saying(skill, rewrite.new_content)
    if (wrong := why_unsound(written)) is not None:
        return refused(wrong, skill.id)
    if written == skill:
        return refused("it says so already, and nothing of it changes", skill.id)
    book.revise(written, because)
    return done(skill.id, f"updated {skill.id}")


def _keep(book: Skillbook, keep: Keep, asked: Asked) -> Done:
    for pair in keep.pairs:
        if (wrong := book.why_not_apart(pair)) is not None:
            return refused(wrong)
    for pair in keep.pairs:
        one, other = sorted(pair)
        similarity = asked.similarities.get(pair)
        book.set_similarity_decision(one, other, keep.reasoning, similarity=similarity, measure=asked.measure)
    return done(None, f"{join_words(sorted(set(keep.skill_ids)))} are kept apart")


def _saying(skill: Skill, content: str) -> Skill:
    """The skill with other words for what to do, or for its situation where that is all that it has."""
    if skill.section == "context":
        return replace(skill, insight=text_of(content))
    return replace(skill, issue=content.strip())


def _because(decision: Decision, source: Occurrence | None) -> Occurrence:
    """The reasoning as a source."""
    given = source or Occurrence(trace_uid=f"{SYSTEM}:{TRACE}", source_system=SYSTEM, trace_id=TRACE)
    return replace(given, operation_type=decision.type, learning_text=decision.reasoning or None)


def _ids(raw: Mapping[str, Any], name: str) -> tuple[str, ...]:
    ids = list_field(raw, name)
    if not all(isinstance(id_, str) for id_ in ids):
        raise Unreadable(f"its {name} are {named(ids)}, not all of them ids")
    return tuple(dict.fromkeys(ids))
