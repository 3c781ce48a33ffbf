"""A table that fits the terminal: columns go where there is no room for all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len, set_cell_size

from host.cli.lines import Line, Span, Style, flat

_GAP: Final = 2
_LEAST_LAST: Final = 24


@dataclass(frozen=True, kw_only=True)
class Column:
    """`rank` says which go first where there is no room: the highest. One of rank 0 always stays."""

    title: str
    rank: int = 0
    is_number: bool = False


@dataclass(frozen=True)
class Cell:
    text: str
    style: Style = ""


def table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int | None) -> Iterator[Line]:
    """The heading and the rows. The last column is cut to what is left; a width of `None` has no end."""
    heading = [Cell(column.title, "dim") for column in columns]
    cells = [[Cell(flat(cell.text), cell.style) for cell in row] for row in (heading, *rows)]
    widths = [max(cell_len(cell.text) for cell in column) for column in zip(*cells, strict=True)]
    shown = _shown(columns, widths, width)
    for row in cells:
        yield Line(tuple(_spans([row[place] for place in shown], columns, shown, widths, width)))


def _shown(columns: Sequence[Column], widths: list[int], width: int | None) -> list[int]:
    """The places of the columns that there is room for."""
    shown = list(range(len(columns)))
    while width is not None and _needed(shown, widths) > width:
        first_to_go = max(shown[:-1], key=lambda place: columns[place].rank)
        if columns[first_to_go].rank == 0:
            break
        shown.remove(first_to_go)
    return shown


def _needed(shown: list[int], widths: list[int]) -> int:
    *fixed, last = shown
    return sum(widths[place] + _GAP for place in fixed) + min(widths[last], _LEAST_LAST)


def _spans(
    row: list[Cell], columns: Sequence[Column], shown: list[int], widths: list[int], width: int | None
) -> Iterator[Span]:
    left = width
    for place, cell in zip(shown[:-1], row, strict=False):
        padding = " " * (widths[place] - cell_len(cell.text))
        text = f"{padding}{cell.text}" if columns[place].is_number else f"{cell.text}{padding}"
        yield Span(f"{text}{' ' * _GAP}", cell.style)
        left = None if left is None else left - widths[place] - _GAP
    last = row[-1]
    is_cut = left is not None and cell_len(last.text) > left
    yield Span(f"{set_cell_size(last.text, max(left or 0, 1) - 1)}…" if is_cut else last.text, last.style)
