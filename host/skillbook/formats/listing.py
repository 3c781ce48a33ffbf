"""What a file holds around its skills: their order, the ids of each section, the last number; and which of
them can be read.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

from host.core.text import quoted
from host.skillbook.contents import Problem
from host.skillbook.formats.fields import Unreadable, named
from host.skillbook.model import Skill


def read_each(
    raw_skills: Mapping[str, Any], read: Callable[[str, object], Skill]
) -> tuple[dict[str, Skill], dict[str, Any], list[Problem]]:
    """The skills that can be read, those that cannot as they stood, and why."""
    skills: dict[str, Skill] = {}
    unread: dict[str, Any] = {}
    problems: list[Problem] = []
    for id_, value in raw_skills.items():
        try:
            skills[id_] = read(id_, value)
        except Unreadable as unreadable:
            unread[id_] = value
            problems.append(Problem(f"skill {quoted(id_)}", str(unreadable)))
    return skills, unread, problems


def ordered(skills: Mapping[str, Any], order: Iterable[str]) -> dict[str, Any]:
    """The skills in the order that the file had, new ones after those."""
    first = {id_: skills[id_] for id_ in order if id_ in skills}
    return first | {id_: value for id_, value in skills.items() if id_ not in first}


def listed(
    sections: Mapping[str, Any], by_section: Mapping[str, str], known: Container[str]
) -> dict[str, Any]:
    """Ids by section as the file had them, without those that are gone and with the new ones at the end.
    What is no list stays as it is.
    """
    result = {
        name: [id_ for id_ in ids if isinstance(id_, str) and id_ in known] if isinstance(ids, list) else ids
        for name, ids in sections.items()
    }
    there = {id_ for ids in result.values() if isinstance(ids, list) for id_ in ids}
    for id_, name in by_section.items():
        if id_ not in there and isinstance(result.setdefault(name, []), list):
            result[name].append(id_)
    return result


def next_id_of(payload: Mapping[str, Any], ids: Iterable[str]) -> int:
    """The last number that an id was made of, from the ids themselves where the file does not say it."""
    value = payload.get("next_id")
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    if value is None:
        return max((_number(id_) for id_ in ids), default=0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise Unreadable(f"its next_id is {named(value)}, not a number from 0 on")
    return value


def _number(id_: str) -> int:
    digits = id_.rpartition("-")[2]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
