"""The second format of ACE's skillbooks, which is the one that gg writes.

A decision has ACE's four fields alone, so that ACE loads it; gg's own stand under `gg`, by the same pair.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from host.core.clock import Clock
from host.core.text import quoted
from host.skillbook.model import (
    COUNTERS,
    SECTIONS,
    Occurrence,
    Pair,
    SimilarityDecision,
    Skill,
)
from host.skillbook.skillbook import Skillbook, keywords_of, united

SCHEMA_VERSION: Final = "2"
SCALE: Final = 10_000
_TOP: Final = ("schema_version", "skills", "sections", "next_id", "similarity_decisions", "gg")
_REVIEW: Final = "gg_review"
_SKILL_KEYS: Final = frozenset({f.name for f in fields(Skill)} - {"extra", "review"} | {_REVIEW})
_SOURCE_KEYS: Final = tuple(f.name for f in fields(Occurrence) if f.name != "extra")
_DECISION_KEYS: Final = ("decision", "reasoning", "decided_at", "similarity_at_decision")


@dataclass(frozen=True)
class Problem:
    """What of a file could not be read, and why."""

    place: str
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {self.why}"


class _Unreadable(Exception):
    """Why a part of a book is not read."""


def read_v2(payload: Mapping[str, Any], *, clock: Clock | None = None) -> tuple[Skillbook, list[Problem]]:
    """The book, and what of it could not be read, which is kept as it stood."""
    problems: list[Problem] = []
    skills: list[Skill] = []
    unread: dict[str, Any] = {}
    for id_, value in _object(payload.get("skills", {}), "skills").items():
        try:
            skills.append(_skill(id_, value))
        except _Unreadable as unreadable:
            unread[id_] = value
            problems.append(Problem(f"skill {quoted(id_)}", str(unreadable)))
    known = {skill.id for skill in skills} | unread.keys()
    own = payload.get("gg")
    own = dict(own) if isinstance(own, dict) else {}
    decisions: dict[Pair, SimilarityDecision] = {}
    lost: dict[str, Any] = {}
    noted = own.pop("decisions", {})
    for key, value in _object(payload.get("similarity_decisions", {}), "similarity_decisions").items():
        try:
            pair = pair_of(key, known)
            decisions[pair] = _decision(value, noted.get(key, {}) if isinstance(noted, dict) else {})
        except _Unreadable as unreadable:
            lost[key] = value
            problems.append(Problem(f"decision {quoted(key)}", str(unreadable)))
    extra = {key: value for key, value in payload.items() if key not in _TOP}
    if own:
        extra["gg"] = own
    if lost:
        extra["similarity_decisions"] = lost
    next_id = payload.get("next_id", 0)
    book = Skillbook(
        skills,
        decisions=decisions,
        next_id=next_id if isinstance(next_id, int) and not isinstance(next_id, bool) else 0,
        unread=unread,
        extra=extra,
        clock=clock,
    )
    return book, problems


def write_v2(book: Skillbook) -> dict[str, Any]:
    """The book as JSON values."""
    skills = {skill.id: _written_skill(skill) for skill in book.skills(include_invalid=True)}
    extra = dict(book.extra)
    lost = extra.pop("similarity_decisions", {})
    own = dict(extra.pop("gg", {}))
    decisions = {",".join(sorted(pair)): decision for pair, decision in book.decisions.items()}
    noted = {key: value for key, each in decisions.items() if (value := _noted(each))}
    if noted:
        own["decisions"] = noted
    sections: dict[str, list[str]] = {}
    for skill in book.skills(include_invalid=True):
        sections.setdefault(skill.section, []).append(skill.id)
    return {
        "schema_version": SCHEMA_VERSION,
        "skills": skills | book.unread,
        "sections": sections,
        "next_id": book.next_id,
        "similarity_decisions": {key: _written_decision(each) for key, each in decisions.items()} | lost,
        **({"gg": own} if own else {}),
        **extra,
    }


def pair_of(key: str, known: set[str]) -> Pair:
    """The two ids that a key joins by a comma; where ids hold commas themselves, those that are known."""
    parts = key.split(",")
    cuts = [(",".join(parts[:at]), ",".join(parts[at:])) for at in range(1, len(parts))]
    matching = [cut for cut in cuts if cut[0] in known and cut[1] in known]
    if len(matching) == 1:
        return frozenset(matching[0])
    if len(parts) == 2 and parts[0] != parts[1]:
        return frozenset(parts)
    raise _Unreadable("it is no pair of ids")


def _skill(id_: str, value: object) -> Skill:
    raw = _object(value, "a skill")
    insight = raw.get("insight")
    keywords = raw.get("keywords", [])
    if not isinstance(raw.get("issue"), str) or not raw["issue"].strip():
        raise _Unreadable(f"its issue is {_named(raw.get('issue'))}, not a text")
    if insight is not None and not isinstance(insight, str):
        raise _Unreadable(f"its insight is {_named(insight)}, not a text")
    if not isinstance(keywords, list) or not all(isinstance(each, str) for each in keywords):
        raise _Unreadable("its keywords are no list of texts")
    section = raw.get("section", "context")
    if section not in SECTIONS:
        raise _Unreadable(f"its section is {_named(section)}, none of context and harness")
    occurrences = raw.get("occurrences", [])
    if not isinstance(occurrences, list):
        raise _Unreadable("its occurrences are no list")
    for name in COUNTERS:
        if not isinstance(raw.get(name, 0), int) or isinstance(raw.get(name), bool):
            raise _Unreadable(f"its {name} is {_named(raw.get(name))}, not a number")
    return Skill(
        id=id_,
        section="harness" if section == "harness" else "context",
        issue=raw["issue"],
        insight=insight,
        keywords=keywords_of(keywords),
        occurrences=united((), map(read_occurrence, occurrences)),
        active=bool(raw.get("active", True)),
        **{name: raw.get(name, 0) for name in COUNTERS},
        created_at=str(raw.get("created_at", "")),
        updated_at=str(raw.get("updated_at", "")),
        scope=_optional(raw, "scope"),
        merged_into=_optional(raw, "merged_into"),
        evidence_is=raw["evidence_is"] if raw.get("evidence_is") in ("host", "untrusted") else None,
        review="pending" if raw.get(_REVIEW) == "pending" else None,
        extra={key: each for key, each in raw.items() if key not in _SKILL_KEYS},
    )


def read_occurrence(value: object) -> Occurrence:
    """A source. Raises `_Unreadable` for what is none."""
    raw = _object(value, "an occurrence")
    known = {name: raw[name] for name in _SOURCE_KEYS if raw.get(name) is not None}
    uid = str(known.get("trace_uid") or "")
    system, _, trace = uid.partition(":")
    known["source_system"] = str(known.get("source_system") or (system if trace else "legacy"))
    known["trace_id"] = str(known.get("trace_id") or trace or raw.get("id") or "unknown")
    known["trace_uid"] = uid or f"{known['source_system']}:{known['trace_id']}"
    return Occurrence(**known, extra={key: each for key, each in raw.items() if key not in _SOURCE_KEYS})


def written_occurrence(source: Occurrence) -> dict[str, Any]:
    told = {name: getattr(source, name) for name in _SOURCE_KEYS}
    return {name: value for name, value in told.items() if value is not None} | dict(source.extra)


def _written_skill(skill: Skill) -> dict[str, Any]:
    own = {
        "scope": skill.scope,
        "merged_into": skill.merged_into,
        "evidence_is": skill.evidence_is,
        _REVIEW: skill.review,
    }
    return {
        "id": skill.id,
        "section": skill.section,
        "keywords": list(skill.keywords),
        "issue": skill.issue,
        "insight": skill.insight,
        "occurrences": [written_occurrence(source) for source in skill.occurrences],
        "active": skill.active,
        **skill.counters,
        "created_at": skill.created_at,
        "updated_at": skill.updated_at,
        **{name: value for name, value in own.items() if value is not None},
        **skill.extra,
    }


def _decision(value: object, noted: object) -> SimilarityDecision:
    raw = _object(value, "a decision")
    if raw.get("decision") != "KEEP":
        raise _Unreadable(f"its decision is {_named(raw.get('decision'))}, not KEEP")
    measured = raw.get("similarity_at_decision", 0.0)
    if not isinstance(measured, int | float) or isinstance(measured, bool):
        raise _Unreadable(f"its similarity_at_decision is {_named(measured)}, not a number")
    own = noted if isinstance(noted, dict) else {}
    hashes = own.get("hashes")
    return SimilarityDecision(
        reasoning=str(raw.get("reasoning", "")),
        decided_at=str(raw.get("decided_at", "")),
        similarity=round(measured * SCALE) or None,
        measure=own.get("measure") if isinstance(own.get("measure"), str) else None,
        hashes=dict(hashes) if isinstance(hashes, dict) else {},
        extra={key: each for key, each in raw.items() if key not in _DECISION_KEYS}
        | {key: each for key, each in own.items() if key not in ("hashes", "measure")},
    )


def _written_decision(decision: SimilarityDecision) -> dict[str, Any]:
    return {
        "decision": decision.decision,
        "reasoning": decision.reasoning,
        "decided_at": decision.decided_at,
        "similarity_at_decision": (decision.similarity or 0) / SCALE,
    }


def _noted(decision: SimilarityDecision) -> dict[str, Any]:
    told = {"measure": decision.measure, "hashes": dict(decision.hashes) or None, **decision.extra}
    return {key: value for key, value in told.items() if value is not None}


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Unreadable(f"{what} is {_named(value)}, not an object")
    return value


def _optional(raw: Mapping[str, Any], name: str) -> str | None:
    value = raw.get(name)
    return value if isinstance(value, str) else None


def _named(value: object) -> str:
    return "absent" if value is None else quoted(repr(value), max_chars=40)
