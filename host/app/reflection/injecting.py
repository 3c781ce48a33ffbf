"""Makes the section of skills that an agent begins with, and says in the record which these are."""

from collections.abc import Callable, Sequence
from typing import Final

from host.app.opening_records import MAX_QUERY_CHARS
from host.app.reflection.run_books import RunBooks
from host.core.envelope import Refused
from host.core.text import counted
from host.events import Event, InjectedSkill, SkillsInjected
from host.launch import SkillbookPlan
from host.skillbook import BookFile, Hit, search_skills, section_of_skills, text_hash

_SCORE_DECIMALS: Final = 4


def injected_section(
    plan: SkillbookPlan,
    books: RunBooks,
    *,
    profile: str,
    task: str,
    emit: Callable[[Event], None],
    note: Callable[[str], None],
) -> str | None:
    """The section, `None` where no skill matches the task. The book counts a use of each that is in it.

    A book that cannot be read keeps no agent from its task, and one that cannot be written keeps none from
    its skills: `note` tells the operator.
    """
    try:
        file = books.file(plan)
        loaded = file.read()
    except (OSError, Refused) as refused:
        note(f"the agent begins without skills: {refused}")
        books.note(profile, ())
        return None
    if loaded.problems:
        unread = counted(len(loaded.problems), "problem")
        note(f"the skillbook {file.path} has {unread}, and what could not be read is not served")
    hits = search_skills(loaded.skillbook, task[:MAX_QUERY_CHARS], scope=plan.scope, top_k=plan.top_k)
    section = section_of_skills(hits, max_chars=plan.max_section_chars)
    ids = tuple(skill.id for skill in section.shown)
    books.note(profile, ids)
    if not hits:
        return None
    shown = [hit for hit in hits if hit.skill.id in ids]
    emit(
        SkillsInjected(
            book=str(file.path),
            scope=plan.scope,
            skills=_told(shown),
            left_out=_told([hit for hit in hits if hit.skill.id not in ids]),
            used=bool(ids) and _marked(file, ids, note),
            turn=0,
        )
    )
    return section.text or None


def _marked(file: BookFile, ids: Sequence[str], note: Callable[[str], None]) -> bool:
    """Whether the book has counted a use of them."""
    try:
        return file.apply(lambda book: book.mark_used(ids)).ok
    except Refused as refused:
        note(f"the use of {counted(len(ids), 'skill')} was not counted: {refused}")
        return False


def _told(hits: Sequence[Hit]) -> tuple[InjectedSkill, ...]:
    return tuple(
        InjectedSkill(
            id=hit.skill.id, text_sha256=text_hash(hit.skill), score=round(hit.score, _SCORE_DECIMALS)
        )
        for hit in hits
    )
