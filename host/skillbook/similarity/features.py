"""What two embedding texts are compared by: their stemmed words and their character 4-grams, with counts.

Words are the terms of `host.core.terms`. The grams are those of the text's pieces between white space, each
normalised, without punctuation at its ends and between two `|`: `|file|` has `|fil`, `file` and `ile|`. A
piece of fewer than two characters is a gram itself.

In the line of keywords, which an embedding text ends with, `_` stands for a space and is read as one; the
label of the line is no word of the skill and is left out.
"""

import string
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Final

from host.core.terms import terms
from host.core.unicode_text import nfkc, visible

GRAM_CHARS: Final = 4
EDGE: Final = "|"

_KEYWORDS: Final = "Keywords: "
_PUNCTUATION: Final = frozenset(string.punctuation)
_CACHED_PIECES: Final = 2**15


def compared_text(text: str) -> str:
    """The text without the label of its keywords, and these with spaces in them."""
    before, label, keywords = text.rpartition(_KEYWORDS)
    if not label or "\n" in keywords or before not in {"", before.rstrip("\n") + "\n\n"}:
        return text
    return before + keywords.replace("_", " ")


def words(text: str) -> Counter[str]:
    """How often each stemmed word stands in an embedding text."""
    return Counter(terms(compared_text(text)))


def grams(text: str) -> Counter[str]:
    """How often each character 4-gram stands in an embedding text."""
    found: Counter[str] = Counter()
    for piece in compared_text(text).split():
        found.update(_cached_grams(piece))
    return found


def _grams(piece: str) -> tuple[str, ...]:
    folded = piece.lower() if piece.isascii() else nfkc(visible(piece)).casefold()
    begin, end = 0, len(folded)
    while begin < end and _is_punctuation(folded[begin]):
        begin += 1
    while begin < end and _is_punctuation(folded[end - 1]):
        end -= 1
    if begin == end:
        return ()
    edged = f"{EDGE}{folded[begin:end]}{EDGE}"
    return tuple(edged[at : at + GRAM_CHARS] for at in range(max(1, len(edged) - GRAM_CHARS + 1)))


_cached_grams: Final = lru_cache(_CACHED_PIECES)(_grams)


def _is_punctuation(char: str) -> bool:
    return char in _PUNCTUATION if char.isascii() else unicodedata.category(char)[0] == "P"
