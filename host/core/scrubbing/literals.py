"""Secrets that are known: each as it is, as it is spelt inside a string of JSON, and in a URL."""

import json
import string
from collections.abc import Iterable, Iterator
from typing import Final

from host.core.scrubbing.folded import Folded

RULE: Final = "literal"
MIN_LINE_CHARS: Final = 16
"""Characters of a line of a secret of several lines that is looked for by itself."""
_UNRESERVED: Final = frozenset((string.ascii_letters + string.digits + "-._~").encode())


def forms(literals: Iterable[str]) -> tuple[str, ...]:
    """Every spelling that is looked for. Blank literals are none."""
    found: dict[str, None] = {}
    for literal in map(str.strip, literals):
        lines = [line for line in map(str.strip, literal.split("\n")) if len(line) >= MIN_LINE_CHARS]
        for part in filter(None, (literal, *lines)):
            once = {json.dumps(part, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False)}
            twice = {json.dumps(form, ensure_ascii=False)[1:-1] for form in once}
            found.update(
                dict.fromkeys((part, *sorted(once), *sorted(twice), in_url(part), Folded(part).text))
            )
    return tuple(form for form in found if form)


def places(text: str, spellings: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where any of the spellings stands, also where they overlap."""
    for form in spellings:
        at = text.find(form)
        while at >= 0:
            yield at, at + len(form)
            at = text.find(form, at + 1)


def in_url(text: str) -> str:
    """The text as a part of a URL spells it."""
    encoded = text.encode("utf-8", "replace")
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in encoded)
