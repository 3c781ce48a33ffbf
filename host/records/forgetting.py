"""Forget: takes records out of the file so that nothing of their text is left, and looks whether it is so.

Ids that are in the store no more stand on the receipt as missing, and stop nothing: what is gone is as it was
asked for. What superseded others leaves them superseded. A receipt holds ids and names, and no text.
"""

import json
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from host.core.envelope import Envelope, Refused
from host.core.moments import moment_text
from host.core.text import counted, format_size, quoted, shortened
from host.records import arguments, codes, erasing, index, tombstones
from host.records.access import Access
from host.records.conditions import condition
from host.records.erasing import Erased
from host.records.identity import json_bytes
from host.records.journal import Change
from host.records.look import Look
from host.records.rows import told
from host.records.states import Filter

_PREVIEW_CHARS: Final = 80
_MAX_PREVIEWED: Final = 100


class _Row(NamedTuple):
    """A row that is to go, readable or not: its values may be of any type."""

    seq: int
    id: object
    kind: object
    written_by: object
    text: object


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What was removed, why and when. What is known after the commit alone is added then."""

    ids: tuple[str, ...]
    kinds: tuple[str, ...]
    writers: tuple[str, ...]
    reason: str
    at: datetime
    blocked: bool
    exports: tuple[dict[str, object], ...]
    missing: tuple[str, ...]
    seqs: tuple[int, ...]

    def to_json(self) -> dict[str, object]:
        return {
            "ids": list(self.ids),
            "kinds": list(self.kinds),
            "writers": list(self.writers),
            "count": len(self.ids),
            "reason": self.reason,
            "at": moment_text(self.at),
            "blocked": self.blocked,
            "exports": list(self.exports),
            "missing": list(self.missing),
        }


def forget(access: Access, wanted: Filter, *, reason: object, block: bool) -> Envelope:
    """Takes out all that the filter names, and the log of the file with it. Raises `Refused` where that is
    nothing.
    """
    _refuse_empty(wanted)
    why = arguments.reason(reason)
    with access.lock:
        with access.writing() as (change, look):
            receipt = _take_out(change, look, wanted, reason=why, block=block)
            erasing.mark(change.connection)
        erased = erasing.erase(access.journal.database)
        with access.reading() as look:
            look.unreadable.forget(receipt.seqs)
            return _envelope(receipt, checked_gone=_is_gone(look, receipt.seqs), erased=erased)


def preview(access: Access, wanted: Filter) -> Envelope:
    """What would be removed; the texts cut to their beginning."""
    _refuse_empty(wanted)
    with access.reading() as look:
        return _preview(look, wanted)


def keep_receipt(connection: sqlite3.Connection, now: datetime, receipt: dict[str, object]) -> None:
    connection.execute(
        "INSERT INTO receipts (at, receipt) VALUES (?, ?)", (moment_text(now), json_bytes(receipt).decode())
    )


def _refuse_empty(wanted: Filter) -> None:
    if wanted.is_empty:
        raise Refused.of(
            codes.NO_FILTER, "nothing is named; give record_ids, tags or kind: all is never removed"
        )


def _take_out(change: Change, look: Look, wanted: Filter, *, reason: str, block: bool) -> Receipt:
    rows = _rows(look, wanted, text="r.text" if block else "NULL")
    missing = _missing(look, wanted)
    if not rows:
        raise _nothing(missing)
    seqs = tuple(row.seq for row in rows)
    receipt = Receipt(
        ids=tuple(told(row.id) for row in rows),
        kinds=tuple(sorted({told(row.kind) for row in rows})),
        writers=tuple(sorted({told(row.written_by) for row in rows})),
        reason=reason,
        at=look.now,
        blocked=block,
        exports=_exports(look.connection, seqs),
        missing=missing,
        seqs=seqs,
    )
    if block:
        for row in rows:
            text = told(row.text)
            tombstones.block(change.connection, change.seal, text, at=moment_text(look.now), reason=reason)
    for seq in seqs:
        change.take_out(seq)
    keep_receipt(change.connection, look.now, receipt.to_json())
    return receipt


def _preview(look: Look, wanted: Filter) -> Envelope:
    rows = _rows(look, wanted, text=f"substr(r.text, 1, {_PREVIEW_CHARS + 1})")
    missing = _missing(look, wanted)
    if not rows:
        raise _nothing(missing)
    shown = [
        {
            "id": told(row.id),
            "kind": told(row.kind),
            "written_by": told(row.written_by),
            "text": shortened(told(row.text), _PREVIEW_CHARS),
        }
        for row in rows[:_MAX_PREVIEWED]
    ]
    return Envelope(
        code=codes.FOUND,
        message=f"{counted(len(rows), 'record')} would be removed; nothing was.",
        evidence=look.evidence,
        fields={"would_remove": shown, "count": len(rows), "missing": list(missing)},
    )


def _is_gone(look: Look, seqs: tuple[int, ...]) -> bool:
    """Whether no table has anything of the places that were taken out; a place is never given twice."""
    listed = json.dumps(seqs)
    return not index.holds_any(look.connection, seqs) and not any(
        look.connection.execute(
            f"SELECT 1 FROM {table} WHERE seq IN (SELECT value FROM json_each(?)) LIMIT 1", (listed,)
        ).fetchone()
        for table in ("records", "record_tags", "vectors")
    )


def _envelope(receipt: Receipt, *, checked_gone: bool, erased: Erased) -> Envelope:
    said = {
        **receipt.to_json(),
        "checked_gone": checked_gone,
        "remade": erased == "remade",
        "wal_pending": erased == "waits",
    }
    count = len(receipt.ids)
    them = "it" if count == 1 else "them"
    message = f"{counted(count, 'record')} removed"
    message += (
        f", and looked that nothing of {them} is left." if checked_gone else "; part of it is still there!"
    )
    if receipt.exports:
        exports = len(receipt.exports)
        stand = "stands" if exports == 1 else "stand"
        message += f" {counted(exports, 'export')} that may still have {them} {stand} on the receipt."
    if erased == "waits":
        message += (
            " The text is still in the log of the file, until the store is next opened and nobody reads it."
        )
    if erased == "emptied":
        most = format_size(erasing.MAX_REMADE_BYTES)
        message += (
            f" The file is larger than {most} and was not made anew: single words may be left in its gaps."
        )
    return Envelope(code=codes.FORGOTTEN, message=message, fields={"receipt": said})


def _rows(look: Look, wanted: Filter, *, text: str = "NULL") -> list[_Row]:
    """What the filter names; `text` is the SQL of what is wanted of the texts, which may be many."""
    where, values = condition(wanted)
    cursor = look.connection.execute(
        f"SELECT r.seq, r.id, r.kind, r.written_by, {text} FROM records r WHERE {where} ORDER BY r.seq",
        values,
    )
    return [_Row._make(row) for row in cursor]


def _missing(look: Look, wanted: Filter) -> tuple[str, ...]:
    if not wanted.record_ids:
        return ()
    there = {row.id for row in _rows(look, Filter(record_ids=wanted.record_ids))}
    return tuple(each for each in wanted.record_ids if each not in there)


def _nothing(missing: tuple[str, ...]) -> Refused:
    which = f", and there is no record {quoted(missing[0])}" if missing else ""
    return Refused.of(
        codes.NOT_FOUND, f"no record is named by ids, tags and kind together{which}; nothing was removed"
    )


def _exports(connection: sqlite3.Connection, seqs: tuple[int, ...]) -> tuple[dict[str, object], ...]:
    rows = connection.execute(
        "SELECT number, at, target FROM exports WHERE number IN (SELECT e.number"
        " FROM exported e, json_each(?) s WHERE s.value BETWEEN e.first AND e.last) ORDER BY number",
        (json.dumps(seqs),),
    )
    return tuple({"number": number, "at": told(at), "target": told(target)} for number, at, target in rows)
