"""Recall: records by id, tag or kind, newest first."""

from typing import Final

from host.core.envelope import Envelope
from host.records import codes
from host.records.answers import found_envelope
from host.records.look import Look
from host.records.model import Found, Hit
from host.records.rows import SELECT_KEPT, kept_of
from host.records.states import STATE, STATES, Filter, State, at

_READABLE: Final = "r.seq NOT IN (SELECT seq FROM temp.unreadable)"


def recall(look: Look, wanted: Filter, *, proposed: bool, limit: int) -> Found:
    """The newest records that the filter names; with `proposed` the lessons that wait for an approval."""
    while True:
        before = look.unreadable.count
        hits = {state: _newest(look, wanted, state, proposed=proposed, limit=limit) for state in STATES}
        if look.unreadable.count == before:  # else some that were served in its count cannot be
            break
    counts = _counts(look, wanted)
    served: tuple[State, ...] = ("current", "stale")
    is_waiting = 1 if proposed else 0
    matches = sum(counts.get((state, is_waiting), 0) for state in served)
    found = Found(
        envelope=Envelope(code=codes.FOUND, message=""),
        current=hits["current"],
        stale=hits["stale"],
        superseded=hits["superseded"],
        held_back=0 if proposed else sum(counts.get((state, 1), 0) for state in STATES),
        more=matches - sum(len(hits[state]) for state in served),
        unreadable=look.unreadable.count,
        unreadable_checked_at=look.unreadable.checked_at,
        missing=_missing(look, wanted),
    )
    return found_envelope(found, look.evidence)


def _newest(look: Look, wanted: Filter, state: State, *, proposed: bool, limit: int) -> tuple[Hit, ...]:
    condition, values = wanted.sql()
    cursor = look.connection.execute(
        f"{SELECT_KEPT} r WHERE {condition} AND {_READABLE} AND (r.status = 'proposed') = :proposed"
        f" AND {STATE} = :state ORDER BY r.seq DESC",
        {**values, **at(look.now), "state": state, "proposed": proposed},
    )
    hits: list[Hit] = []
    for kept in map(kept_of, cursor):
        record = look.judged(kept)
        if record is not None:
            hits.append(Hit(record, None))
        if len(hits) == limit:
            break
    cursor.close()
    return tuple(hits)


def _counts(look: Look, wanted: Filter) -> dict[tuple[str, int], int]:
    condition, values = wanted.sql()
    rows = look.connection.execute(
        f"SELECT {STATE} AS state, r.status = 'proposed' AS waits, count(*) FROM records r"
        f" WHERE {condition} AND {_READABLE} GROUP BY 1, 2",
        {**values, **at(look.now)},
    )
    return {(state, waits): count for state, waits, count in rows}


def _missing(look: Look, wanted: Filter) -> tuple[str, ...]:
    if not wanted.record_ids:
        return ()
    condition, values = Filter(record_ids=wanted.record_ids).sql()
    there = {
        row[0] for row in look.connection.execute(f"SELECT r.id FROM records r WHERE {condition}", values)
    }
    return tuple(each for each in wanted.record_ids if each not in there)
