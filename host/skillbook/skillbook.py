"""The skillbook: skills by their ids, and what may be done to them.

Every operation says what it did, or why it did nothing. Nothing is removed but by `purge`.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from host.core.clock import Clock, SystemClock
from host.core.moments import moment_text
from host.core.text import join_words, quoted
from host.skillbook.embedding_text import text_hash
from host.skillbook.model import (
    SECTIONS,
    Delta,
    Done,
    EvidenceIs,
    Extra,
    Occurrence,
    Pair,
    Section,
    SimilarityDecision,
    Skill,
    done,
    refused,
)

EVERYWHERE: Final = "*"
"""As a scope to read by: skills of all scopes."""
_TAGS: Final[Mapping[int, str]] = {1: "helpful_count", 0: "neutral_count", -1: "harmful_count"}
_TAGGED: Final[Mapping[int, str]] = {1: "helpful", 0: "neutral", -1: "harmful"}


class Skillbook:
    """Safe for several threads. `unread` are skills that a file holds and that could not be read, as they
    stood there; `extra` is what else a file has at its top.
    """

    def __init__(
        self,
        skills: Iterable[Skill] = (),
        *,
        decisions: Mapping[Pair, SimilarityDecision] | None = None,
        next_id: int = 0,
        unread: Mapping[str, Any] | None = None,
        extra: Extra | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._skills: Final = {skill.id: skill for skill in skills}
        self._decisions: Final = dict(decisions or {})
        self.next_id = next_id
        self.unread: Final = dict(unread or {})
        self.extra: Final = dict(extra or {})
        self._clock: Final = clock or SystemClock()
        self._lock: Final = threading.RLock()

    # What is read

    def skills(self, include_invalid: bool = False, *, scope: str | None = EVERYWHERE) -> list[Skill]:
        """Active skills in scope, in the order in which they were added: those of `scope` and those for
        everywhere. With `include_invalid` also those that are inactive, held back or merged.
        """
        with self._lock:
            found = list(self._skills.values())
        if scope != EVERYWHERE:
            found = [skill for skill in found if skill.scope is None or skill.scope == scope]
        return found if include_invalid else [skill for skill in found if skill.active]

    def get_skill(self, skill_id: str) -> Skill | None:
        """The skill under an id, or the one that it was merged into."""
        with self._lock:
            seen = set[str]()
            skill = self._skills.get(skill_id)
            while skill is not None and skill.merged_into is not None and skill.id not in seen:
                seen.add(skill.id)
                skill = self._skills.get(skill.merged_into, skill)
            return skill

    def own(self, skill_id: str) -> Skill | None:
        """The skill under exactly this id, also where it was merged."""
        with self._lock:
            return self._skills.get(skill_id)

    @property
    def decisions(self) -> Mapping[Pair, SimilarityDecision]:
        return MappingProxyType(self._decisions)

    def has_keep_decision(self, skill_id_a: str, skill_id_b: str) -> bool:
        """Whether it was decided that the two stay apart."""
        return frozenset((skill_id_a, skill_id_b)) in self._decisions

    # What is done

    def add_skill(
        self,
        section: str,
        issue: str,
        *,
        keywords: Iterable[str] = (),
        insight: str | None = None,
        skill_id: str | None = None,
        insight_source: Occurrence | Iterable[Occurrence] | None = None,
        scope: str | None = None,
        evidence_is: EvidenceIs | None = None,
    ) -> Done:
        """Adds a skill. One on untrusted evidence is held back until it is accepted."""
        with self._lock:
            wrong = self._why_not_added(section, issue, insight, skill_id)
            if wrong is not None:
                return refused(wrong, skill_id)
            kind: Section = "harness" if section == "harness" else "context"
            new_id = skill_id or self._new_id(kind)
            now, is_held = self._now(), evidence_is == "untrusted"
            self._skills[new_id] = Skill(
                id=new_id,
                section=kind,
                issue=issue.strip(),
                insight=_text(insight),
                keywords=keywords_of(keywords) or (kind,),
                occurrences=united((), _sources(insight_source)),
                active=not is_held,
                created_at=now,
                updated_at=now,
                scope=scope,
                evidence_is=evidence_is,
                review="pending" if is_held else None,
            )
            held = ", held back until it is accepted" if is_held else ""
            return done(new_id, f"added {new_id}{held}")

    def update_skill(
        self,
        skill_id: str,
        *,
        issue: str | None = None,
        keywords: Iterable[str] | None = None,
        insight: str | None = None,
        insight_source: Occurrence | Iterable[Occurrence] | None = None,
        evidence_is: EvidenceIs | None = None,
    ) -> Done:
        """Says a skill otherwise, under the same id. On untrusted evidence it is held back from then on."""
        with self._lock:
            skill = self._live(skill_id)
            if isinstance(skill, Done):
                return skill
            changed = replace(
                skill,
                issue=skill.issue if issue is None else issue.strip(),
                insight=skill.insight if insight is None else _text(insight),
                keywords=skill.keywords if keywords is None else keywords_of(keywords),
                occurrences=united(skill.occurrences, _sources(insight_source)),
            )
            if (wrong := _why_unsound(changed)) is not None:
                return refused(wrong, skill.id)
            if changed == skill:
                return refused("nothing of it changes", skill.id)
            if evidence_is is not None:
                changed = replace(changed, evidence_is=evidence_is)
            if evidence_is == "untrusted":
                changed = replace(changed, active=False, review="pending")
            self._put(changed)
            held = ", held back until it is accepted" if evidence_is == "untrusted" else ""
            return done(skill.id, f"updated {skill.id}{held}")

    def tag_skill(
        self,
        skill_id: str,
        delta: Delta,
        *,
        insight_source: Occurrence | Iterable[Occurrence] | None = None,
    ) -> Done:
        """Counts that a skill was helpful (1), neutral (0) or harmful (-1)."""
        with self._lock:
            skill = self._known(skill_id)
            if isinstance(skill, Done):
                return skill
            if isinstance(delta, bool) or delta not in _TAGS:
                return refused(f"delta {delta!r} is none of 1, 0 and -1", skill.id)
            counter = _TAGS[delta]
            self._put(
                replace(
                    skill,
                    occurrences=united(skill.occurrences, _sources(insight_source)),
                    **{counter: getattr(skill, counter) + 1},
                )
            )
            return done(skill.id, f"tagged {skill.id} {_TAGGED[delta]}")

    def remove_skill(
        self,
        skill_id: str,
        soft: bool = True,
        *,
        insight_source: Occurrence | Iterable[Occurrence] | None = None,
    ) -> Done:
        """Retires a skill with the source that justifies it among its occurrences; `restore` undoes that.
        Without `soft` as `purge`.
        """
        if not soft:
            return self.purge(skill_id)
        with self._lock:
            skill = self._known(skill_id)
            if isinstance(skill, Done):
                return skill
            if not skill.active and skill.review is None:
                return refused(f"{skill.id} is removed already", skill.id)
            occurrences = united(skill.occurrences, _sources(insight_source))
            self._put(replace(skill, active=False, review=None, occurrences=occurrences))
            return done(skill.id, f"removed {skill.id}; restore undoes it")

    def accept(self, skill_id: str, *, insight_source: Occurrence | None = None) -> Done:
        """An operator accepts a skill that was held back."""
        with self._lock:
            skill = self._skills.get(skill_id)
            if skill is None:
                return refused(self._unknown(skill_id), skill_id)
            if skill.review is None:
                return refused(f"{skill_id} is not held back", skill_id)
            occurrences = united(skill.occurrences, _sources(insight_source))
            self._put(replace(skill, active=True, review=None, occurrences=occurrences))
            return done(skill_id, f"accepted {skill_id}")

    def purge(self, skill_id: str) -> Done:
        """Drops a skill and every decision about it. Nothing undoes that."""
        with self._lock:
            skill = self._skills.get(skill_id)
            if skill is None:
                return refused(self._unknown(skill_id), skill_id)
            del self._skills[skill_id]
            ended = [pair for pair in self._decisions if skill_id in pair]
            for pair in ended:
                del self._decisions[pair]
            about = f" and {len(ended)} decisions about it" if ended else ""
            return done(skill_id, f"purged {skill_id}{about}")

    def mark_used(self, skill_ids: Iterable[str]) -> Done:
        """Counts a use of each of them that is active."""
        with self._lock:
            used = [
                skill
                for id_ in dict.fromkeys(skill_ids)
                if (skill := self._skills.get(id_)) is not None and skill.active
            ]
            for skill in used:
                self._put(replace(skill, used_count=skill.used_count + 1))
            if not used:
                return refused("none of them is an active skill")
            return done(None, f"counted a use of {join_words(skill.id for skill in used)}")

    def put(self, skill: Skill) -> None:
        """Puts a skill as it is in place of the one under its id."""
        with self._lock:
            self._skills[skill.id] = skill

    def put_decision(self, pair: Pair, decision: SimilarityDecision | None) -> None:
        """Puts a decision about two skills, or none, in place of the one that there is."""
        with self._lock:
            if decision is None:
                self._decisions.pop(pair, None)
            else:
                self._decisions[pair] = decision

    def set_similarity_decision(
        self,
        skill_id_a: str,
        skill_id_b: str,
        reasoning: str,
        *,
        similarity: int | None = None,
        measure: str | None = None,
    ) -> Done:
        """Decides that two skills stay apart, about their texts as they are. `similarity` is as measured, in
        ten-thousandths.
        """
        with self._lock:
            if skill_id_a == skill_id_b:
                return refused("a skill is kept apart from another one, not from itself", skill_id_a)
            for id_ in (skill_id_a, skill_id_b):
                if id_ not in self._skills:
                    return refused(self._unknown(id_), id_)
            pair = frozenset((skill_id_a, skill_id_b))
            self._decisions[pair] = SimilarityDecision(
                reasoning=reasoning,
                decided_at=self._now(),
                similarity=similarity,
                measure=measure,
                hashes={id_: text_hash(self._skills[id_]) for id_ in sorted(pair)},
            )
            return done(None, f"{join_words(sorted(pair))} are kept apart")

    # Below

    def _now(self) -> str:
        return moment_text(self._clock.now())

    def _put(self, skill: Skill) -> None:
        self._skills[skill.id] = replace(skill, updated_at=self._now())

    def _new_id(self, section: Section) -> str:
        while True:
            self.next_id += 1
            new_id = f"{section}-{self.next_id:05d}"
            if new_id not in self._skills and new_id not in self.unread:
                return new_id

    def _unknown(self, skill_id: str) -> str:
        return f"there is no skill {quoted(skill_id)}"

    def _known(self, skill_id: str) -> Skill | Done:
        skill = self.get_skill(skill_id)
        return skill if skill is not None else refused(self._unknown(skill_id), skill_id)

    def _live(self, skill_id: str) -> Skill | Done:
        """A skill that may be said otherwise: one that is not removed."""
        skill = self._known(skill_id)
        if isinstance(skill, Skill) and not skill.active and skill.review is None:
            return refused(f"{skill.id} is removed; restore it first", skill.id)
        return skill

    def _why_not_added(
        self, section: str, issue: str, insight: str | None, skill_id: str | None
    ) -> str | None:
        if section not in SECTIONS:
            return f"section {quoted(section)} is none of {join_words(SECTIONS)}"
        if not issue.strip():
            return "the issue is empty; say what the situation is"
        if section == "context" and _text(insight) is None:
            return "the insight is empty; say what to do about it"
        if skill_id is None:
            return None
        if "," in skill_id or not skill_id.strip():
            return f"the id {quoted(skill_id)} is empty or holds a comma; ids of pairs are joined by one"
        if skill_id in self._skills or skill_id in self.unread:
            return f"there is a skill {quoted(skill_id)} already; update it, or add another id"
        return None


def keywords_of(keywords: Iterable[str]) -> tuple[str, ...]:
    """Lower case, `_` for white space, each once; blank ones are left out."""
    normal = ("_".join(keyword.lower().split()) for keyword in keywords)
    return tuple(dict.fromkeys(keyword for keyword in normal if keyword))


def united(existing: Sequence[Occurrence], more: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    """Both, equal ones once."""
    found = list(existing)
    for source in more:
        if source not in found:
            found.append(source)
    return tuple(found)


def _why_unsound(skill: Skill) -> str | None:
    if not skill.issue:
        return "the issue is empty; say what the situation is"
    if skill.section == "context" and skill.insight is None:
        return "the insight is empty; say what to do about it"
    if not skill.keywords:
        return "there are no keywords; give one or more"
    return None


def _text(text: str | None) -> str | None:
    return (text or "").strip() or None


def _sources(source: Occurrence | Iterable[Occurrence] | None) -> tuple[Occurrence, ...]:
    if source is None:
        return ()
    return (source,) if isinstance(source, Occurrence) else tuple(source)
