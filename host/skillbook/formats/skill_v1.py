"""A skill in the first format, and what of one format the other keeps.

Either format has fields that the other has no place for. A skill that came from the first keeps how it stood
there; it is written back field by field, each as it stood unless gg's skill has changed in it since.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from host.core.text import quoted
from host.skillbook.formats.fields import (
    Unreadable,
    count_field,
    filled_field,
    list_field,
    named,
    object_of,
    one_of,
    others,
    text_field,
)
from host.skillbook.formats.skill_v2 import EMBEDDING, FIELDS
from host.skillbook.formats.sources import read_source, written_source
from host.skillbook.model import Occurrence, Skill
from host.skillbook.normal import keywords_of, united

RELATION: Final = "v1"
_ARGUED: Final = ("justification", "evidence")
_V1_FIELDS: Final = (
    "id",
    "section",
    "content",
    *_ARGUED,
    "helpful",
    "harmful",
    "neutral",
    "created_at",
    "updated_at",
    EMBEDDING,
    "status",
    "sources",
)


def read_skill(id_: str, value: object) -> Skill:
    """The skill under an id. Its content is both what the situation is and what to do about it."""
    raw = object_of(value, "it")
    if raw.get("id", id_) != id_:
        raise Unreadable(f"its id is {named(raw['id'])}, not {quoted(id_)}, which it stands under")
    content = filled_field(raw, "content").strip()
    status = one_of(raw, "status", ("active", "invalid"))
    sources = [*map(_read_source, list_field(raw, "sources")), *_argued(id_, raw)]
    return Skill(
        id=id_,
        section="context",
        issue=content,
        insight=content,
        keywords=keywords_of([text_field(raw, "section", "") or ""]) or ("context",),
        occurrences=united((), sources),
        active=status != "invalid",
        helpful_count=count_field(raw, "helpful"),
        harmful_count=count_field(raw, "harmful"),
        neutral_count=count_field(raw, "neutral"),
        created_at=text_field(raw, "created_at", "") or "",
        updated_at=text_field(raw, "updated_at", "") or "",
        extra=others(raw, *_V1_FIELDS, *FIELDS),
    )


def written_skill(skill: Skill, before: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The skill as a JSON object; `before` is how it stood in this format."""
    if before is None:
        return _projected(skill)
    was, now = _projected(read_skill(skill.id, dict(before))), _projected(skill)
    written = dict(before)
    for name in {**was, **now}:
        if name not in now:
            written.pop(name, None)
        elif name not in was or was[name] != now[name]:
            written[name] = now[name]
    if written.get("content") != before.get("content"):
        return without_embedding(written)
    return written


def read_again(id_: str, value: object, before: Skill) -> Skill:
    """The skill of an object that gg wrote from `before`, with what others have changed in it since."""
    now, was = read_skill(id_, value), read_skill(id_, _projected(before))
    names = [f.name for f in fields(Skill)]
    changed = {name: new for name in names if (new := getattr(now, name)) != getattr(was, name)}
    return replace(before, **changed)


def without_embedding(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A skill of this format with no vector in it."""
    return dict(raw) if raw.get(EMBEDDING) is None else {**raw, EMBEDDING: None}


def _projected(skill: Skill) -> dict[str, Any]:
    """What this format says of a skill."""
    argued = {
        source.operation_type: source.learning_text for source in skill.occurrences if _is_argued(source)
    }
    is_said_twice = skill.insight is None or skill.insight == skill.issue
    return {
        "id": skill.id,
        "section": skill.section,
        "content": skill.issue if is_said_twice else f"{skill.issue}\n\n{skill.insight}",
        **{name: argued.get(name) for name in _ARGUED},
        "helpful": skill.helpful_count,
        "harmful": skill.harmful_count,
        "neutral": skill.neutral_count,
        "created_at": skill.created_at,
        "updated_at": skill.updated_at,
        EMBEDDING: None,
        "status": "active" if skill.is_served else "invalid",
        "sources": [written_source(source) for source in skill.occurrences if not _is_argued(source)],
        **others(skill.extra, *_V1_FIELDS, *FIELDS),
    }


def _argued(id_: str, raw: Mapping[str, Any]) -> list[Occurrence]:
    """Its justification and its evidence, each as a source."""
    return [
        Occurrence(
            trace_uid=f"{RELATION}:{id_}",
            source_system=RELATION,
            trace_id=id_,
            relation=RELATION,
            operation_type=name,
            learning_text=text,
        )
        for name in _ARGUED
        if (text := text_field(raw, name)) is not None and text.strip()
    ]


def _is_argued(source: Occurrence) -> bool:
    return source.relation == RELATION and source.operation_type in _ARGUED


def _read_source(value: object) -> Occurrence:
    """A source; a text is the name of a trace."""
    return read_source({"id": value} if isinstance(value, str) else value)
