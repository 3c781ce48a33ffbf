"""A record as a row of the file: its columns, what of them is hashed, the record that it reads back as."""

import hashlib
import json
import sqlite3
from datetime import datetime
from typing import Any, Final, NamedTuple, cast

from host.core.moments import moment_text, parse_moment
from host.records.identity import json_bytes, record_id
from host.records.model import (
    KINDS,
    STATUSES,
    Approval,
    Passage,
    Record,
    RecordKind,
    RecordStatus,
    Superseded,
)

Stored = str | int | bytes | float | None


def _bytes_as_json(value: object) -> dict[str, str]:
    """A column that is no text where one should be: as an object, which no text reads as."""
    assert isinstance(value, bytes), "SQLite has no other type"
    return {"bytes": value.hex()}


_encoded: Final = json.JSONEncoder(
    separators=(",", ":"), ensure_ascii=False, default=_bytes_as_json, check_circular=False
).encode


class Row(NamedTuple):
    """What a row says, in the order of the columns. `hash` is over all of it but `seq`, `mac` with it."""

    id: str
    kind: str
    text: str
    source: str | None
    written_by: str
    passage: str | None
    provenance: str | None
    tags: str
    created_at: str
    stale_after: str | None
    status: str
    approval: str | None
    superseded_by: str | None
    superseded: str | None
    size_bytes: int

    @property
    def content(self) -> bytes:
        """What is hashed; of a row that was tampered with, whatever its values are."""
        return _encoded(self).encode("utf-8", "surrogatepass")


COLUMNS: Final = ", ".join(Row._fields)


def told(value: object) -> str:
    """A column that may have been changed outside gg, to anything, as a text that UTF-8 can carry."""
    return str(value).encode("utf-8", "backslashreplace").decode()


class Kept(NamedTuple):
    """A row as it stands in the file, not judged yet."""

    seq: int
    hash: bytes
    mac: bytes
    row: Row


SELECT_KEPT: Final = f"SELECT seq, hash, mac, {COLUMNS} FROM records"


def kept_of(values: tuple[Stored, ...]) -> Kept:
    """A row of `SELECT_KEPT`."""
    seq, hash_, mac = values[:3]
    return Kept(
        cast(int, seq), cast(bytes, hash_), cast(bytes, mac), Row._make(cast(tuple[str, ...], values[3:]))
    )


def row_hash(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def row_of(record: Record) -> Row:
    """The row of a record; `seq` is outside of it."""
    passage = record.passage
    said: dict[str, str | None] = {
        "id": record.id,
        "kind": record.kind,
        "text": record.text,
        "source": record.source,
        "written_by": record.written_by,
        "passage": passage.text if passage else None,
        "provenance": _json(dict(passage.provenance)) if passage else None,
        "tags": _json(list(record.tags)),
        "created_at": moment_text(record.created_at),
        "stale_after": moment_text(record.stale_after) if record.stale_after else None,
        "status": record.status,
        "approval": _json(record.approval.to_json()) if record.approval else None,
        "superseded_by": record.superseded.by if record.superseded else None,
        "superseded": _json(record.superseded.to_json()) if record.superseded else None,
    }
    size = sum(len(value.encode()) for value in said.values() if value is not None)
    return Row(**said, size_bytes=size)  # type: ignore[arg-type]


def insert(connection: sqlite3.Connection, row: Row, hash_: bytes, mac: bytes, *, seq: int) -> None:
    connection.execute(
        f"INSERT INTO records (seq, {COLUMNS}, hash, mac) VALUES ({', '.join('?' * (len(row) + 3))})",
        (seq, *row, hash_, mac),
    )


def update(connection: sqlite3.Connection, row: Row, hash_: bytes, mac: bytes, *, seq: int) -> None:
    places = ", ".join(f"{name} = ?" for name in (*Row._fields, "hash", "mac"))
    connection.execute(f"UPDATE records SET {places} WHERE seq = ?", (*row, hash_, mac, seq))


def record_of(kept: Kept, *, now: datetime) -> Record:
    """The record that a row says. Raises `ValueError`, `KeyError` or `TypeError` for a row that no record is
    kept as, which has a hash that holds only where another made it.
    """
    row = kept.row
    if not all(isinstance(value, str | None) for value in row[:-1]):
        raise TypeError("a column is no text")
    passage = None
    if row.passage is not None:
        passage = Passage(text=row.passage, provenance=_texts(_loaded(row.provenance or "{}")))
    stale_after = parse_moment(row.stale_after) if row.stale_after is not None else None
    record = Record(
        seq=kept.seq,
        id=row.id,
        kind=cast(RecordKind, _one_of(row.kind, KINDS)),
        text=row.text,
        source=row.source,
        written_by=row.written_by,
        passage=passage,
        tags=tuple(_texts(dict.fromkeys(_loaded(row.tags), ""))),
        created_at=parse_moment(row.created_at),
        stale_after=stale_after,
        stale=stale_after is not None and now >= stale_after,
        status=cast(RecordStatus, _one_of(row.status, STATUSES)),
        approval=_approval(row.approval),
        superseded=_superseded(row.superseded),
    )
    said = record_id(
        kind=record.kind,
        text=record.text,
        source=record.source,
        written_by=record.written_by,
        passage=passage,
    )
    if said != record.id:
        raise ValueError("the id is not that of what the row says")
    if row_of(record) != row:
        raise ValueError("the row is not in the one form that its record is kept in")
    return record


def _approval(text: str | None) -> Approval | None:
    if text is None:
        return None
    said = _texts(_loaded(text))
    return Approval(reviewer=said["reviewer"], at=parse_moment(said["at"]), reason=said["reason"])


def _superseded(text: str | None) -> Superseded | None:
    if text is None:
        return None
    said = _texts(_loaded(text))
    return Superseded(by=said["by"], at=parse_moment(said["at"]), reason=said["reason"])


def _loaded(text: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict) or not all(
        isinstance(each, str) for pair in value.items() for each in pair
    ):
        raise ValueError("not an object of texts")
    return value


def _one_of(value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError(f"{value!r} is none of {known}")
    return value


def _json(value: object) -> str:
    return json_bytes(value).decode()
