"""Lines of output as values, and the only way for foreign text to get into one.

Text of a program, a model or a file is escaped here: no control character reaches a terminal, and a text of
several lines cannot look like a line of gg's own, since each of its lines is set behind a bar.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from host.core.text import counted as counted
from host.core.text import escape_controls

Style = Literal[
    "", "dim", "strong", "good", "bad", "warn", "name", "keyword", "string", "number", "type", "comment"
]
INDENT: Final = 2
_LABEL_WIDTH: Final = 9
_MAX_LINE_CHARS: Final = 500
_TAB: Final = "    "


@dataclass(frozen=True)
class Span:
    """A piece of a line in one style; it holds no control character."""

    text: str
    style: Style = ""


BAR: Final = Span("│ ", "dim")


@dataclass(frozen=True)
class Line:
    """One line of output. `lead` stands before it; a bar stands before each row that it is wrapped into.

    `may_crop`: a narrow terminal cuts the line instead of wrapping it.
    """

    spans: tuple[Span, ...] = ()
    indent: int = 0
    lead: Span = Span("")
    may_crop: bool = False

    @property
    def text(self) -> str:
        """The line without styles."""
        words = "".join(span.text for span in self.spans)
        return f"{' ' * self.indent}{self.lead.text}{words}".rstrip()


def line(*parts: str | Span, indent: int = 0, lead: Span | None = None) -> Line:
    """A line of pieces that are safe, or made so."""
    spans = tuple(part if isinstance(part, Span) else Span(one_line(part)) for part in parts)
    return Line(spans, indent, lead or Span(""))


def labeled(label: str, *parts: str | Span, style: Style = "dim", indent: int = INDENT) -> Line:
    """An indented line that begins with what it tells: `program  12 lines`."""
    return line(*parts, indent=indent, lead=Span(label.ljust(_LABEL_WIDTH + INDENT - indent), style))


def styled(text: str, style: Style) -> Span:
    """Foreign text as a piece of a line."""
    return Span(one_line(text), style)


def one_line(text: str) -> str:
    """The text on one line, escaped, and cut where it is absurdly long."""
    whole = flat(text)
    return whole if len(whole) <= _MAX_LINE_CHARS else f"{whole[: _MAX_LINE_CHARS - 1]}…"


def flat(text: str) -> str:
    """The text on one line, escaped, however long it is."""
    return escape_controls(text.replace("\r\n", "\n")).replace("\n", " ").replace("\t", _TAB)


def block(
    text: str, *, style: Style = "", most: int | None = None, may_crop: bool = True, may_cut: bool = True
) -> Iterator[Line]:
    """The lines of a foreign text behind bars; beyond `most` they are counted, not shown.

    `may_crop`: a narrow terminal cuts them. `may_cut`: an absurdly long one is cut everywhere.
    """
    rows, hidden = shown_rows(text, most)
    for row in rows:
        yield behind_bar(Span(one_line(row) if may_cut else flat(row), style), may_crop=may_crop)
    if hidden:
        yield more_rows(hidden)


def shown_rows(text: str, most: int | None) -> tuple[list[str], int]:
    """The rows of a text that are shown, and how many are not: never one alone, which is shown instead.

    Of a text of which nothing is to be shown, nothing is counted either.
    """
    if most == 0:
        return [], 0
    rows = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    hidden = 0 if most is None or len(rows) <= most + 1 else len(rows) - most
    return rows[: len(rows) - hidden], hidden


def behind_bar(*spans: Span, may_crop: bool = False) -> Line:
    """A row of a foreign text."""
    return Line(spans, INDENT + _LABEL_WIDTH, BAR, may_crop=may_crop)


def more_rows(hidden: int) -> Line:
    """Stands for the rows that are not shown."""
    return behind_bar(Span(f"… {hidden:,} more lines", "dim"))


def to_text(lines: Iterable[Line]) -> str:
    """The lines as plain text, each ended by a line feed."""
    return "".join(f"{each.text}\n" for each in lines)
