"""The keywords of a query, and which of them a text holds."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from host.core.terms import STOP_WORDS, is_unspaced
from host.core.unicode_text import nfkc, visible

MIN_CHARS: Final = 3
MAX_KEYWORDS: Final = 64
"""Keywords of a query that are searched for: the first ones."""


def keywords(query: str) -> tuple[str, ...]:
    """The distinct words of a query that have 3 or more characters and are no stop words, folded, in order.

    In a script that is written without spaces, whose characters say more, they are the pairs of neighbours.
    """
    found: dict[str, None] = {}
    for word in _words(fold(query)):
        for keyword in _keywords(word):
            found[keyword] = None
            if len(found) == MAX_KEYWORDS:
                return tuple(found)
    return tuple(found)


def fold(text: str) -> str:
    """The text without case, width and what is not seen in it; it has the same line feeds."""
    return text.lower() if text.isascii() else nfkc(visible(text)).casefold()


def count_held(folded: str, wanted: tuple[str, ...]) -> int:
    """How many of the keywords stand anywhere in a folded text, also within words."""
    return sum(keyword in folded for keyword in wanted)


def _words(text: str) -> Iterator[str]:
    if text.isascii():
        yield from "".join(char if char.isalnum() or char == "_" else " " for char in text).split()
    else:
        yield from "".join(char if _is_of_word(char) else " " for char in text).split()


def _is_of_word(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.category(char)[0] == "M"


def _keywords(word: str) -> Iterator[str]:
    for unspaced, group in groupby(word, is_unspaced):
        run = "".join(group)
        if unspaced:
            yield from (run[at : at + 2] for at in range(len(run) - 1))
        elif len(run) >= MIN_CHARS and run not in STOP_WORDS:
            yield run
