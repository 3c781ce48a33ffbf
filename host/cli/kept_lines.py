"""What the record store says of itself, and of what was taken out of it, as lines for a person."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from host.cli.found_lines import SHORT_ID, Fields, age
from host.cli.lines import Line, Span, Style, counted, flat, line
from host.cli.table import Cell, Column, table
from host.core.text import format_size, join_words

_LABEL_WIDTH: Final = 13
_PREVIEW: Final = (
    Column(title="id"),
    Column(title="kind", rank=3),
    Column(title="written by (claim)", rank=2),
    Column(title="text"),
)
_INTEGRITY: Final = {
    "keyed": "keyed: rows, ledger and head are under a key outside the file",
    "hash": "hash: an edit that recomputes the hash is not seen; gg records init makes a key",
}


def preview_lines(answer: Fields, *, width: int | None) -> Iterator[Line]:
    """What would go."""
    rows = [
        [
            Cell(each["id"][:SHORT_ID], "name"),
            Cell(each["kind"]),
            Cell(each["written_by"]),
            Cell(" ".join(each["text"].split())),
        ]
        for each in answer["would_remove"]
    ]
    yield from table(_PREVIEW, rows, width)
    if left := answer["count"] - len(rows):
        yield line(f"… and {left:,} more")
    yield from _missing(answer)


def forgotten_lines(answer: Fields) -> Iterator[Line]:
    """The receipt: what went, and none of its text."""
    receipt = answer["receipt"]
    for record_id in receipt["ids"]:
        yield line(Span("removed  ", "dim"), record_id)
    yield _row("kinds", join_words(receipt["kinds"]))
    yield _row("written by", f"{join_words(receipt['writers'])} (claim)")
    yield _row("reason", receipt["reason"])
    yield _row("at", receipt["at"])
    if receipt["checked_gone"]:
        yield _row("gone", "it was looked for, and nothing is left in the file")
    else:
        yield _row("gone", "SOMETHING IS LEFT of it in the file", "bad")
    if receipt["blocked"]:
        yield _row("blocked", "the same text is refused from now on; gg records unblock lifts that")
    for export in receipt["exports"]:
        yield _row("exported", f"{export['at']} to {export['target']}, which still holds it", "warn")
    if receipt["wal_pending"]:
        yield _row("log", "a reader keeps it; the text goes from it when the store is next opened", "warn")
    elif not receipt["remade"]:
        yield _row("file", "too large to be made anew; single words may be left in its gaps", "warn")
    yield from _missing(receipt)


def status_lines(answer: Fields, *, file: Path, now: datetime) -> Iterator[Line]:
    """`kept         12 of at most 10,000`."""
    yield _row("store", str(file))
    kinds, statuses = answer["by_kind"], answer["by_status"]
    yield _row("kept", f"{answer['kept']:,} of at most {answer['max_records']:,}")
    yield _row("notes", f"{kinds['note']:,}")
    lessons = f"{kinds['lesson']:,}: {statuses['approved']:,} approved, {statuses['proposed']:,} proposed"
    if oldest := answer["oldest_proposal"]:
        lessons += f", the oldest {age(oldest, now)} ago"
    yield _row("lessons", lessons)
    yield _row("stale", f"{answer['stale']:,}")
    yield _row("superseded", f"{answer['superseded']:,}")
    unreadable = answer["unreadable"]
    yield _row("unreadable", f"{unreadable:,}", "bad" if unreadable else "")
    room = f"{format_size(answer['store_bytes'])} of at most {format_size(answer['max_store_bytes'])}"
    yield _row("room", room)
    yield _row("integrity", _INTEGRITY[answer["integrity"]], "" if answer["integrity"] == "keyed" else "warn")
    for each in answer["used_then_withdrawn"]:
        told = f"{each['record_id'][:SHORT_ID]} is {each['how']}, and was used by {_runs(each['runs'])}"
        yield _row("withdrawn", told, "warn")


def verified_lines(answer: Fields) -> Iterator[Line]:
    """What was looked at, what is wrong, and what an operator took as it was before."""
    looked_at = f"{counted(answer['rows'], 'record')}, {counted(answer['entries'], 'entry')} of the ledger"
    yield _row("looked at", looked_at)
    yield _row("integrity", _INTEGRITY[answer["integrity"]], "" if answer["integrity"] == "keyed" else "warn")
    for each in answer["acceptances"]:
        yield _row("accepted", f"{each['at']}: {each['reason']}")
    for found in answer["evidence"]:
        yield line(Span("wrong".ljust(_LABEL_WIDTH), "bad"), found["detail"])
    if answer["whole"]:
        yield line(Span("whole".ljust(_LABEL_WIDTH), "good"), "nothing was changed outside gg")


def _runs(runs: list[str]) -> str:
    shown = join_words(runs[:5] + ([f"{len(runs) - 5:,} more"] if len(runs) > 5 else []))
    return f"{counted(len(runs), 'run')}: {shown}"


def _missing(answer: Fields) -> Iterator[Line]:
    for record_id in answer["missing"]:
        yield _row("missing", f"there is no record {record_id}", "warn")


def _row(label: str, text: str, style: Style = "") -> Line:
    return Line((Span(flat(text), style),), 0, Span(label.ljust(_LABEL_WIDTH), "dim"))
