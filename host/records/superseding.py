"""Supersede: puts one record in the place of another one, which is history from then on."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

from host.core.envelope import Envelope
from host.records import codes
from host.records.answers import warning_card
from host.records.arguments import refused_input
from host.records.journal import Change
from host.records.look import Look
from host.records.model import Record, Superseded
from host.records.naming import is_there, named
from host.records.putting import Limits, rewrite


def supersede(
    change: Change, look: Look, old_id: str, new_id: str, limits: Limits, *, reason: str
) -> Envelope:
    """Marks the old record, whatever its status. Raises `Refused` where the new one cannot stand for it."""
    old = named(look, old_id)
    new = named(look, new_id)
    if new.status == "proposed":
        raise refused_input(
            f"{new.id} is a lesson that waits for an approval, and would hide {old.id} without being served;"
            " approve it first"
        )
    if any(each == old.id for each in successors(change.connection, new.id)):
        raise refused_input(
            f"{new.id} is {old.id} or was superseded by it, so that neither would be current;"
            " supersede it by another record"
        )
    # By a record that was forgotten since, it may get another successor.
    if old.superseded and is_there(look, old.superseded.by):
        raise refused_input(
            f"{old.id} is superseded already, by {old.superseded.by}; supersede that one, if it is"
            " outdated too"
        )
    marked = replace(old, superseded=Superseded(by=new.id, at=look.now, reason=reason))
    rewrite(change, old, marked, "supersede", limits)
    return _envelope(marked, new)


def successors(connection: sqlite3.Connection, record_id: str) -> Iterator[str]:
    """The record, what stands in its place, and so on; it ends also where that is a circle."""
    seen: set[str] = set()
    each: str | None = record_id
    while each is not None and each not in seen:
        yield each
        seen.add(each)
        found = connection.execute("SELECT superseded_by FROM records WHERE id = ?", (each,)).fetchone()
        each = found[0] if found else None


def _envelope(old: Record, new: Record) -> Envelope:
    return Envelope(
        code=codes.SUPERSEDED,
        message=f"{old.kind} {old.id[:12]}… is superseded by {new.id[:12]}… and no longer current.",
        warning_card=warning_card(records=[old, new]),
        fields={"record": old.to_json(), "by": new.to_json()},
    )
