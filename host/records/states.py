"""Which rows a filter names, and in which of the lists of an answer a row stands.

Few rows are apart from the others: indexes of their own list what is proposed, superseded or stale. Where
more of them are listed than there are rows to judge, each row is looked up instead.
"""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from host.core.moments import moment_text
from host.records.model import KINDS, RecordKind

State = Literal["current", "stale", "superseded"]
STATES: Final[tuple[State, ...]] = ("current", "stale", "superseded")
"""What is superseded is never stale: what stands in its place is the one to be judged by its age."""

_LISTED_SHARE: Final = 8  # to look up one row costs as much as to read so many of an index
_LISTED_LEAST: Final = 1_000
_MANY: Final = 100_000


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Which records a call is about: all of the conditions hold. An empty one holds for every record."""

    record_ids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    kind: RecordKind | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.record_ids or self.tags or self.kind)


@dataclass(frozen=True, kw_only=True)
class Sorted:
    """Rows by place, each in the list of its state. `waiting` are lessons that nobody has approved."""

    lists: Mapping[State, set[int]]
    waiting: set[int]


class _Property(NamedTuple):
    """What rows may have: an index that lists the places of those that do, and how to ask for one place."""

    listing: str
    lookup: str


_ROW: Final = "CROSS JOIN records r ON r.seq = asked.value WHERE"
_ANY_KIND: Final = f"kind IN ({', '.join(repr(kind) for kind in KINDS)})"
_SUPERSEDED: Final = _Property(
    "SELECT seq FROM records INDEXED BY records_superseded WHERE superseded_by IS NOT NULL",
    f"{_ROW} r.superseded_by IS NOT NULL",
)
_STALE: Final = _Property(
    "SELECT seq FROM records WHERE stale_after <= :now", f"{_ROW} r.stale_after <= :now"
)
_WAITING: Final = _Property(
    f"SELECT seq FROM records WHERE status = 'proposed' AND {_ANY_KIND}", f"{_ROW} r.status = 'proposed'"
)
_LESSON: Final = _Property("SELECT seq FROM records WHERE kind = 'lesson'", f"{_ROW} r.kind = 'lesson'")
_TAGGED: Final = _Property(
    "SELECT seq FROM record_tags WHERE tag = :tag AND typeof(seq) = 'integer'",
    "CROSS JOIN record_tags t ON t.tag = :tag AND t.seq = asked.value",
)


def sort_out(
    connection: sqlite3.Connection, seqs: set[int], now: datetime, *, proposed: bool = False
) -> Sorted:
    """Rows into the lists of an answer, either those that wait for an approval or the others."""
    waiting = _having(connection, seqs, _WAITING)
    chosen = waiting if proposed else seqs
    others = set() if proposed else waiting
    superseded = _having(connection, chosen, _SUPERSEDED) - others
    stale = _having(connection, chosen, _STALE, at(now)) - others - superseded
    apart = superseded | stale | others
    current = chosen - apart if apart else chosen  # where none is, the very same: it may have a million
    return Sorted(lists={"current": current, "stale": stale, "superseded": superseded}, waiting=waiting)


def narrowed(connection: sqlite3.Connection, seqs: set[int], wanted: Filter) -> set[int]:
    """Those of some rows that have the tags and the kind of a filter."""
    for tag in wanted.tags:
        seqs = _having(connection, seqs, _TAGGED, {"tag": tag})
    if wanted.kind:
        lessons = _having(connection, seqs, _LESSON)
        seqs = lessons if wanted.kind == "lesson" else seqs - lessons
    return seqs


def tagged(connection: sqlite3.Connection, tag: str) -> set[int]:
    """All rows that carry a tag."""
    return _listed(connection, _TAGGED, {"tag": tag}, most=-1)


def stale_rows(connection: sqlite3.Connection, now: datetime, *, proposed: bool) -> set[int] | None:
    """All stale rows, either those that wait for an approval or the others; `None` where very many are past
    their moment.
    """
    found = _listed(connection, _STALE, at(now), most=_MANY)
    if len(found) >= _MANY:
        return None
    waiting = _having(connection, found, _WAITING)
    chosen = waiting if proposed else found - waiting
    return chosen - _having(connection, chosen, _SUPERSEDED)


def at(now: datetime) -> dict[str, object]:
    """The parameter by which rows are judged stale."""
    return {"now": moment_text(now)}


def _having(
    connection: sqlite3.Connection,
    seqs: set[int],
    property_: _Property,
    values: Mapping[str, object] = MappingProxyType({}),
) -> set[int]:
    most = max(_LISTED_LEAST, _LISTED_SHARE * len(seqs))
    listed = _listed(connection, property_, values, most=most)
    if len(listed) < most:
        return seqs & listed
    sql = f"SELECT json_group_array(asked.value) FROM json_each(:seqs) asked {property_.lookup}"
    found = connection.execute(sql, {**values, "seqs": json.dumps(list(seqs))}).fetchone()[0]
    return set(json.loads(found))


def _listed(
    connection: sqlite3.Connection, property_: _Property, values: Mapping[str, object], *, most: int
) -> set[int]:
    """The rows that have a property, or so many of them; -1 for all."""
    sql = f"SELECT json_group_array(seq) FROM ({property_.listing} LIMIT :most)"
    return set(json.loads(connection.execute(sql, {**values, "most": most}).fetchone()[0]))
