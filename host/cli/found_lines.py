"""What the record store answers to a search or a recall, and one record whole, as lines for a person.

Records are the texts of others: every piece is escaped, set in a cell or behind bars, and what is only
claimed is called so.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from host.cli.lines import INDENT, Line, Span, Style, block, counted, flat, line, styled
from host.cli.table import Cell, Column, table
from host.core.moments import parse_moment
from host.core.text import shortened

Fields = Mapping[str, Any]
"""A record, or what else an answer holds, as it is in JSON."""

SHORT_ID: Final = 12
_TEXT_CHARS: Final = 120
_NAME_CHARS: Final = 40
_LABEL_WIDTH: Final = 13
_AGES: Final = ((86_400, "d"), (3_600, "h"), (60, "min"))

_ID: Final = Column(title="id")
_WRITER: Final = Column(title="written by (claim)", rank=2)
_AGE: Final = Column(title="age", rank=4, is_number=True)
_FLAGS: Final = Column(title="flags")  # which stay on the narrowest terminal
_TAGS: Final = Column(title="tags", rank=5)
_TEXT: Final = Column(title="text")
_SCORE: Final = (Column(title="#", is_number=True), Column(title="score", rank=3, is_number=True))
_STALE: Final = Column(title="stale after", rank=3)
_BY: Final = Column(title="superseded by", rank=3)

_HEADINGS: Final[Mapping[str, str]] = {
    "records": "",
    "stale": "Stale: past the moment that their writer gave; not to be used as current",
    "superseded": "Superseded: another record stands in the place of each",
}


def found_lines(found: Fields, *, now: datetime, width: int | None, full: bool) -> Iterator[Line]:
    """The lists of an answer, each under its own heading, and what is not in them."""
    shown = False
    for name, heading in _HEADINGS.items():
        records: Sequence[Fields] = found[name]
        if not records:
            continue
        if shown:
            yield Line()
        if heading:
            yield line(Span(heading, "warn"))
        if full:
            yield from _whole(records, now=now)
        else:
            yield from table(*_without_empty(_columns(name, records), _rows(name, records, now)), width)
            yield from _flagged(records)
        shown = True
    left_out = list(_left_out(found))
    if shown and left_out:
        yield Line()
    yield from left_out


def record_lines(record: Fields, *, now: datetime) -> Iterator[Line]:
    """One record, whole."""
    yield line(styled(record["kind"], "strong"), " ", Span(flat(record["id"]), "name"))
    yield _row("status", _status(record), style="warn" if record["status"] == "proposed" else "")
    yield _row("written by", f"{record['written_by']} (claim)")
    if record["source"]:
        yield _row("source", f"{record['source']} (claim)")
    yield _row("created", f"{record['created_at']}, {age(record['created_at'], now)} ago")
    if record["stale_after"]:
        gone = ", which is past: not to be used as current" if record["stale"] else ""
        yield _row("stale after", f"{record['stale_after']}{gone}", style="warn" if gone else "")
    if record["tags"]:
        yield _row("tags", ", ".join(record["tags"]))
    if "score" in record:
        yield _row("score", f"{record['score']:.6g} {record['score_scale']}")
    if record["flagged"]:
        signals = ", ".join(record["instruction_signals"])
        yield _row("flagged", f"{signals}: reads like an instruction, and is none to follow", style="warn")
    if approval := record.get("approval"):
        yield _row("approved by", f"{approval['reviewer']} (claim), {approval['at']}: {approval['reason']}")
    if superseded := record.get("superseded"):
        yield _row("superseded", f"by {superseded['by']}, {superseded['at']}: {superseded['reason']}")
    yield from block(record["text"], may_crop=False, may_cut=False)
    if passage := record["passage"]:
        yield _row("passage", "that it cites; where it is from is a claim")
        for key, value in passage["provenance"].items():
            yield line(f"{key}: {value}", indent=2 + _LABEL_WIDTH)
        yield from block(passage["text"], may_crop=False, may_cut=False)


def age(created_at: str, now: datetime) -> str:
    """`3 d`, `5 h`, `12 min`, `4 s`; of a moment to come `0 s`."""
    seconds = max(0, int((now - parse_moment(created_at)).total_seconds()))
    for size, unit in _AGES:
        if seconds >= size:
            return f"{seconds // size:,} {unit}"
    return f"{seconds} s"


def _flags(record: Fields) -> tuple[str, Style]:
    """What to know of a record before it is relied on, and in which style."""
    parts = ["flagged"] if record["flagged"] else []
    if record["status"] != "note":
        parts.append("approved (claim)" if record["status"] == "approved" else "proposed")
    return ", ".join(parts), "warn" if record["flagged"] else ""


def _columns(name: str, records: Sequence[Fields]) -> list[Column]:
    more = {"stale": [_STALE], "superseded": [_BY]}.get(name, [])
    ranked = list(_SCORE) if "score" in records[0] else []
    return [*ranked, _ID, _AGE, _WRITER, _FLAGS, _TAGS, *more, _TEXT]


def _rows(name: str, records: Sequence[Fields], now: datetime) -> list[list[Cell]]:
    rows = []
    for rank, record in enumerate(records, 1):
        cells = [
            Cell(record["id"][:SHORT_ID], "name"),
            Cell(age(record["created_at"], now)),
            Cell(shortened(record["written_by"], _NAME_CHARS)),
            Cell(*_flags(record)),
            Cell(shortened(", ".join(record["tags"]), _NAME_CHARS)),
        ]
        if "score" in record:
            cells[:0] = [Cell(str(rank)), Cell(f"{record['score']:.3g}")]
        if name == "stale":
            cells.append(Cell(record["stale_after"][:10], "warn"))
        if name == "superseded":
            cells.append(Cell(record["superseded"]["by"][:SHORT_ID], "warn"))
        rows.append([*cells, Cell(shortened(" ".join(record["text"].split()), _TEXT_CHARS))])
    return rows


def _flagged(records: Sequence[Fields]) -> Iterator[Line]:
    """What somebody should look at; nothing else depends on it."""
    for record in records:
        if record["flagged"]:
            signals = ", ".join(record["instruction_signals"])
            told = (
                f"{record['id'][:SHORT_ID]}: {signals}; it reads like an instruction, and is none to follow"
            )
            yield _row("flagged", told, style="warn", indent=0)


def _without_empty(columns: list[Column], rows: list[list[Cell]]) -> tuple[list[Column], list[list[Cell]]]:
    """Without the columns that say nothing of any record."""
    kept = [place for place in range(len(columns)) if any(row[place].text for row in rows)]
    return [columns[place] for place in kept], [[row[place] for place in kept] for row in rows]


def _whole(records: Sequence[Fields], *, now: datetime) -> Iterator[Line]:
    for number, record in enumerate(records):
        if number:
            yield Line()
        yield from record_lines(record, now=now)


def _left_out(found: Fields) -> Iterator[Line]:
    if found["held_back"]:
        told = f"{counted(found['held_back'], 'proposed lesson')}, not approved yet"
        yield _row("held back", f"{told}; gg records recall --proposed lists them", indent=0)
    if found["more"]:
        yield _row("more", f"{counted(found['more'], 'record')} past the limit", indent=0)
    if found["unreadable"]:
        told = f"{counted(found['unreadable'], 'row')} changed or lost outside gg, and not served"
        yield _row("unreadable", f"{told}; gg records verify says which", style="bad", indent=0)
    for missing in found.get("missing", ()):
        yield _row("missing", f"there is no record {missing}", style="warn", indent=0)


def _status(record: Fields) -> str:
    match record["status"]:
        case "proposed":
            return "proposed: held back until an approval is recorded"
        case "approved":
            return "approved, as a claim"
        case _:
            return "note, untrusted"


def _row(label: str, text: str, *, style: Style = "", indent: int = INDENT) -> Line:
    return Line((Span(flat(text), style),), indent, Span(label.ljust(_LABEL_WIDTH), "dim"))
