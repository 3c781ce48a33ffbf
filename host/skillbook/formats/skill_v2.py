"""A skill in the second format."""

from dataclasses import fields
from typing import Any, Final, get_args

from host.core.text import quoted
from host.skillbook.formats.fields import (
    Unreadable,
    count_field,
    filled_field,
    flag_field,
    list_field,
    named,
    object_of,
    one_of,
    others,
    text_field,
)
from host.skillbook.formats.sources import read_source, written_source
from host.skillbook.model import COUNTERS, SECTIONS, EvidenceIs, Review, Section, Skill
from host.skillbook.normal import keywords_of, text_of, united

REVIEW: Final = "gg_review"
EMBEDDING: Final = "embedding"
FIELDS: Final = frozenset({f.name for f in fields(Skill)} - {"extra", "review"} | {REVIEW, EMBEDDING})
"""The names that a skill of this format has a use for. An embedding is left out: it never enters a book."""


def read_skill(id_: str, value: object) -> Skill:
    """The skill under an id. Raises `Unreadable`."""
    raw = object_of(value, "it")
    if raw.get("id", id_) != id_:
        raise Unreadable(f"its id is {named(raw['id'])}, not {quoted(id_)}, which it stands under")
    keywords = list_field(raw, "keywords")
    if not all(isinstance(keyword, str) for keyword in keywords):
        raise Unreadable(f"its keywords are {named(keywords)}, not all of them texts")
    section, more = _section(text_field(raw, "section", "context") or "")
    return Skill(
        id=id_,
        section=section,
        issue=filled_field(raw, "issue").strip(),
        insight=text_of(text_field(raw, "insight")),
        keywords=keywords_of([*more, *keywords]) or (section,),
        occurrences=united((), map(read_source, list_field(raw, "occurrences"))),
        active=flag_field(raw, "active", default=True),
        **{name: count_field(raw, name) for name in COUNTERS},
        created_at=text_field(raw, "created_at", "") or "",
        updated_at=text_field(raw, "updated_at", "") or "",
        scope=text_field(raw, "scope"),
        merged_into=text_field(raw, "merged_into"),
        evidence_is=_evidence(one_of(raw, "evidence_is", get_args(EvidenceIs))),
        review=_review(one_of(raw, REVIEW, get_args(Review))),
        extra=others(raw, *FIELDS),
    )


def written_skill(skill: Skill) -> dict[str, Any]:
    """The skill as a JSON object."""
    own = {
        "created_at": skill.created_at or None,
        "updated_at": skill.updated_at or None,
        "scope": skill.scope,
        "merged_into": skill.merged_into,
        "evidence_is": skill.evidence_is,
        REVIEW: skill.review,
    }
    return {
        "id": skill.id,
        "section": skill.section,
        "keywords": list(skill.keywords),
        "issue": skill.issue,
        "insight": skill.insight,
        "occurrences": [written_source(source) for source in skill.occurrences],
        "active": skill.active,
        **skill.counters,
        **{name: value for name, value in own.items() if value is not None},
        **others(skill.extra, *FIELDS),
    }


def _section(written: str) -> tuple[Section, tuple[str, ...]]:
    """The section, and the keyword that an older, free one becomes."""
    name = written.strip().lower()
    if name == "harness":
        return "harness", ()
    return "context", () if name in SECTIONS else (name,)


def _evidence(word: str | None) -> EvidenceIs | None:
    return "host" if word == "host" else "untrusted" if word == "untrusted" else None


def _review(word: str | None) -> Review | None:
    return "pending" if word == "pending" else "rejected" if word == "rejected" else None
