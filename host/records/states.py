"""In which of the lists of an answer a row stands, as SQL over the table `records` under the name `r`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from host.core.moments import moment_text
from host.records.model import RecordKind

State = Literal["current", "stale", "superseded"]
STATES: Final[tuple[State, ...]] = ("current", "stale", "superseded")
STATE: Final = """CASE WHEN r.superseded_by IS NOT NULL THEN 'superseded'
 WHEN r.stale_after <= :now THEN 'stale' ELSE 'current' END"""
"""Superseded before stale: what stands in its place is the one to be judged by its age."""


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Which records a call is about: all of the conditions hold. An empty one holds for every record."""

    record_ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    kind: RecordKind | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.record_ids or self.tags or self.kind)

    def sql(self) -> tuple[str, dict[str, object]]:
        """A condition on `r`, and its parameters."""
        conditions: list[str] = []
        values: dict[str, object] = {}
        if self.record_ids:
            conditions.append(f"r.id IN ({_named('id', self.record_ids, values)})")
        for place, tag in enumerate(self.tags):
            values[f"tag{place}"] = tag
            conditions.append(f"r.seq IN (SELECT seq FROM record_tags WHERE tag = :tag{place})")
        if self.kind:
            values["kind"] = self.kind
            conditions.append("r.kind = :kind")
        return " AND ".join(conditions) or "1", values


def at(now: datetime) -> dict[str, object]:
    """The parameter that `STATE` is judged by."""
    return {"now": moment_text(now)}


def _named(name: str, given: Sequence[str], values: dict[str, object]) -> str:
    values.update({f"{name}{place}": each for place, each in enumerate(given)})
    return ", ".join(f":{name}{place}" for place in range(len(given)))
