"""Lays out what a template gave: paragraphs and lists, filled to a width, one blank line between them.

A template can so have one sentence on each line, whatever is left out or put in.
"""

import re
import textwrap
from collections.abc import Iterator
from typing import Final

WIDTH: Final = 100
_ITEM: Final = "- "
_BLANK_LINES: Final = re.compile(r"\n(?:[ \t]*\n)+")
_CODE: Final = re.compile("`[^`]*`")
_HELD: Final = "\0"  # stands for a space at which no line is broken


def lay_out(text: str) -> str:
    """The text in lines of at most `WIDTH` columns. What stands in backticks is never broken."""
    blocks = (block for block in _BLANK_LINES.split(text.strip()) if block)
    return "\n\n".join("\n".join(map(_fill, _pieces(block))) for block in blocks)


def _pieces(block: str) -> Iterator[str]:
    """A block's items, and what stands before the first one, each on one line."""
    piece: list[str] = []
    for line in block.splitlines():
        if line.startswith(_ITEM) and piece:
            yield " ".join(piece)
            piece = []
        piece.append(line.strip())
    yield " ".join(piece)


def _fill(piece: str) -> str:
    held = _CODE.sub(lambda code: code[0].replace(" ", _HELD), piece)
    filled = textwrap.fill(
        held,
        WIDTH,
        subsequent_indent=" " * len(_ITEM) if piece.startswith(_ITEM) else "",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return filled.replace(_HELD, " ")
