"""Recall: records by id, tag or kind, newest first.

Where ids or tags name the rows, these are sorted out as a search's matches are. Otherwise the newest of each
list are walked to in an index, and the others are counted there.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from heapq import merge, nlargest
from itertools import islice
from typing import Final

from host.core.envelope import Envelope
from host.records import codes
from host.records.answers import found_envelope
from host.records.conditions import condition
from host.records.look import Look
from host.records.model import Found, Hit, RecordKind, RecordStatus
from host.records.serving import Best, readable, serve
from host.records.states import STATES, Filter, State, at, narrowed, sort_out, stale_rows, tagged

_OF_CLASS: Final = "r.kind = :kind AND r.status = :status"
_OF_SUPERSEDED: Final = f"INDEXED BY records_superseded WHERE {_OF_CLASS} AND r.superseded_by IS NOT NULL"
_OF_OTHERS: Final = f"WHERE {_OF_CLASS} AND r.superseded_by IS NULL"
# What is superseded is counted apart, as it is few: a condition on each of all rows costs more.
_COUNTS: Final = f"""SELECT
 (SELECT count(*) FROM records r WHERE {_OF_CLASS}),
 (SELECT count(*) FROM records r {_OF_SUPERSEDED}),
 (SELECT count(*) FROM json_each(:unreadable) u CROSS JOIN records r ON r.seq = u.value
  WHERE {_OF_CLASS} AND (:also_superseded OR r.superseded_by IS NULL))"""
_WALKED: Final[dict[State, str]] = {
    "current": f"{_OF_OTHERS} AND (r.stale_after IS NULL OR r.stale_after > :now)",
    "stale": f"{_OF_OTHERS} AND r.stale_after <= :now",
    "superseded": _OF_SUPERSEDED,
}
_WAITING: Final[tuple[tuple[RecordKind, RecordStatus], ...]] = (("lesson", "proposed"),)
_OTHERS: Final[tuple[tuple[RecordKind, RecordStatus], ...]] = (("note", "note"), ("lesson", "approved"))

_Lists = dict[State, tuple[Hit, ...]]


def recall(look: Look, wanted: Filter, *, proposed: bool, limit: int) -> Found:
    """The newest records that the filter names; with `proposed` the lessons that wait for an approval."""
    find = _among_named if wanted.record_ids or wanted.tags else _by_walking
    hits, more, held_back = find(look, wanted, proposed=proposed, limit=limit)
    found = Found(
        envelope=Envelope(code=codes.FOUND, message=""),
        current=hits["current"],
        stale=hits["stale"],
        superseded=hits["superseded"],
        held_back=held_back,
        more=more,
        unreadable=look.unreadable.count,
        unreadable_checked_at=look.unreadable.checked_at,
        missing=_missing(look, wanted),
    )
    return found_envelope(found, look.evidence)


def _among_named(look: Look, wanted: Filter, *, proposed: bool, limit: int) -> tuple[_Lists, int, int]:
    """The lists, how many more there are, and how many proposals are held back."""
    rows = sort_out(look.connection, readable(look, _named(look, wanted)), look.now, proposed=proposed)
    hits: _Lists = {}
    more = 0
    for state, members in rows.lists.items():
        hits[state], failed = serve(look, limit, partial(_newest, members))
        if state != "superseded":
            more += len(members) - len(failed) - len(hits[state])
    return hits, more, 0 if proposed else len(rows.waiting)


def _named(look: Look, wanted: Filter) -> set[int]:
    connection = look.connection
    if not wanted.record_ids:
        return narrowed(connection, tagged(connection, wanted.tags[0]), wanted)
    where, values = condition(Filter(record_ids=wanted.record_ids))
    found = connection.execute(f"SELECT r.seq FROM records r WHERE {where}", values)
    return narrowed(connection, {seq for (seq,) in found}, wanted)


def _by_walking(look: Look, wanted: Filter, *, proposed: bool, limit: int) -> tuple[_Lists, int, int]:
    """The same for all rows, or all of a kind."""
    asked: list[Mapping[str, object]] = [
        {"kind": kind, "status": status, **at(look.now)}
        for kind, status in (_WAITING if proposed else _OTHERS)
        if wanted.kind in {None, kind}
    ]
    best: dict[State, Best] = {state: partial(_walk, look, asked, state) for state in STATES}
    stale = stale_rows(look.connection, look.now, proposed=proposed)
    if stale is not None:
        best["stale"] = partial(_newest, narrowed(look.connection, readable(look, stale), wanted))
    hits = {state: serve(look, limit, best[state])[0] for state in STATES}
    more = sum(_count(look, each) for each in asked) - len(hits["current"]) - len(hits["stale"])
    held_back = 0
    if not proposed and wanted.kind in {None, "lesson"}:
        held_back = _count(look, {"kind": "lesson", "status": "proposed"}, also_superseded=True)
    return hits, more, held_back


def _newest(members: set[int], most: int, without: set[int]) -> list[tuple[int, None]]:
    return [(seq, None) for seq in nlargest(most, members - without if without else members)]


def _walk(
    look: Look, asked: Sequence[Mapping[str, object]], state: State, most: int, without: set[int]
) -> list[tuple[int, None]]:
    """The newest rows of a state, of any of some kinds and statuses."""
    gone = look.unreadable.seqs | without
    sql = f"SELECT r.seq FROM records r {_WALKED[state]} ORDER BY r.seq DESC"
    with ExitStack() as stack:
        walks = [stack.enter_context(closing(look.connection.execute(sql, each))) for each in asked]
        newest = (seq for (seq,) in merge(*walks, reverse=True) if seq not in gone)
        return [(seq, None) for seq in islice(newest, most)]


def _count(look: Look, of_class: Mapping[str, object], *, also_superseded: bool = False) -> int:
    """How many rows of a kind and a status there are, less those known to be unreadable."""
    unreadable_seqs = json.dumps(list(look.unreadable.seqs))
    values = {**of_class, "also_superseded": also_superseded, "unreadable": unreadable_seqs}
    all_, superseded, unreadable = look.connection.execute(_COUNTS, values).fetchone()
    return int(all_ - unreadable - (0 if also_superseded else superseded))


def _missing(look: Look, wanted: Filter) -> tuple[str, ...]:
    if not wanted.record_ids:
        return ()
    where, values = condition(Filter(record_ids=wanted.record_ids))
    found = look.connection.execute(f"SELECT r.id FROM records r WHERE {where}", values)
    there = {row[0] for row in found}
    return tuple(each for each in wanted.record_ids if each not in there)
