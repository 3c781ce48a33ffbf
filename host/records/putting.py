"""Put: keeps a note, or a lesson that waits for an approval."""

from dataclasses import dataclass
from datetime import datetime

from host.core.envelope import Envelope, Refused
from host.core.text import format_over, join_words
from host.records import arguments, codes, tombstones
from host.records.answers import warning_card
from host.records.identity import record_id
from host.records.integrity.ledger import Op
from host.records.journal import Change
from host.records.look import Look
from host.records.model import Record
from host.records.naming import changed_outside, is_there
from host.records.rows import row_of


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a store holds at most."""

    max_records: int = 10_000
    max_store_bytes: int = 64 * 2**20


def drafted(given: dict[str, object], now: datetime) -> Record:
    """The record that the arguments of a put make, with no place yet. Raises `Refused`."""
    text = arguments.record_text(given["text"])
    written_by = arguments.writer(given["written_by"])
    source = arguments.source(given["source"])
    kind = arguments.kind(given["kind"])
    passage = arguments.passage(given["passage"])
    stale_after = arguments.stale_after(given["stale_after"])
    return Record(
        seq=0,
        id=record_id(kind=kind, text=text, source=source, written_by=written_by, passage=passage),
        kind=kind,
        text=text,
        source=source,
        written_by=written_by,
        passage=passage,
        tags=arguments.tags(given["tags"]),
        created_at=now,
        stale_after=stale_after,
        stale=stale_after is not None and now >= stale_after,
        status="proposed" if kind == "lesson" else "note",
    )


def put(change: Change, look: Look, draft: Record, limits: Limits) -> tuple[Record, bool]:
    """Keeps a draft, or finds the record that says the same already; whether it was there."""
    if is_there(look, draft.id):
        tombstones.refuse_blocked(change.connection, change.seal, draft.text)
        return _existing(look, draft), True
    return keep(change, draft, limits), False


def keep(change: Change, draft: Record, limits: Limits) -> Record:
    """Keeps a draft that is not there yet. Raises `Refused` for one that is blocked or does not fit."""
    size_bytes = row_of(draft).size_bytes
    _refuse_large(size_bytes)
    tombstones.refuse_blocked(change.connection, change.seal, draft.text)
    _refuse_full(change, limits, rows=1, size_bytes=size_bytes)
    return change.keep(draft)


def rewrite(change: Change, before: Record, after: Record, op: Op, limits: Limits) -> None:
    """Puts another state of a record in the place of the one before. Raises `Refused` if it does not fit."""
    size_bytes = row_of(after).size_bytes
    _refuse_large(size_bytes)
    _refuse_full(change, limits, rows=0, size_bytes=size_bytes - row_of(before).size_bytes)
    change.rewrite(after, op)


def kept_envelope(record: Record, *, existed: bool) -> Envelope:
    what = "was kept before; nothing was added" if existed else "is kept"
    if record.superseded:
        what += f"; it is superseded by {record.superseded.by[:12]}…"
    if record.status == "proposed":
        what += ", and held back until an approval is recorded"
    return Envelope(
        code=codes.KEPT,
        message=f"{record.kind} {record.id[:12]}… {what}.",
        warning_card=warning_card(records=[record]),
        fields={"record": record.to_json(), "existed": existed},
    )


def _existing(look: Look, draft: Record) -> Record:
    there = look.with_id(draft.id)
    if there is None:
        raise changed_outside(draft.id)
    others = []
    if set(there.tags) != set(draft.tags):
        others.append(f"tags {list(there.tags)}, not {list(draft.tags)}")
    if there.stale_after != draft.stale_after:
        told = arguments.told_moment
        others.append(f"stale_after {told(there.stale_after)}, not {told(draft.stale_after)}")
    if others:
        raise arguments.refused_input(
            f"record {draft.id} says the same already, with {join_words(others)};"
            " put it as it is, or supersede it"
        )
    return there


def _refuse_large(size_bytes: int) -> None:
    if size_bytes > arguments.MAX_RECORD_BYTES:
        raise arguments.refused_input(
            f"the record is too large as it is kept ({format_over(size_bytes, arguments.MAX_RECORD_BYTES)});"
            " shorten its source, its tags, the provenance of its passage, or the reason"
        )


def _refuse_full(change: Change, limits: Limits, *, rows: int, size_bytes: int) -> None:
    """Of what is to come beside what is there."""
    count, used = change.connection.execute("SELECT rows, bytes FROM totals").fetchone()
    if count + rows > limits.max_records:
        raise Refused.of(
            codes.FULL, f"the store holds {count:,} records, limit {limits.max_records:,}; forget some first"
        )
    if used + size_bytes > limits.max_store_bytes:
        raise Refused.of(
            codes.FULL,
            f"the store would hold {format_over(used + size_bytes, limits.max_store_bytes)};"
            " forget some first",
        )
