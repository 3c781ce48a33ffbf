"""A skillbook as the reflector of one run keeps it: sources and what evidence counts for are set here."""

import threading
from collections.abc import Callable, Iterable
from typing import Final, Literal, TypeGuard

from host.app.reflection.account import Account
from host.core.text import quoted, shortened
from host.operations import BookChange, FoundIn
from host.skillbook import (
    TOP_K,
    BookFile,
    Done,
    EvidenceIs,
    Hit,
    Occurrence,
    Skill,
    Skillbook,
    search_skills,
)

MAX_CHARS: Final = 2_000
"""Of an issue, an insight, a reason. A longer skill would not come into a section beside others."""
MAX_EVIDENCE_CHARS: Final = 4_000
MAX_KEYWORDS: Final = 16
MAX_KEYWORD_CHARS: Final = 64
_TASK_CHARS: Final = 500

Mask = Callable[[str], str]
Change = Callable[[Skillbook], Done]


class RunReflection:
    """What the calls of a reflector have of the book (`Reflection`).

    Args:
        scope: what of the book they see, and what skills are added for.
        run, task: of the run that is reflected on.
        turn: the last of its root.
        injected: ids of the skills that its agents began with. Each is tagged once, and no other is.
        account: what the reflector is shown, where its evidence has to stand.
        mask: takes secrets out of what is kept.
    """

    def __init__(
        self,
        file: BookFile,
        *,
        scope: str | None,
        run: str,
        task: str,
        turn: int,
        injected: Iterable[str],
        account: Account,
        mask: Mask,
    ) -> None:
        self.account: Final = account
        self._file: Final = file
        self._scope: Final = scope
        self._run: Final = run
        self._task: Final = shortened(mask(task), _TASK_CHARS)
        self._turn: Final = turn
        self._mask: Final = mask
        self._lock: Final = threading.Lock()
        self._injected: Final = frozenset(injected)
        self._tagged: Final[set[str]] = set()
        self._added: Final[set[str]] = set()

    @property
    def untagged(self) -> tuple[str, ...]:
        """The skills that were injected and not tagged yet."""
        return tuple(sorted(self._injected - self._tagged))

    def search(
        self, query: str, *, top_k: int | None, section: str | None, keywords: tuple[str, ...]
    ) -> tuple[list[Hit], int]:
        book = self._file.read().skillbook
        hits = search_skills(
            book, query, scope=self._scope, top_k=top_k or TOP_K, section=section, keywords=keywords
        )
        return hits, len(book.skills(scope=self._scope))

    def read(self, skill_id: str) -> Skill | Done:
        return self._visible(self._file.read().skillbook, skill_id)

    def add(
        self,
        section: str,
        *,
        issue: str,
        keywords: tuple[str, ...],
        insight: str | None,
        evidence: str | None,
    ) -> BookChange:
        if (wrong := _too_much(issue, insight, keywords, evidence)) is not None:
            return _refused(wrong)
        evidence_is, found = self.account.find(evidence)

        def change(book: Skillbook) -> Done:
            return book.add_skill(
                section,
                self._mask(issue),
                keywords=map(self._mask, keywords),
                insight=None if insight is None else self._mask(insight),
                insight_source=self._source("ADD", evidence, found),
                scope=self._scope,
                evidence_is=evidence_is,
            )

        changed = self._changed(change, evidence_is, found)
        if changed.skill is not None:
            with self._lock:
                self._added.add(changed.skill.id)
        return changed

    def update(
        self,
        skill_id: str,
        *,
        issue: str | None,
        keywords: tuple[str, ...] | None,
        insight: str | None,
        evidence: str | None,
    ) -> BookChange:
        if (wrong := _too_much(issue, insight, keywords or (), evidence)) is not None:
            return _refused(wrong)
        evidence_is, found = self.account.find(evidence)

        def change(book: Skillbook) -> Done:
            skill = self._visible(book, skill_id)
            if isinstance(skill, Done):
                return skill
            return book.update_skill(
                skill.id,
                issue=None if issue is None else self._mask(issue),
                keywords=None if keywords is None else map(self._mask, keywords),
                insight=None if insight is None else self._mask(insight),
                insight_source=self._source("UPDATE", evidence, found),
                evidence_is=evidence_is,
            )

        return self._changed(change, evidence_is, found)

    def tag(self, skill_id: str, delta: int) -> BookChange:
        if not _is_delta(delta):
            return _refused(f"delta {delta} is none of 1, 0 and -1")

        def change(book: Skillbook) -> Done:
            skill = self._visible(book, skill_id)
            if isinstance(skill, Done):
                return skill
            if skill.id in self._tagged:
                return Done(ok=False, why=f"{skill.id} was tagged for this run already")
            if self._injected.isdisjoint((skill_id, skill.id)):
                return Done(ok=False, why=f"the run did not begin with {skill.id}; tag those that it did")
            return book.tag_skill(skill.id, delta, insight_source=self._source("TAG", None, None))

        changed = self._changed(change)
        if changed.skill is not None:
            with self._lock:
                self._tagged.update((skill_id, changed.skill.id))
        return changed

    def remove(self, skill_id: str, reason: str) -> BookChange:
        if not reason.strip():
            return _refused("the reason is empty; say what shows that the skill misleads")
        if (wrong := _too_long("reason", reason, MAX_CHARS)) is not None:
            return _refused(wrong)

        def change(book: Skillbook) -> Done:
            skill = self._visible(book, skill_id)
            if isinstance(skill, Done):
                return skill
            return book.remove_skill(skill.id, insight_source=self._source("REMOVE", reason, None))

        return self._changed(change)

    def _changed(
        self, change: Change, evidence_is: EvidenceIs | None = None, found: FoundIn | None = None
    ) -> BookChange:
        def changed(book: Skillbook) -> tuple[Done, Skill | None]:
            done = change(book)
            return done, book.own(done.skill_id) if done.ok and done.skill_id is not None else None

        done, skill = self._file.apply(changed)
        return BookChange(done=done, skill=skill, evidence_is=evidence_is, found_in=found)

    def _visible(self, book: Skillbook, skill_id: str) -> Skill | Done:
        """The skill that runs of this scope may see, or that this reflector has added itself."""
        skill = book.get_skill(skill_id)
        in_scope = skill is not None and skill.scope in (None, self._scope)
        if skill is None or not in_scope or not (skill.is_served or skill.id in self._added):
            return Done(ok=False, skill_id=skill_id, why=f"there is no active skill {quoted(skill_id)}")
        return skill

    def _source(self, operation: str, text: str | None, found: FoundIn | None) -> Occurrence:
        turn = found.turn if found is not None and found.turn is not None else self._turn
        trace = f"{self._run}#{turn}"
        return Occurrence(
            trace_uid=f"gg:{trace}",
            source_system="gg",
            trace_id=trace,
            display_name=found.agent_id if found else None,
            sample_question=self._task,
            operation_type=operation,
            learning_text=None if text is None else self._mask(text),
        )


def _is_delta(delta: int) -> TypeGuard[Literal[1, 0, -1]]:
    return not isinstance(delta, bool) and delta in (-1, 0, 1)


def _too_much(
    issue: str | None, insight: str | None, keywords: tuple[str, ...], evidence: str | None
) -> str | None:
    """What of a skill is too long, and how long it may be."""
    if len(keywords) > MAX_KEYWORDS:
        return f"there are {len(keywords):,} of {MAX_KEYWORDS} keywords; give the most telling"
    limited = [("issue", issue, MAX_CHARS), ("insight", insight, MAX_CHARS)]
    limited += [("evidence", evidence, MAX_EVIDENCE_CHARS)]
    limited += [("keyword", keyword, MAX_KEYWORD_CHARS) for keyword in keywords]
    return next(filter(None, (_too_long(*each) for each in limited)), None)


def _too_long(what: str, text: str | None, most: int) -> str | None:
    if text is None or len(text) <= most:
        return None
    return f"the {what} has {len(text):,} of {most:,} characters; say it in fewer"


def _refused(why: str) -> BookChange:
    return BookChange(done=Done(ok=False, why=why))
