"""What carries out the calls of the skillbook, and what the record says of them."""

from collections.abc import Callable
from typing import TypeVar

from host.core.envelope import Refused
from host.core.errors import Refusal
from host.events import SkillbookChanged, SkillbookChanging, SkillbookRead
from host.operations.families.skillbook.arguments import (
    AddSkillArguments,
    ReadSkillArguments,
    RemoveSkillArguments,
    SearchSkillsArguments,
    TagSkillArguments,
    UpdateSkillArguments,
)
from host.operations.families.skillbook.results import SkillDone, SkillGiven, SkillsFound
from host.operations.services import BookChange, Caller, Reflection
from host.skillbook import Done, text_hash

T = TypeVar("T")


def search(caller: Caller, arguments: SearchSkillsArguments) -> SkillsFound:
    reflection, keywords = _reflection_of(caller), tuple(arguments.keywords or ())
    hits, active = _answered(
        lambda: reflection.search(
            arguments.query, top_k=arguments.top_k, section=arguments.section, keywords=keywords
        )
    )
    found = tuple(hit.skill.id for hit in hits)
    caller.emit(
        SkillbookRead(
            operation="skillbook.search_skills", query=arguments.query, skill_ids=found, turn=caller.turn
        )
    )
    return SkillsFound.of(hits, active)


def read(caller: Caller, arguments: ReadSkillArguments) -> SkillGiven:
    reflection = _reflection_of(caller)
    found = _answered(lambda: reflection.read(arguments.skill_id))
    given = () if isinstance(found, Done) else (found.id,)
    caller.emit(SkillbookRead(operation="skillbook.read_skill", skill_ids=given, turn=caller.turn))
    return SkillGiven(ok=False, why=found.why) if isinstance(found, Done) else SkillGiven.of(found)


def add(caller: Caller, arguments: AddSkillArguments) -> SkillDone:
    return _changed(
        caller,
        "skillbook.add_skill",
        lambda reflection: reflection.add(
            arguments.section,
            issue=arguments.issue,
            keywords=tuple(arguments.keywords),
            insight=arguments.insight,
            evidence=arguments.evidence,
        ),
    )


def update(caller: Caller, arguments: UpdateSkillArguments) -> SkillDone:
    keywords = None if arguments.keywords is None else tuple(arguments.keywords)
    return _changed(
        caller,
        "skillbook.update_skill",
        lambda reflection: reflection.update(
            arguments.skill_id,
            issue=arguments.issue,
            keywords=keywords,
            insight=arguments.insight,
            evidence=arguments.evidence,
        ),
    )


def tag(caller: Caller, arguments: TagSkillArguments) -> SkillDone:
    return _changed(
        caller,
        "skillbook.tag_skill",
        lambda reflection: reflection.tag(arguments.skill_id, arguments.delta),
    )


def remove(caller: Caller, arguments: RemoveSkillArguments) -> SkillDone:
    return _changed(
        caller,
        "skillbook.remove_skill",
        lambda reflection: reflection.remove(arguments.skill_id, arguments.reason),
    )


def _changed(
    caller: Caller, operation: SkillbookChanging, change: Callable[[Reflection], BookChange]
) -> SkillDone:
    reflection = _reflection_of(caller)
    changed = _answered(lambda: change(reflection))
    done, skill, found = changed.done, changed.skill, changed.found_in
    caller.emit(
        SkillbookChanged(
            operation=operation,
            ok=done.ok,
            skill_id=done.skill_id,
            did=done.did or None,
            why=done.why or None,
            text_sha256=text_hash(skill) if skill else None,
            evidence_is=changed.evidence_is,
            evidence_kind=found.kind if found else None,
            evidence_agent=found.agent_id if found else None,
            evidence_turn=found.turn if found else None,
            held_back=skill is not None and skill.review == "pending",
            turn=caller.turn,
        )
    )
    return SkillDone.of(done)


def _reflection_of(caller: Caller) -> Reflection:
    if caller.reflection is None:
        raise Refusal("unavailable", "This agent reflects on no run.", kind="no_reflection")
    return caller.reflection


def _answered(ask: Callable[[], T]) -> T:
    """What the book answers. One that cannot be read or written is a failure of the call."""
    try:
        return ask()
    except Refused as refused:
        raise Refusal("io-error", f"{refused.code}: {refused.message}", kind=refused.code) from refused
