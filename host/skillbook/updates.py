"""A batch of operations on a book, as a model gives it: a closed set of four, checked as it is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from host.core.text import quoted
from host.skillbook.formats.fields import (
    Unreadable,
    filled_field,
    list_field,
    named,
    object_of,
    text_field,
)
from host.skillbook.formats.sources import read_source, written_source
from host.skillbook.model import Delta, Occurrence

_DELTAS: Final[Mapping[int, Delta]] = {1: 1, 0: 0, -1: -1}


@dataclass(frozen=True, kw_only=True)
class Add:
    """A new skill. Without an id it is given one."""

    type: Literal["ADD"] = "ADD"
    section: str
    issue: str
    keywords: tuple[str, ...] = ()
    insight: str | None = None
    skill_id: str | None = None
    insight_source: tuple[Occurrence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Update:
    """What a skill says from now on; `None` leaves it as it is."""

    type: Literal["UPDATE"] = "UPDATE"
    skill_id: str
    issue: str | None = None
    keywords: tuple[str, ...] | None = None
    insight: str | None = None
    insight_source: tuple[Occurrence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Tag:
    """That a skill was helpful (1), neutral (0) or harmful (-1)."""

    type: Literal["TAG"] = "TAG"
    skill_id: str
    delta: Delta
    insight_source: tuple[Occurrence, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Remove:
    """That a skill is retired, and why."""

    type: Literal["REMOVE"] = "REMOVE"
    skill_id: str
    reason: str | None = None
    insight_source: tuple[Occurrence, ...] = ()

    @property
    def as_source(self) -> Occurrence | None:
        """Its reason as the source that justifies it, where it names no other."""
        if self.reason is None:
            return None
        return Occurrence(
            trace_uid="gg:update",
            source_system="gg",
            trace_id="update",
            operation_type=self.type,
            learning_text=self.reason,
        )


UpdateOperation = Add | Update | Tag | Remove


@dataclass(frozen=True, kw_only=True)
class UpdateBatch:
    """Operations in their order, and why."""

    reasoning: str = ""
    operations: tuple[UpdateOperation, ...] = ()

    @classmethod
    def from_json(cls, payload: object) -> "UpdateBatch":
        """The batch of an object. Raises `ValueError`, naming the operation that is none."""
        raw = object_of(payload, "the batch")
        operations = []
        for number, each in enumerate(list_field(raw, "operations")):
            try:
                operations.append(operation_from_json(each))
            except Unreadable as unreadable:
                raise ValueError(f"operations[{number}]: {unreadable}") from unreadable
        return cls(reasoning=text_field(raw, "reasoning", "") or "", operations=tuple(operations))

    def to_json(self) -> dict[str, Any]:
        return {
            "reasoning": self.reasoning,
            "operations": [operation_to_json(each) for each in self.operations],
        }


def operation_from_json(payload: object) -> UpdateOperation:
    """The operation of an object. Raises `ValueError` for what is none."""
    raw = object_of(payload, "it")
    sources = _sources(raw.get("insight_source"))
    match text_field(raw, "type", "") or "":
        case "ADD":
            return Add(
                section=filled_field(raw, "section"),
                issue=filled_field(raw, "issue"),
                keywords=_keywords(raw) or (),
                insight=text_field(raw, "insight"),
                skill_id=text_field(raw, "skill_id"),
                insight_source=sources,
            )
        case "UPDATE":
            return Update(
                skill_id=filled_field(raw, "skill_id"),
                issue=text_field(raw, "issue"),
                keywords=_keywords(raw) or None,
                insight=text_field(raw, "insight"),
                insight_source=sources,
            )
        case "TAG":
            delta = _delta(object_of(raw.get("metadata", {}), "its metadata"))
            return Tag(skill_id=filled_field(raw, "skill_id"), delta=delta, insight_source=sources)
        case "REMOVE":
            return Remove(
                skill_id=filled_field(raw, "skill_id"),
                reason=text_field(raw, "reason"),
                insight_source=sources,
            )
        case other:
            raise Unreadable(f"its type is {quoted(other)}, none of ADD, UPDATE, TAG and REMOVE")


def operation_to_json(operation: UpdateOperation) -> dict[str, Any]:
    """The operation as `operation_from_json` reads it; what it does not say is left out."""
    told = {name: value for name, value in vars(operation).items() if value not in (None, ())}
    if isinstance(operation, Tag):
        del told["delta"]
        told["metadata"] = {"delta": operation.delta}
    if "keywords" in told:
        told["keywords"] = list(told["keywords"])
    if "insight_source" in told:
        told["insight_source"] = [written_source(source) for source in operation.insight_source]
    return told


def _keywords(raw: Mapping[str, Any]) -> tuple[str, ...]:
    keywords = list_field(raw, "keywords")
    if not all(isinstance(keyword, str) for keyword in keywords):
        raise Unreadable(f"its keywords are {named(keywords)}, not all of them texts")
    return tuple(keywords)


def _delta(metadata: Mapping[str, Any]) -> Delta:
    delta = metadata.get("delta")
    if isinstance(delta, bool) or not isinstance(delta, int) or delta not in _DELTAS:
        raise Unreadable(f"its metadata.delta is {named(delta)}, none of 1, 0 and -1")
    return _DELTAS[delta]


def _sources(value: object) -> tuple[Occurrence, ...]:
    if value is None:
        return ()
    return tuple(map(read_source, value if isinstance(value, list) else [value]))
