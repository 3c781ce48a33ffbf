"""Located diagnostics as a model and an operator read them.

Every line of the result is the host's: a message is put on one line, what could disturb a line is escaped,
and a source line stands behind its gutter. What does not fit is counted in a closing line.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate, takewhile
from typing import Final, Literal

from runtime_js.units import Diagnostic

__all__ = ["Diagnostic", "Severity", "render_diagnostics"]

Severity = Literal["error", "warning"]

_MAX_DIAGNOSTICS: Final = 20
_MAX_BYTES: Final = 8 * 2**10
_MAX_MESSAGE_CHARS: Final = 1_000
_MAX_WIDTH: Final = 100  # columns of a source line that are shown
_MAX_WIDTH_BEFORE: Final = 60  # of them before the caret, in a line that is cut
_JOINERS: Final = "\u200c\u200d"  # parts of words and of emoji


def render_diagnostics(
    diagnostics: Sequence[Diagnostic], *, show_source: bool = True, severity: Severity = "error"
) -> str:
    """One block per diagnostic: its place and message, its source line, and a caret under the place.

    At most 20 blocks and 8 KiB of UTF-8, the closing line included. All are of one severity.
    """
    blocks: list[str] = []
    room = _MAX_BYTES - len(_closing(len(diagnostics), severity))
    for diagnostic in diagnostics[:_MAX_DIAGNOSTICS]:
        block = _block(diagnostic, severity, show_source=show_source)
        room -= len(block.encode()) + 1
        if room < 0:
            break
        blocks.append(block)
    if len(blocks) < len(diagnostics):
        blocks.append(_closing(len(diagnostics) - len(blocks), severity))
    return "\n".join(blocks)


def _closing(count: int, severity: Severity) -> str:
    return f"{count:,} more {severity}{'' if count == 1 else 's'} not shown"


def _block(diagnostic: Diagnostic, severity: Severity, *, show_source: bool) -> str:
    kind = f"{severity} {diagnostic.code}" if diagnostic.code else severity
    place = f"{_escape(diagnostic.file)}:{diagnostic.line}:{diagnostic.column}"
    head = f"{place}: {kind}: {_one_line(diagnostic.message)}"
    if not show_source or diagnostic.source_line is None:
        return head
    shown, blank = _excerpt(diagnostic.source_line, diagnostic.column - 1)
    gutter = str(diagnostic.line)
    return f"{head}\n  {gutter} | {shown}\n  {' ' * len(gutter)} | {blank}^"


def _one_line(message: str) -> str:
    """TypeScript explains over several lines, each a sentence of its own."""
    text = _escape(" ".join(line.strip() for line in re.split(r"[\r\n]+", message)))
    rest = len(text) - _MAX_MESSAGE_CHARS
    return text if rest <= 0 else f"{text[:_MAX_MESSAGE_CHARS]}… ({rest:,} more characters)"


def _excerpt(line: str, column: int) -> tuple[str, str]:
    """The part of a source line around the character at `column`, and the blank before the caret under it."""
    first = max(0, column - _MAX_WIDTH)
    before = [_shown(character) for character in line[first:column]]
    after = [_shown(character) for character in line[column : column + _MAX_WIDTH + 1]]
    is_whole = first == 0 and column + len(after) == len(line)
    if is_whole and _width(before) + _width(after) <= _MAX_WIDTH:
        left, right = before, after
    else:
        left = _fitting(before[::-1], _MAX_WIDTH_BEFORE)[::-1]
        right = _fitting(after, _MAX_WIDTH - _width(left))
    head = "…" if first > 0 or len(left) < len(before) else ""
    tail = "…" if len(right) < len(after) or column + len(after) < len(line) else ""
    # A tab under a tab keeps the caret in its column whatever the width of a tab.
    blank = "".join("\t" if shown == "\t" else " " * _width([shown]) for shown in left)
    return head + "".join(left) + "".join(right) + tail, " " * len(head) + blank


def _fitting(pieces: list[str], width: int) -> list[str]:
    """As many of the first pieces as are no wider than `width` together."""
    widths = accumulate(_width([piece]) for piece in pieces)
    return [
        piece for piece, _ in zip(pieces, takewhile(lambda so_far: so_far <= width, widths), strict=False)
    ]


def _width(pieces: Sequence[str]) -> int:
    return sum(_WIDTHS.get(_kind(character), 1) for piece in pieces for character in piece)


_WIDTHS: Final = {"W": 2, "F": 2, "combining": 0}


def _kind(character: str) -> str:
    if character in _JOINERS or unicodedata.category(character) in ("Mn", "Me"):
        return "combining"
    return unicodedata.east_asian_width(character)


def _escape(text: str) -> str:
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text)).replace("\t", " ")


def _shown(character: str) -> str:
    """A character as it may stand in a line: what moves the cursor or hides is escaped, but for the tab."""
    if character.isprintable() or character in _JOINERS or character == "\t":
        return character
    if unicodedata.category(character) in ("Zs", "Co", "Cn"):
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\u{{{code:x}}}"
