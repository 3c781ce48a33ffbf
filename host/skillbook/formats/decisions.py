"""Decisions by pairs of ids.

ACE loads a decision of exactly four fields, so gg's own stand apart, in a note under the same pair.
"""

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from host.core.text import quoted
from host.skillbook.contents import Problem
from host.skillbook.embedding_text import text_hash
from host.skillbook.formats.fields import Unreadable, named, object_of, others, text_field
from host.skillbook.model import Pair, SimilarityDecision, Skill

SCALE: Final = 10_000
_MEASURED: Final = "similarity_at_decision"
_FOUR: Final = ("decision", "reasoning", "decided_at", _MEASURED)
_FIELDS: Final = "fields"
_NOTED: Final = ("measure", "hashes", _FIELDS)


@dataclass(frozen=True, kw_only=True)
class ReadDecisions:
    """Decisions, those that could not be read with their notes, and the notes of none."""

    decisions: Mapping[Pair, SimilarityDecision]
    unread: Mapping[str, tuple[Any, Any]]
    other_notes: Mapping[str, Any]
    problems: tuple[Problem, ...]
    has_stamped: bool


def read_decisions(
    raw: Mapping[str, Any], notes: Mapping[str, Any], skills: Mapping[str, Skill], known: Container[str]
) -> ReadDecisions:
    """Decisions under their keys. One without hashes is taken as made about the texts as they are now."""
    decisions: dict[Pair, SimilarityDecision] = {}
    unread: dict[str, tuple[Any, Any]] = {}
    problems: list[Problem] = []
    has_stamped = False
    for key, value in raw.items():
        try:
            pair = pair_of(key, known)
            decision = _read(value, notes.get(key))
        except Unreadable as unreadable:
            unread[key] = (value, notes.get(key))
            problems.append(Problem(f"decision {quoted(key)}", str(unreadable)))
            continue
        if not decision.hashes:
            hashes = hashes_of(pair, skills)
            has_stamped = has_stamped or bool(hashes)
            decision = replace(decision, hashes=hashes)
        decisions[pair] = decision
    return ReadDecisions(
        decisions=decisions,
        unread=unread,
        other_notes=others(notes, *raw),
        problems=tuple(problems),
        has_stamped=has_stamped,
    )


def hashes_of(pair: Pair, skills: Mapping[str, Skill]) -> dict[str, str]:
    """The hashes of the texts of a pair as they are now, none where a skill is not there."""
    if not all(id_ in skills for id_ in pair):
        return {}
    return {id_: text_hash(skills[id_]) for id_ in sorted(pair)}


def key_of(pair: Pair) -> str:
    """The two ids, sorted and joined by a comma."""
    return ",".join(sorted(pair))


def pair_of(key: str, known: Container[str]) -> Pair:
    """The two ids of a key. Where an id holds a comma itself, those that are known.

    Raises `Unreadable` where it is no pair, or could be several.
    """
    parts = key.split(",")
    cuts = [(",".join(parts[:at]), ",".join(parts[at:])) for at in range(1, len(parts))]
    found = {frozenset(cut) for cut in cuts if cut[0] in known and cut[1] in known and cut[0] != cut[1]}
    if len(found) > 1:
        raise Unreadable("it could be several pairs of ids, as ids of the book hold commas")
    if found:
        return found.pop()
    if len(parts) == 2 and parts[0] != parts[1] and all(parts):
        return frozenset(parts)
    raise Unreadable("it is no pair of ids")


def written_decision(decision: SimilarityDecision) -> dict[str, Any]:
    """ACE's four fields."""
    similarity = decision.similarity or 0
    exact = decision.extra.get(_MEASURED)
    return {
        "decision": decision.decision,
        "reasoning": decision.reasoning,
        "decided_at": decision.decided_at,
        _MEASURED: exact if exact is not None and _scaled(exact) == similarity else similarity / SCALE,
    }


def anew(decision: SimilarityDecision, before: SimilarityDecision | None) -> SimilarityDecision:
    """A decision in place of one about the same pair, with the fields that others gave to that."""
    if before is None:
        return decision
    return replace(decision, extra=other_fields(before), noted_extra=before.noted_extra)


def other_fields(decision: SimilarityDecision) -> dict[str, Any]:
    """The fields of a decision that are not ACE's."""
    return others(decision.extra, *_FOUR)


def written_note(decision: SimilarityDecision) -> dict[str, Any]:
    """What stands apart from the four fields."""
    told = {
        "measure": None if decision.similarity is None else decision.measure,
        "hashes": dict(decision.hashes),
        _FIELDS: other_fields(decision),
    }
    return {name: value for name, value in told.items() if value} | others(decision.noted_extra, *_NOTED)


def _read(value: object, note: object) -> SimilarityDecision:
    raw = object_of(value, "it")
    noted = object_of({} if note is None else note, "its note")
    hashes = object_of(noted.get("hashes", {}), "its hashes")
    if raw.get("decision") != "KEEP":
        raise Unreadable(f"its decision is {named(raw.get('decision'))}, not KEEP")
    if not all(isinstance(each, str) for each in hashes.values()):
        raise Unreadable(f"its hashes are {named(hashes)}, not all of them texts")
    measure = text_field(noted, "measure")
    measured = raw.get(_MEASURED, 0.0)
    similarity = _scaled(measured)
    exact = {_MEASURED: measured} if similarity / SCALE != measured else {}
    return SimilarityDecision(
        reasoning=text_field(raw, "reasoning", "") or "",
        decided_at=text_field(raw, "decided_at", "") or "",
        similarity=None if similarity == 0 and measure is None else similarity,
        measure=measure,
        hashes=hashes,
        extra=object_of(noted.get(_FIELDS, {}), "its other fields") | others(raw, *_FOUR) | exact,
        noted_extra=others(noted, *_NOTED),
    )


def _scaled(measured: object) -> int:
    """A similarity in ten-thousandths. A cosine may be a hair outside 0 to 1."""
    if not isinstance(measured, int | float) or isinstance(measured, bool) or not math.isfinite(measured):
        raise Unreadable(f"its {_MEASURED} is {named(measured)}, not a number")
    return min(max(round(measured * SCALE), 0), SCALE)
