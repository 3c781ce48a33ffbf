"""The skills family: notes with code that people have written for agents."""

from typing import Final

from pydantic import Field

from host.context import skill_view
from host.core.errors import Refusal
from host.core.module_keys import Carrier
from host.core.text import escape_line, shortened
from host.events import SkillRead, SkillText
from host.operations.families.opened_views import open_view
from host.operations.model import Arguments, Family, Native, Operation
from host.operations.services import Caller, CodeHalves
from host.skills import AgentSkills, Skill

_RECORDED_CHARS: Final = 64


class ReadSkillArguments(Arguments):
    name: str = Field(description="The skill's name, as the prompt lists it.")


def _read_skill(caller: Caller, arguments: ReadSkillArguments) -> str:
    """The prose. Where programs run, it is pinned in the window, and the code is loaded and used."""
    skills = _skills_of(caller)
    try:
        skill = skills.find(arguments.name)
    except Refusal:
        asked = escape_line(shortened(arguments.name.strip(), _RECORDED_CHARS))
        caller.emit(SkillRead(name=asked, hit=False, turn=caller.turn))
        raise
    is_loaded = False
    if caller.code is not None:
        is_loaded = _load(caller.code, skill)
        open_view(caller, skill_view(skill.name, skill.body))
    _report(caller, skill, is_first=skills.note_read(skill), is_loaded=is_loaded)
    return skill.body


def _load(code: CodeHalves, skill: Skill) -> bool:
    """Compiles both halves and loads what does; whether there is a module now."""
    code.refuse_over_use_limit(skill.on_use)
    carrier = Carrier("skill", skill.name)
    prepared = code.prepare(carrier, skill.code, skill.on_use)
    code.load(prepared)
    code.tell_problems(prepared)
    return code.is_loaded(carrier)


def _report(caller: Caller, skill: Skill, *, is_first: bool, is_loaded: bool) -> None:
    whole = SkillText(description=skill.description, body=skill.body, code=skill.code, on_use=skill.on_use)
    caller.emit(
        SkillRead(
            name=skill.name, hit=True, loaded=is_loaded, skill=whole if is_first else None, turn=caller.turn
        )
    )


def _skills_of(caller: Caller) -> AgentSkills:
    if caller.skills is None:
        raise Refusal("unavailable", "This agent has no skills.", kind="no_skills")
    return caller.skills


FAMILY = Family(
    "skills",
    "Gives you notes that were written for work like yours, with code that programs import.",
    (
        Operation(
            id="skills.read_skill",
            summary=(
                "Gives the prose of a skill, which stays in your window from the next message on. Its module"
                " can be imported from the next program on."
            ),
            arguments=ReadSkillArguments,
            run=_read_skill,
            result=str,
            capability="skills",
            failures=(
                ("not-found", "there is no such skill; the message names those that there are"),
                ("limit-exceeded", "32 uses with an onUse were made in this turn"),
            ),
            example='skills.readSkill("csv-tools");',
            native=Native(
                "read_skill",
                summary="Gives the prose of a skill. A compaction keeps it in the window.",
                failures=(("not-found", "there is no such skill; the message names those that there are"),),
                is_capped=False,
            ),
        ),
    ),
)
