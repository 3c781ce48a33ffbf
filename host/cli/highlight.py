"""Programs and diagnostics as lines in which a person finds their way: spans by kind of token.

The text is the same as without styles, and as safe: every piece of it is escaped. What a hostile program can
cost is bounded, since the lexer takes quadratic time over some texts.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from time import monotonic
from typing import TYPE_CHECKING, Final

from host.cli.lines import Line, Span, Style, behind_bar, block, flat, more_rows, one_line, shown_rows

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

MAX_LEXED_CHARS: Final = 64 * 1024
MAX_LEXING_S: Final = 0.1
"""What is left of a program after either is shown plain."""

Token = tuple[Style, str]

# By the beginning of a token's kind, the longer first.
_STYLES: Final[tuple[tuple[str, Style], ...]] = (
    ("Keyword.Type", "type"),
    ("Keyword.Constant", "number"),
    ("Keyword", "keyword"),
    ("Operator.Word", "keyword"),
    ("Comment", "comment"),
    ("Literal.String.Interpol", "keyword"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Name.Builtin", "type"),
    ("Name.Exception", "type"),
)
_LOCATED: Final = re.compile(
    r"(?P<place>\S+:\d+:\d+: )(?P<severity>error|warning)(?P<code> \w+)?(?P<told>: .*)"
)
_SOURCE_ROW: Final = re.compile(r"(?P<gutter> *\d+ \| )(?P<source>.*)")
_CARET_ROW: Final = re.compile(r" +\| [ \t]*\^+\s*")


def program_block(
    text: str,
    *,
    most: int | None = None,
    may_crop: bool = True,
    may_cut: bool = True,
    colours: bool = True,
    now: Callable[[], float] = monotonic,
) -> Iterator[Line]:
    """The lines of a program in TypeScript behind bars, as `block` has those of any text, and so without
    `colours`.
    """
    if not colours:
        yield from block(text, most=most, may_crop=may_crop, may_cut=may_cut)
        return
    rows, hidden = shown_rows(text, most)
    if not rows:
        return
    for row in _rows(_tokens("\n".join(rows), now), may_cut=may_cut):
        yield behind_bar(*row, may_crop=may_crop)
    if hidden:
        yield more_rows(hidden)


def diagnostic_block(text: str, *, most: int | None = None) -> Iterator[Line]:
    """The lines of an error behind bars: what is said stands out, and so does its place."""
    is_first = True
    for each in block(text, most=most, may_crop=False):
        yield behind_bar(*_diagnostic_row(each, is_first=is_first))
        is_first = False


def _tokens(text: str, now: Callable[[], float]) -> list[Token]:
    """Pieces of the text, in order and without a gap; the last one is what was not looked at."""
    tokens: list[Token] = []
    until_s, done = now() + MAX_LEXING_S, 0
    for _, kind, piece in _lexer().get_tokens_unprocessed(text[:MAX_LEXED_CHARS]):
        tokens.append((_style_of(kind), piece))
        done += len(piece)
        if now() >= until_s:
            break
    return [*tokens, ("", text[done:])]


@cache
def _lexer() -> "Lexer":
    # Not at the start of every command: most of them show no program.
    from pygments.lexers.javascript import TypeScriptLexer

    return TypeScriptLexer()


@cache
def _style_of(kind: "_TokenType") -> Style:
    name = str(kind).removeprefix("Token.")
    return next((style for start, style in _STYLES if name.startswith(start)), "")


def _rows(tokens: list[Token], *, may_cut: bool) -> Iterator[tuple[Span, ...]]:
    """The tokens as rows of spans, of which neighbours of one style are joined."""
    row: list[Token] = []
    for style, piece in tokens:
        first, *others = piece.split("\n")
        row.append((style, first))
        for other in others:
            yield _spans(row, may_cut=may_cut)
            row = [(style, other)]
    yield _spans(row, may_cut=may_cut)


def _spans(row: list[Token], *, may_cut: bool = True) -> tuple[Span, ...]:
    """As `one_line` has the row, or `flat` where it may not be cut."""
    text = "".join(piece for _, piece in row)
    whole = one_line(text) if may_cut else flat(text)
    spans: list[Span] = []
    done = 0
    for style, group in groupby(row, key=lambda token: token[0]):
        length = len(flat("".join(piece for _, piece in group)))
        # From the whole line, so that the mark of a cut is in it.
        if piece := whole[done : done + length]:
            spans.append(Span(piece, style))
        done += length
    return tuple(spans)


def _diagnostic_row(row: Line, *, is_first: bool) -> tuple[Span, ...]:
    text = "".join(span.text for span in row.spans)
    if found := _LOCATED.fullmatch(text):
        severity: Style = "bad" if found["severity"] == "error" else "warn"
        return (
            Span(found["place"], "name"),
            Span(f"{found['severity']}{found['code'] or ''}", severity),
            Span(found["told"], "strong"),
        )
    if found := _SOURCE_ROW.fullmatch(text):
        source = _spans(_tokens(found["source"], monotonic))
        return Span(found["gutter"], "dim"), *source
    if _CARET_ROW.fullmatch(text):
        return (Span(text, "bad"),)
    return (Span(text, "strong"),) if is_first else row.spans
