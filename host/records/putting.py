"""Put: keeps a note, or a lesson that waits for an approval."""

from dataclasses import dataclass
from datetime import datetime

from host.core.envelope import Envelope, Refused
from host.core.text import format_over, join_words
from host.records import arguments, codes
from host.records.answers import warning_card
from host.records.identity import record_id
from host.records.journal import Change
from host.records.look import Look
from host.records.model import Record
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
    size_bytes = row_of(draft).size_bytes
    if size_bytes > arguments.MAX_RECORD_BYTES:
        raise arguments.refused_input(
            f"the record is too large as it is kept ({format_over(size_bytes, arguments.MAX_RECORD_BYTES)});"
            " shorten its source, its tags or the provenance of its passage"
        )
    if change.connection.execute("SELECT 1 FROM records WHERE id = ?", (draft.id,)).fetchone():
        return _existing(look, draft), True
    _refuse_full(change, size_bytes, limits)
    return change.keep(draft), False


def kept_envelope(record: Record, *, existed: bool) -> Envelope:
    what = "was kept before; nothing was added" if existed else "is kept"
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
        raise Refused.of(
            codes.STORE,
            f"record {draft.id} is in the store and was changed there outside gg; look at it with gg records"
            " verify, forget it by its id, and put it again",
        )
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


def _refuse_full(change: Change, size_bytes: int, limits: Limits) -> None:
    rows, used = change.connection.execute("SELECT rows, bytes FROM totals").fetchone()
    if rows >= limits.max_records:
        raise Refused.of(
            codes.FULL, f"the store holds {rows:,} records, limit {limits.max_records:,}; forget some first"
        )
    if used + size_bytes > limits.max_store_bytes:
        raise Refused.of(
            codes.FULL,
            f"the store would hold {format_over(used + size_bytes, limits.max_store_bytes)};"
            " forget some first",
        )
