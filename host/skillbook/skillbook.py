"""The skillbook: what may be done to skills.

Every operation says what it did, or why it did nothing. Nothing is removed for good but by `purge`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from host.core.clock import Clock, SystemClock
from host.core.moments import moment_text
from host.core.text import counted, join_words, quoted
from host.skillbook.absorbing import absorbers, without_counters
from host.skillbook.contents import Contents, Rest
from host.skillbook.decisions import has_keep, measured
from host.skillbook.formats.decisions import anew, hashes_of, key_of, pair_of
from host.skillbook.formats.fields import Unreadable
from host.skillbook.formats.reading import Format, read_contents, write_contents
from host.skillbook.holding import EVERYWHERE, Holding
from host.skillbook.json_file import locked, read_json, real_path, refusal, write_json
from host.skillbook.model import (
    SECTIONS,
    Delta,
    Done,
    EvidenceIs,
    Occurrence,
    Pair,
    Review,
    Section,
    SimilarityDecision,
    Skill,
    done,
    refused,
)
from host.skillbook.normal import keywords_of, sources_of, text_of, united, why_no_id, why_unsound
from host.skillbook.updates import Add, Remove, Tag, Update, UpdateBatch, UpdateOperation

Sources = Occurrence | Iterable[Occurrence] | None
"""Where an operation comes from: one source, several or none."""

_TAGS: Final[Mapping[int, str]] = {1: "helpful", 0: "neutral", -1: "harmful"}
_HELD: Final = ", held back until it is accepted"

__all__ = ["EVERYWHERE", "Skillbook", "Sources"]


class Skillbook(Holding):
    """A book in memory, safe for several threads. `BookFile` keeps one on the disk."""

    def __init__(
        self,
        skills: Iterable[Skill] = (),
        *,
        decisions: Mapping[Pair, SimilarityDecision] | None = None,
        rest: Rest | None = None,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(skills, decisions=decisions, rest=rest)
        self._clock: Final = clock or SystemClock()
        self._kept_as: dict[Path, str] = {}  # the hash of a file's bytes when this book and it were the same

    @classmethod
    def of(cls, contents: Contents, *, clock: Clock | None = None) -> "Skillbook":
        return cls(contents.skills, decisions=contents.decisions, rest=contents.rest, clock=clock)

    @classmethod
    def from_dict(cls, payload: object, *, clock: Clock | None = None) -> "Skillbook":
        """The book of JSON values in any of ACE's formats; `problems` has what of it could not be read.

        Raises `ValueError` for what is no book.
        """
        return cls.of(read_contents(payload), clock=clock)

    def to_dict(self, written_as: Format = "v2") -> dict[str, Any]:
        """The book as JSON values."""
        return write_contents(self.contents, written_as)

    @classmethod
    def load_from_file(cls, path: str | Path, *, clock: Clock | None = None) -> "Skillbook":
        """The book that a file holds. Raises `Refused` for a file that is not there, and for no book."""
        at = real_path(Path(path))
        found = read_json(at)
        if found is None:
            raise refusal(at, "is not there; name a file that is, or begin a new book")
        try:
            book = cls.of(measured(read_contents(found.payload)), clock=clock)
        except ValueError as error:
            raise refusal(at, f"is no skillbook, and stays as it is: {error}") from error
        book._kept_as[at] = found.sha256
        return book

    def save_to_file(self, path: str | Path, written_as: Format = "v2") -> None:
        """Writes the book in place of what the file holds. Raises `Refused` where that is not what this book
        was read from, or wrote last: another writer's skills would be lost.
        """
        at = real_path(Path(path))
        with locked(at):
            there = read_json(at)
            if there is not None and self._kept_as.get(at) != there.sha256:
                raise refusal(
                    at,
                    "holds what this book was not read from, as another process may have written it;"
                    " read it again, or save under another name",
                )
            self._kept_as[at] = write_json(at, self.to_dict(written_as))

    def has_keep_decision(self, skill_id_a: str, skill_id_b: str) -> bool:
        """Whether it was decided that the two stay apart, both are there, and neither says something else
        since. Whether they have become more similar is for `is_settled`, which takes how similar they are.
        """
        with self.lock:
            return has_keep(self, frozenset((skill_id_a, skill_id_b)))

    def add_skill(
        self,
        section: str,
        issue: str,
        *,
        keywords: Iterable[str] = (),
        insight: str | None = None,
        skill_id: str | None = None,
        insight_source: Sources = None,
        scope: str | None = None,
        evidence_is: EvidenceIs | None = None,
    ) -> Done:
        """Adds a skill. One on untrusted evidence is held back until it is accepted."""
        if section not in SECTIONS:
            return refused(f"section {quoted(section)} is none of {join_words(SECTIONS)}", skill_id)
        if scope is not None and scope.strip() in ("", EVERYWHERE):
            return refused(f"{quoted(scope)} is no scope; name one, or none for everywhere", skill_id)
        kind: Section = "harness" if section == "harness" else "context"
        with self.lock:
            if skill_id is not None and (wrong := self._why_taken(skill_id)) is not None:
                return refused(wrong, skill_id)
            is_held = evidence_is == "untrusted"
            now = self._now()
            skill = Skill(
                id=skill_id or "",
                section=kind,
                issue=issue.strip(),
                insight=text_of(insight),
                keywords=keywords_of(keywords) or (kind,),
                occurrences=united((), sources_of(insight_source)),
                active=not is_held,
                created_at=now,
                updated_at=now,
                scope=scope,
                evidence_is=evidence_is,
                review="pending" if is_held else None,
            )
            if (wrong := why_unsound(skill)) is not None:
                return refused(wrong, skill_id)
            skill = replace(skill, id=skill_id or self._new_id(kind))
            self.put(skill)
            return done(skill.id, f"added {skill.id}{_HELD if is_held else ''}")

    def update_skill(
        self,
        skill_id: str,
        *,
        issue: str | None = None,
        keywords: Iterable[str] | None = None,
        insight: str | None = None,
        insight_source: Sources = None,
        evidence_is: EvidenceIs | None = None,
    ) -> Done:
        """Says a skill otherwise, under the same id. On untrusted evidence it is held back from then on."""
        with self.lock:
            skill = self._of_its_own(skill_id)
            if isinstance(skill, Done):
                return skill
            if not skill.active and skill.review != "pending":
                return refused(f"{skill.id} is removed; restore it first", skill.id)
            changed = replace(
                skill,
                issue=skill.issue if issue is None else issue.strip(),
                insight=skill.insight if insight is None else text_of(insight),
                keywords=skill.keywords if keywords is None else keywords_of(keywords),
            )
            if (wrong := why_unsound(changed)) is not None:
                return refused(wrong, skill.id)
            if changed == skill:
                return refused("it says so already, and nothing of it changes", skill.id)
            is_held = evidence_is == "untrusted"
            if is_held:
                changed = replace(changed, active=False, review="pending")
            if (
                evidence_is is not None and skill.evidence_is != "untrusted"
            ):  # parts of it may be as they were
                changed = replace(changed, evidence_is=evidence_is)
            self.revise(changed, insight_source)
            return done(skill.id, f"updated {skill.id}{_HELD if is_held else ''}")

    def tag_skill(self, skill_id: str, delta: Delta, *, insight_source: Sources = None) -> Done:
        """Counts that a skill was helpful (1), neutral (0) or harmful (-1), which decides nothing."""
        with self.lock:
            skill = self.get_skill(skill_id)
            if skill is None:
                return refused(self._unknown(skill_id), skill_id)
            if isinstance(delta, bool) or delta not in _TAGS:
                return refused(f"delta {delta!r} is none of 1, 0 and -1", skill.id)
            counter = f"{_TAGS[delta]}_count"
            self.revise(replace(skill, **{counter: getattr(skill, counter) + 1}), insight_source)
            return done(skill.id, f"tagged {skill.id} {_TAGS[delta]}")

    def mark_used(self, skill_ids: Iterable[str]) -> Done:
        """Counts a use of each of them that runs may see."""
        with self.lock:
            found = {skill.id: skill for id_ in skill_ids if (skill := self.get_skill(id_)) is not None}
            used = [skill for skill in found.values() if skill.is_served]
            for skill in used:
                self.revise(replace(skill, used_count=skill.used_count + 1))
            if not used:
                return refused("none of them is an active skill")
            return done(None, f"counted a use of {join_words(skill.id for skill in used)}")

    def remove_skill(self, skill_id: str, soft: bool = True, *, insight_source: Sources = None) -> Done:
        """Retires a skill with the source that justifies it among its occurrences; `restore` undoes that.
        Without `soft` as `purge`.
        """
        if not soft:
            return self.purge(skill_id)
        with self.lock:
            skill = self._of_its_own(skill_id)
            if isinstance(skill, Done):
                return skill
            if not skill.active and skill.review != "pending":
                return refused(f"{skill.id} is removed already", skill.id)
            review: Review | None = None if skill.review is None else "rejected"
            self.revise(replace(skill, active=False, review=review), insight_source)
            what = "removed" if review is None else "rejected"
            return done(skill.id, f"{what} {skill.id}; restore undoes it")

    def restore(self, skill_id: str, *, insight_source: Sources = None) -> Done:
        """Undoes a removal, or a merge, after which its counters are no longer in the other skill's. What was
        removed before anybody had accepted it is held back again.
        """
        with self.lock:
            skill = self.own(skill_id)
            if skill is None:
                return refused(self._unknown(skill_id), skill_id)
            if skill.merged_into is None and (skill.active or skill.review == "pending"):
                return refused(f"{skill_id} is not removed", skill_id)
            kept_by = list(absorbers(skill, self.by_id))
            for keep in kept_by:
                self.revise(without_counters(keep, skill))
            is_held = skill.review is not None
            back = replace(skill, merged_into=None, active=not is_held, review="pending" if is_held else None)
            self.revise(back, insight_source)
            less = (
                f"; its counters are taken out of {join_words(keep.id for keep in kept_by)}"
                if kept_by
                else ""
            )
            return done(skill_id, f"restored {skill_id}{_HELD if is_held else ''}{less}")

    def accept(self, skill_id: str, *, insight_source: Sources = None) -> Done:
        """An operator accepts a skill that was held back."""
        with self.lock:
            skill = self._of_its_own(skill_id)
            if isinstance(skill, Done):
                return skill
            if skill.review != "pending":
                return refused(f"{skill_id} is not held back", skill_id)
            self.revise(replace(skill, active=True, review=None), insight_source)
            return done(skill_id, f"accepted {skill_id}")

    def purge(self, skill_id: str) -> Done:
        """Drops a skill and every decision about it. Nothing undoes that. What had been merged into it is as
        if it had been merged into what that was merged into, or is removed where there is nothing.
        """
        with self.lock:
            skill = self.own(skill_id)
            if not self.drop(skill_id):
                return refused(self._unknown(skill_id), skill_id)
            for each in list(self.by_id.values()):
                if each.merged_into == skill_id:
                    self.put(replace(each, merged_into=skill.merged_into if skill else None))
            ended = self.end_decisions(skill_id)
            about = f" and {counted(ended, 'decision')} about it" if ended else ""
            return done(skill_id, f"purged {skill_id}{about}")

    def set_similarity_decision(
        self,
        skill_id_a: str,
        skill_id_b: str,
        reasoning: str,
        *,
        similarity: int | None = None,
        measure: str | None = None,
    ) -> Done:
        """Decides that two skills stay apart, about their texts as they are. `similarity` is as measured by
        `measure`, in ten-thousandths.
        """
        pair = frozenset((skill_id_a, skill_id_b))
        with self.lock:
            if (wrong := self.why_not_apart(pair)) is not None:
                return refused(wrong)
            decision = SimilarityDecision(
                reasoning=reasoning,
                decided_at=self._now(),
                similarity=similarity,
                measure=None if similarity is None else measure,
                hashes=hashes_of(pair, self.by_id),
            )
            self.put_decision(pair, anew(decision, self.decisions.get(pair)))
            return done(None, f"{join_words(sorted(pair))} are kept apart")

    def why_not_apart(self, pair: Pair) -> str | None:
        """Why no decision can be made about a pair."""
        if len(pair) < 2:
            return "a skill is kept apart from another one, not from itself"
        for id_ in sorted(pair):
            skill = self._of_its_own(id_)
            if isinstance(skill, Done):
                return skill.why
        try:
            pair_of(key_of(pair), self.by_id)
        except Unreadable:
            return f"a file could not tell {join_words(map(quoted, sorted(pair)))} from another pair"
        return None

    def apply_update(self, batch: UpdateBatch) -> tuple[Done, ...]:
        """Carries out the operations in their order; each says what it did, or why it did nothing."""
        with self.lock:
            return tuple(map(self._apply, batch.operations))

    def _apply(self, operation: UpdateOperation) -> Done:
        source = operation.insight_source
        match operation:
            case Add():
                return self.add_skill(
                    operation.section,
                    operation.issue,
                    keywords=operation.keywords,
                    insight=operation.insight,
                    skill_id=operation.skill_id,
                    insight_source=source,
                )
            case Update():
                return self.update_skill(
                    operation.skill_id,
                    issue=operation.issue,
                    keywords=operation.keywords,
                    insight=operation.insight,
                    insight_source=source,
                )
            case Tag():
                return self.tag_skill(operation.skill_id, operation.delta, insight_source=source)
            case Remove():
                return self.remove_skill(operation.skill_id, insight_source=source or operation.as_source)

    def _now(self) -> str:
        return moment_text(self._clock.now())

    def revise(self, skill: Skill, more: Sources = None) -> None:
        """Puts a skill in place of the one under its id, as changed now; `more` is where that comes from."""
        occurrences = united(skill.occurrences, sources_of(more))
        self.put(replace(skill, occurrences=occurrences, updated_at=self._now()))

    def _unknown(self, skill_id: str) -> str:
        if skill_id in self.unread:
            return f"skill {quoted(skill_id)} could not be read from the file; mend it there, or purge it"
        return f"there is no skill {quoted(skill_id)}"

    def _of_its_own(self, skill_id: str) -> Skill | Done:
        """The skill under exactly this id, which was not merged into another one."""
        skill = self.own(skill_id)
        if skill is None:
            return refused(self._unknown(skill_id), skill_id)
        if skill.merged_into is not None:
            return refused(f"{skill_id} was merged into {skill.merged_into}; name that one", skill_id)
        return skill

    def _why_taken(self, skill_id: str) -> str | None:
        if skill_id in self.by_id or skill_id in self.unread:
            return f"there is a skill {quoted(skill_id)} already; update it, or add another id"
        return why_no_id(skill_id)
