"""The fenced blocks of a Markdown page, so that tests can run what a reader would."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FENCE: Final = re.compile(r"^```(\w*)(?: +(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One block: its language, the file that the page says it is, its text, the line it begins on."""

    language: str
    file: str
    text: str
    line: int


def blocks(page: Path) -> tuple[Block, ...]:
    """All fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return tuple(
        Block(found[1], found[2] or "", found[3], text.count("\n", 0, found.start()) + 1)
        for found in _FENCE.finditer(text)
    )
