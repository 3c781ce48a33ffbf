"""The second format, which is the one that gg writes and ACE 0.13 loads.

What ACE has no field for stands under `gg`: notes on decisions, and skills as they stood in the first format.
"""

from collections.abc import Mapping
from typing import Any, Final

from host.core.text import quoted
from host.skillbook.contents import Contents, Problem, Rest, Unread
from host.skillbook.formats.decisions import key_of, read_decisions, written_decision, written_note
from host.skillbook.formats.fields import Unreadable, object_of, others
from host.skillbook.formats.listing import listed, next_id_of, ordered, read_each
from host.skillbook.formats.skill_v1 import read_skill as read_v1_skill
from host.skillbook.formats.skill_v1 import without_embedding
from host.skillbook.formats.skill_v2 import read_skill, written_skill

SCHEMA_VERSION: Final = "2"
TOP: Final = ("schema_version", "skills", "sections", "next_id", "similarity_decisions", "gg")
_GG: Final = ("decisions", "v1", "v1_top")


def read_v2(payload: Mapping[str, Any]) -> Contents:
    """The contents. What cannot be read is told, and kept as it stood. Raises `Unreadable` for no book."""
    gg = object_of(payload.get("gg", {}), "its gg")
    notes = object_of(gg.get("decisions", {}), "its gg.decisions")
    raw_skills = object_of(payload.get("skills", {}), "its list of skills")
    skills, unread, problems = read_each(raw_skills, read_skill)
    v1 = object_of(gg.get("v1", {}), "its gg.v1")
    v1_unread = _unread_v1(v1, problems)
    raw_decisions = object_of(payload.get("similarity_decisions", {}), "its similarity_decisions")
    decided = read_decisions(raw_decisions, notes, skills, {*raw_skills, *v1_unread})
    known_gg = {"decisions": dict(decided.other_notes)} if decided.other_notes else {}
    return Contents(
        skills=tuple(skills.values()),
        decisions=decided.decisions,
        rest=Rest(
            next_id=next_id_of(payload, raw_skills),
            order=tuple(raw_skills),
            sections=object_of(payload.get("sections", {}), "its sections"),
            v1={id_: value for id_, value in v1.items() if id_ in raw_skills and id_ not in v1_unread},
            v1_top=object_of(gg.get("v1_top", {}), "its gg.v1_top"),
            gg=others(gg, *_GG) | known_gg,
            extra=others(payload, *TOP),
            unread=Unread(skills=unread, v1=v1_unread, decisions=decided.unread),
            problems=(*problems, *decided.problems),
            has_stamped=decided.has_stamped,
        ),
    )


def write_v2(contents: Contents) -> dict[str, Any]:
    """The contents as JSON values."""
    rest = contents.rest
    skills = {skill.id: written_skill(skill) for skill in contents.skills} | dict(rest.unread.skills)
    by_section = {skill.id: skill.section for skill in contents.skills}
    # ACE passes over what is no object, and would look in vain for one that is listed.
    known = {id_ for id_, value in skills.items() if isinstance(value, dict)}
    gg = _written_gg(contents, skills)
    decisions = {key_of(pair): written_decision(each) for pair, each in contents.decisions.items()}
    return {
        "schema_version": SCHEMA_VERSION,
        "skills": ordered(skills, rest.order),
        "sections": listed(rest.sections, by_section, known),
        "next_id": rest.next_id,
        "similarity_decisions": decisions | {key: value for key, (value, _) in rest.unread.decisions.items()},
        **({"gg": gg} if gg else {}),
        **others(rest.extra, *TOP),
    }


def _unread_v1(originals: Mapping[str, Any], problems: list[Problem]) -> dict[str, Any]:
    """Those of the first format that are no skills. The others are read for that alone."""
    unread: dict[str, Any] = {}
    for id_, value in originals.items():
        try:
            read_v1_skill(id_, value)
        except Unreadable as unreadable:
            unread[id_] = value
            problems.append(Problem(f"skill {quoted(id_)}", str(unreadable)))
    return unread


def _written_gg(contents: Contents, skills: Mapping[str, Any]) -> dict[str, Any]:
    rest = contents.rest
    notes = dict(rest.gg.get("decisions", {}))
    notes |= {key_of(pair): note for pair, each in contents.decisions.items() if (note := written_note(each))}
    notes |= {key: note for key, (_, note) in rest.unread.decisions.items() if note is not None}
    v1 = {id_: without_embedding(raw) for id_, raw in rest.v1.items() if id_ in skills}
    told = {"decisions": notes, "v1": v1 | dict(rest.unread.v1), "v1_top": dict(rest.v1_top)}
    return {name: value for name, value in told.items() if value} | others(rest.gg, *_GG)
