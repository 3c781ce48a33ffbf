"""Export and import: JSON Lines, one record a line, no header.

Whatever comes in is a claim, and is kept as one put: what is there already is passed over, what is blocked or
does not fit is refused with the number of its line, and an approval is not taken over unless who imports
vouches for it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from host.core.envelope import Envelope, Refused
from host.core.moments import moment_text
from host.core.text import counted, join_words
from host.records import codes
from host.records.access import Access
from host.records.approving import refuse_author, refuse_reviewer, writers_of
from host.records.arguments import refused_input
from host.records.conditions import condition
from host.records.integrity.check import Progress
from host.records.journal import Change
from host.records.look import Look
from host.records.model import Record
from host.records.naming import changed_outside, is_there
from host.records.putting import Limits, keep
from host.records.record_lines import Line, line_of, numbered, record_of
from host.records.rows import SELECT_KEPT, kept_of
from host.records.states import Filter
from host.records.superseding import successors

MAX_BATCH_LINES: Final = 5_000
MAX_BATCH_CHARS: Final = 16 * 2**20
"""Of lines that are kept by one write: the more, the less each costs."""
_PAGE: Final = 500  # records of one look, the largest of which is 256 KiB
MAX_TOLD_LINES: Final = 100
"""Of the lines that were not taken so many are told with their reason."""


@dataclass(frozen=True, kw_only=True)
class BadLine:
    """A line that was not taken; lines count from 1."""

    line: int
    code: str
    message: str

    def to_json(self) -> dict[str, object]:
        return {"line": self.line, "code": self.code, "message": self.message}


@dataclass(kw_only=True)
class Tally:
    """What became of the lines so far."""

    lines: int = 0
    kept: int = 0
    existed: int = 0
    unapproved: int = 0
    bad: int = 0
    told: list[BadLine] = field(default_factory=list)
    full: Refused | None = None

    def refuse(self, line: int, refused: Refused) -> None:
        self.bad += 1
        if len(self.told) < MAX_TOLD_LINES:
            self.told.append(BadLine(line=line, code=refused.code, message=refused.message))


def export(
    access: Access,
    wanted: Filter,
    write: Callable[[str], None],
    *,
    target: str,
    progress: Progress | None = None,
) -> Envelope:
    """Writes the records of the filter in the order of their keeping, each as it is when its turn comes.

    That there is such an export is on the disk before the first line is out: receipts of what is forgotten
    later name it.
    """
    where, values = condition(wanted)
    with access.writing() as (change, look):
        newest, total = change.connection.execute(
            f"SELECT max(r.seq), count(*) FROM records r WHERE {where}", values
        ).fetchone()
        change.connection.execute(
            "INSERT INTO exports (at, target) VALUES (?, ?)", (moment_text(look.now), target)
        )
        number = change.connection.execute("SELECT last_insert_rowid()").fetchone()[0]
        if total:
            _note_runs(change, number, [(1, newest)])
    runs: list[tuple[int, int]] = []
    last = exported = passed_over = 0
    while total and last < newest:
        records, last, skipped = _page(access, wanted, after=last, up_to=newest)
        for record in records:
            write(line_of(record))
            if runs and record.seq == runs[-1][1] + 1:
                runs[-1] = (runs[-1][0], record.seq)
            else:
                runs.append((record.seq, record.seq))
        exported += len(records)
        passed_over += skipped
        if progress is not None:
            progress(exported + passed_over, total)
    with access.writing() as (change, _):
        _note_runs(change, number, runs)
    return _exported(number, target, exported, passed_over)


def _page(access: Access, wanted: Filter, *, after: int, up_to: int) -> tuple[list[Record], int, int]:
    """The next records, the place of the last row that was looked at, how many were not to be served."""
    where, values = condition(wanted)
    with access.reading() as look:
        rows = look.connection.execute(
            f"{SELECT_KEPT} r WHERE r.seq > :after AND r.seq <= :up_to AND {where}"
            " ORDER BY r.seq LIMIT :most",
            {**values, "after": after, "up_to": up_to, "most": _PAGE},
        ).fetchall()
        records = [record for record in map(look.judged, map(kept_of, rows)) if record is not None]
    return records, rows[-1][0] if len(rows) == _PAGE else up_to, len(rows) - len(records)


def _note_runs(change: Change, number: int, runs: Sequence[tuple[int, int]]) -> None:
    """In place of what was noted before."""
    change.connection.execute("DELETE FROM exported WHERE number = ?", (number,))
    change.connection.executemany(
        "INSERT INTO exported VALUES (?, ?, ?)", [(number, first, last) for first, last in runs]
    )


def _exported(number: int, target: str, exported: int, passed_over: int) -> Envelope:
    message = f"{counted(exported, 'record')} exported"
    if passed_over:
        message += f"; {passed_over:,} cannot be read and were passed over"
    return Envelope(
        code=codes.EXPORTED,
        message=f"{message}.",
        fields={"number": number, "target": target, "exported": exported, "unreadable": passed_over},
    )


def import_lines(
    access: Access,
    lines: Iterable[Line],
    limits: Limits,
    *,
    keeps_approvals: bool,
    progress: Callable[[int], None] | None = None,
) -> Envelope:
    """Keeps the records of lines, some thousand at a time."""
    if isinstance(lines, str | bytes):
        raise refused_input("lines is one text; give its lines, such as an open file")
    tally = Tally()
    for batch in _batches(lines):
        with access.writing() as (change, look):
            _take(change, look, batch, tally, limits, keeps_approvals=keeps_approvals)
        if progress is not None:
            progress(tally.lines)
        if tally.full is not None:
            break
    return _imported(tally)


def _batches(lines: Iterable[Line]) -> Iterator[list[tuple[int, Line]]]:
    batch: list[tuple[int, Line]] = []
    chars = 0
    for number, line in numbered(lines):
        batch.append((number, line))
        chars += len(line)
        if len(batch) == MAX_BATCH_LINES or chars >= MAX_BATCH_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch


def _take(
    change: Change,
    look: Look,
    batch: list[tuple[int, Line]],
    tally: Tally,
    limits: Limits,
    *,
    keeps_approvals: bool,
) -> None:
    """Keeps the records of lines in their order; what cannot be kept is told, and stops nothing but itself.

    A store that is full ends the import, as `tally.full` says.
    """
    writers = writers_of(change.connection) if keeps_approvals else []
    fresh: set[str] = set()  # no look at them before the write is done
    for number, line in batch:
        tally.lines = number
        try:
            record = record_of(line, look.now)
            loses_approval = record.status == "approved" and not keeps_approvals
            if loses_approval:
                record = replace(record, status="proposed", approval=None)
            existed = record.id in fresh or _exists(look, record)
            if not existed:
                _keep(change, record, limits, writers)
        except Refused as refused:
            tally.refuse(number, refused)
            if refused.code == codes.FULL:
                tally.full = refused
                return
        else:
            fresh.add(record.id)
            tally.existed += existed
            tally.kept += not existed
            tally.unapproved += loses_approval and not existed


def _exists(look: Look, record: Record) -> bool:
    if not is_there(look, record.id):
        return False
    if look.with_id(record.id) is None:
        raise changed_outside(record.id)
    return True


def _keep(change: Change, record: Record, limits: Limits, writers: list[str]) -> None:
    if record.approval is not None:
        refuse_reviewer(record.approval.reviewer, writers=writers)
        refuse_author(record.approval.reviewer, record)
    if record.superseded and record.id in successors(change.connection, record.superseded.by):
        raise refused_input("superseded.by leads back to the record itself, so that none would be current")
    keep(change, record, limits)


def _imported(tally: Tally) -> Envelope:
    """The answer: `blocked-escalated` where any line was not taken, though the others were."""
    fields: dict[str, object] = {
        "kept": tally.kept,
        "existed": tally.existed,
        "unapproved": tally.unapproved,
        "bad": tally.bad,
        "bad_lines": [each.to_json() for each in tally.told],
    }
    message = f"{counted(tally.kept, 'record')} kept"
    if tally.existed:
        message += f", {tally.existed:,} there already"
    if tally.unapproved:
        message += f"; {counted(tally.unapproved, 'lesson')} held back until an approval is recorded here"
    if not tally.bad:
        return Envelope(code=codes.IMPORTED, message=f"{message}.", fields=fields)
    if tally.full is not None:
        message += f"; stopped at line {tally.lines}: {tally.full.message}"
    else:
        numbers = join_words(f"{each.line:,}" for each in tally.told[:10])
        more = f" and {tally.bad - 10:,} more" if tally.bad > 10 else ""
        message += f"; not taken: line{'s' if tally.bad > 1 else ''} {numbers}{more}"
    return Envelope(
        code=codes.FULL if tally.full else codes.INPUT,
        message=f"{message}.",
        completion_state="blocked-escalated",
        fields=fields,
    )
