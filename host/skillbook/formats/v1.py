"""The first format, and the one of bullets before it, which differs in one name.

What has no place in it stands under `gg`: notes on decisions, and skills of gg's own that say more than it
can.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from host.core.text import quoted
from host.skillbook.contents import Contents, Problem, Rest, Unread
from host.skillbook.formats.decisions import (
    hashes_of,
    key_of,
    other_fields,
    read_decisions,
    written_decision,
    written_note,
)
from host.skillbook.formats.fields import Unreadable, object_of, others
from host.skillbook.formats.listing import listed, next_id_of, ordered, read_each
from host.skillbook.formats.skill_v1 import read_again, read_skill, written_skill
from host.skillbook.formats.skill_v2 import read_skill as read_v2_skill
from host.skillbook.formats.skill_v2 import written_skill as written_v2_skill
from host.skillbook.model import SECTIONS, Skill

Key = Literal["skills", "bullets"]
_TOP: Final = ("schema_version", "sections", "next_id", "similarity_decisions", "gg")
_GG: Final = ("decisions", "v2", "v2_sections", "v2_unread")


def read_v1(payload: Mapping[str, Any], key: Key) -> Contents:
    """The contents. What cannot be read is told, and kept as it stood. Raises `Unreadable` for no book."""
    gg = object_of(payload.get("gg", {}), "its gg")
    notes = object_of(gg.get("decisions", {}), "its gg.decisions")
    ours = object_of(gg.get("v2", {}), "its gg.v2")
    raw_skills = object_of(payload[key], f"its list of {key}")
    skills, unread, problems = read_each(raw_skills, read_skill)
    used = _read_ours(skills, raw_skills, ours, problems)
    v2_unread = others(object_of(gg.get("v2_unread", {}), "its gg.v2_unread"), *raw_skills)
    problems += [
        Problem(f"skill {quoted(id_)}", "it was not read from the second format") for id_ in v2_unread
    ]
    raw_decisions = object_of(payload.get("similarity_decisions", {}), "its similarity_decisions")
    decided = read_decisions(raw_decisions, notes, skills, {*raw_skills, *v2_unread})
    known_gg = {"decisions": decided.other_notes, "v2": others(ours, *used)}
    return Contents(
        skills=tuple(skills.values()),
        decisions=decided.decisions,
        rest=Rest(
            next_id=next_id_of(payload, raw_skills),
            order=tuple(raw_skills),
            sections=object_of(gg.get("v2_sections", {}), "its gg.v2_sections"),
            v1={
                id_: raw_skills[id_]
                for id_, skill in skills.items()
                if id_ not in used or raw_skills[id_] != written_skill(skill)
            },
            v1_top=_top(payload, raw_skills),
            gg=others(gg, *_GG) | {name: value for name, value in known_gg.items() if value},
            extra=others(payload, key, *_TOP),
            unread=Unread(skills=v2_unread, v1=unread, decisions=decided.unread),
            problems=(*problems, *decided.problems),
            has_stamped=decided.has_stamped,
        ),
    )


def write_v1(contents: Contents, key: Key) -> dict[str, Any]:
    """The contents as JSON values."""
    rest = contents.rest
    skills = {skill.id: written_skill(skill, rest.v1.get(skill.id)) for skill in contents.skills}
    more = {
        skill.id: written_v2_skill(skill)
        for skill in contents.skills
        if read_skill(skill.id, skills[skill.id]) != skill
    }
    all_skills = dict(rest.unread.v1) | skills
    gg = _written_gg(contents, more)
    return {
        **others(rest.extra, key, *_TOP),
        **others(rest.v1_top, "sections"),
        key: ordered(all_skills, rest.order),
        "sections": listed(rest.v1_top.get("sections", {}), _by_section(all_skills), all_skills),
        "next_id": rest.next_id,
        "similarity_decisions": {
            key_of(pair): written_decision(each) | other_fields(each)
            for pair, each in contents.decisions.items()
        }
        | {key: value for key, (value, _) in rest.unread.decisions.items()},
        **({"gg": gg} if gg else {}),
    }


def _written_gg(contents: Contents, more: Mapping[str, Any]) -> dict[str, Any]:
    rest = contents.rest
    by_id = {skill.id: skill for skill in contents.skills}
    notes = dict(rest.gg.get("decisions", {}))
    for pair, decision in contents.decisions.items():
        note = written_note(replace(decision, extra={}))
        if note and note != {"hashes": hashes_of(pair, by_id)}:  # which it is read with anyway
            notes[key_of(pair)] = note
    notes |= {key: note for key, (_, note) in rest.unread.decisions.items() if note is not None}
    told = {
        "decisions": notes,
        "v2": rest.gg.get("v2", {}) | more,
        "v2_sections": others(rest.sections, *SECTIONS),
        "v2_unread": dict(rest.unread.skills),
    }
    return {name: value for name, value in told.items() if value} | others(rest.gg, *_GG)


def _read_ours(
    skills: dict[str, Skill], raw: Mapping[str, Any], ours: Mapping[str, Any], problems: list[Problem]
) -> list[str]:
    """Puts in what the second format said of skills; gives the ids of those of which it could be read."""
    used = []
    for id_ in ours.keys() & skills.keys():
        try:
            skills[id_] = read_again(id_, raw[id_], read_v2_skill(id_, ours[id_]))
            used.append(id_)
        except Unreadable as unreadable:
            problems.append(Problem(f"gg.v2 {quoted(id_)}", str(unreadable)))
    return used


def _top(payload: Mapping[str, Any], skills: Mapping[str, Any]) -> dict[str, Any]:
    """What stands at the top for which the second format has no place."""
    top = {name: payload[name] for name in ("schema_version",) if name in payload}
    sections = object_of(payload.get("sections", {}), "its sections")
    if sections != listed({}, _by_section(skills), skills):
        top["sections"] = sections
    return top


def _by_section(skills: Mapping[str, Any]) -> dict[str, str]:
    return {
        id_: raw["section"]
        for id_, raw in skills.items()
        if isinstance(raw, dict) and isinstance(raw.get("section"), str)
    }
