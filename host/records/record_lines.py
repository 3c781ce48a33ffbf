"""A record as a line of JSON, and a line that anyone may have written as a record.

A line has the keys `id`, `kind`, `text`, `source`, `written_by`, `passage`, `tags`, `created_at`,
`stale_after`, `status`, `approval` and `superseded`, of which `text` and `written_by` are needed. What
answers say of a record beside (`trust`, `flagged`, `score`, …) may stand there and is passed over: it is
judged anew at each read.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import BinaryIO, Final

from host.core.moments import parse_moment
from host.core.text import quoted
from host.records import arguments
from host.records.arguments import refused_input
from host.records.model import Approval, Record, RecordStatus, Superseded
from host.records.putting import drafted

MAX_LINE_BYTES: Final = 4 * 2**20
"""The largest record with every character escaped is shorter."""

Line = str | bytes
_SAID: Final = ("text", "written_by", "source", "kind", "tags", "stale_after", "passage")
_KEPT: Final = ("id", "created_at", "status", "approval", "superseded")
_JUDGED: Final = frozenset(
    {
        *("as", "trust", "source_is", "provenance_is", "written_by_is", "approval_is"),
        *("flagged", "instruction_signals", "stale", "score", "score_scale"),
    }
)
_KNOWN: Final = _JUDGED.union(_SAID, _KEPT)
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


def line_of(record: Record) -> str:
    """The record as a line, with the line feed."""
    said = {key: value for key, value in record.to_json().items() if key not in _JUDGED}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, none longer than is of use: of a longer one the beginning, which is refused."""
    while line := file.readline(MAX_LINE_BYTES + 1):
        yield line
        while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE_BYTES + 1)


def numbered(lines: Iterable[Line]) -> Iterator[tuple[int, Line]]:
    """The lines that are not blank, counted from 1 with those that are."""
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def record_of(line: Line, now: datetime) -> Record:
    """The record that a line claims, its approval among the claims. Raises `Refused`."""
    said = _object_of(line)
    unknown = next((key for key in said if key not in _KNOWN), None)
    if unknown is not None:
        raise refused_input(f"a record has no {quoted(unknown)}; take it out")
    defaults: dict[str, object] = {"kind": "note", "tags": []}
    given = {name: defaults.get(name) if said.get(name) is None else said[name] for name in _SAID}
    draft = drafted(given, now)
    if said.get("id", draft.id) != draft.id:
        raise refused_input(
            f"id is not that of what the line says, which is {draft.id}; take the id out, or mend the text"
        )
    status, approval = _approval(draft, said)
    superseded = said.get("superseded")
    created_at = said.get("created_at")
    return replace(
        draft,
        created_at=now if created_at is None else _moment("created_at", created_at),
        status=status,
        approval=approval,
        superseded=None if superseded is None else _superseded(draft, superseded),
    )


def _object_of(line: Line) -> dict[str, object]:
    if len(line) > MAX_LINE_BYTES:
        raise refused_input(f"the line is longer than {MAX_LINE_BYTES:,} bytes; no record is so large")
    if isinstance(line, bytes):
        if line.startswith(_UTF_16):
            raise refused_input("the file is in UTF-16; write it in UTF-8")
        try:
            line = line.decode()
        except UnicodeDecodeError as error:
            raise refused_input(f"the line is no UTF-8, from byte {error.start} on") from None
    try:
        said = json.loads(line.removeprefix("\ufeff"), parse_constant=_no_number)
    except RecursionError:
        raise refused_input("the line is nested too deeply; a record is a flat object") from None
    except json.JSONDecodeError as error:
        why = f"{error.msg}, at character {error.pos + 1}"
        raise refused_input(f"the line is no JSON: {why}; it may be cut off") from None
    except ValueError as error:  # of a number
        raise refused_input(f"the line is no JSON that can be read: {error}") from None
    if not isinstance(said, dict):
        found = "null" if said is None else arguments.told_type(said)
        raise refused_input(f"the line is {found}; a record is an object")
    return said


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _approval(draft: Record, said: Mapping[str, object]) -> tuple[RecordStatus, Approval | None]:
    status = said.get("status")
    allowed = ("proposed", "approved") if draft.kind == "lesson" else ("note",)
    if status is not None and status not in allowed:
        raise refused_input(f"status is {status!r}; of a {draft.kind} it is {' or '.join(allowed)}")
    if status != "approved":
        if said.get("approval") is not None:
            raise refused_input(f"approval stands on a record whose status is {status or draft.status}")
        return draft.status, None
    claimed = _object("approval", said.get("approval"), {"reviewer", "at", "reason", "reviewer_is"})
    approval = Approval(
        reviewer=arguments.a_text("approval.reviewer", claimed.get("reviewer")),
        at=_moment("approval.at", claimed.get("at")),
        reason=arguments.reason(claimed.get("reason")),
    )
    return "approved", approval


def _superseded(draft: Record, value: object) -> Superseded:
    said = _object("superseded", value, {"by", "at", "reason"})
    by = arguments.record_ids(arguments.a_text("superseded.by", said.get("by")))[0]
    if by == draft.id:
        raise refused_input("superseded.by is the record itself")
    return Superseded(
        by=by, at=_moment("superseded.at", said.get("at")), reason=arguments.reason(said.get("reason"))
    )


def _object(name: str, value: object, keys: set[str]) -> dict[str, object]:
    if not isinstance(value, dict):
        raise refused_input(f"{name} is {arguments.told_type(value)}; it has to be an object")
    unknown = next((key for key in value if key not in keys), None)
    if unknown is not None:
        raise refused_input(f"{name} has no {quoted(unknown)}; take it out")
    return value


def _moment(name: str, value: object) -> datetime:
    text = arguments.a_text(name, value)
    try:
        return parse_moment(text)
    except ValueError:
        raise refused_input(
            f"{name} {quoted(text)} is no moment with a zone, as 2027-06-30T00:00:00Z"
        ) from None
