"""Drops the second half of a reply that was sent twice."""

import re
from typing import Final

_SPACE: Final = re.compile(r"\s*")
# What no module declares twice.
_DECLARES: Final = re.compile(r"^(?:export\s+)?(?:import\b[^(]*\bfrom\b|const\b|let\b|class\b)", re.MULTILINE)


def drop_doubled(text: str) -> str | None:
    """One of two identical halves; `None` where the text is not such.

    White space may stand between the halves if neither can be meant beside the other, as what it declares
    would be declared twice.
    """
    text = text.strip()
    half = text[: len(text) // 2]
    if text and half + half == text:
        return half
    first = half.rstrip()
    second = text[len(first) :].lstrip()
    return first if first == second and _DECLARES.search(first) else None
