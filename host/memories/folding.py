"""Texts as a search compares them: composed, and without case; and the way back to the original.

Both steps change lengths (`ß` becomes `ss`, an `e` under a combining accent one character), so a place in the
folded text is not the same place in the original.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

# A text may be parted before every ASCII character: none composes with what stands before it.
_PIECE: Final = re.compile(r"[\x00-\x7f]+(?=[\x00-\x7f])|[\x00-\x7f]?[^\x00-\x7f]+|[\x00-\x7f]")
_MAX_COMPOSED: Final = 4
"""Characters that compose to one, less those of a combining class: Hangul's three, and one to spare."""


def fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def original_span(text: str, folded: str, start: int, end: int) -> tuple[int, int]:
    """Where the characters stand in `text` that show as `folded[start:end]`, which is not empty.

    `folded` is `fold(text)`. A character that shows there in part counts whole, and with the marks on it: the
    `i` of `ﬁ` is the `ﬁ`.
    """
    if len(text) != len(folded) or not unicodedata.is_normalized("NFC", text):
        return _character_at(text, start)[0], _character_at(text, end - 1)[1]
    # Folding leaves at least one of each character, so here it left one of each.
    while start and unicodedata.combining(text[start]):
        start -= 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return start, end


def _character_at(text: str, offset: int) -> tuple[int, int]:
    """Where the character, with what composes with it, stands that shows at `offset` of the folded text."""
    at = passed = 0
    for piece in _PIECE.finditer(text):
        width = len(fold(piece[0]))
        if passed + width > offset:
            break
        at, passed = piece.end(), passed + width
    else:
        raise ValueError(f"the folded text has no character {offset}")
    if piece[0].isascii():
        return at + offset - passed, at + offset - passed + 1
    for cluster in _clusters(piece[0]):
        passed += len(fold(cluster))
        if passed > offset:
            return at, at + len(cluster)
        at += len(cluster)
    raise AssertionError("the parts of a piece fold to the piece folded")


def _clusters(text: str) -> Iterator[str]:
    """The text in the least parts that each compose for themselves."""
    begin = 0
    for at in range(1, len(text)):
        if not _composes(text[max(begin, at - _MAX_COMPOSED) : at], text[at]):
            yield text[begin:at]
            begin = at
    yield text[begin:]


def _composes(before: str, character: str) -> bool:
    """Whether a character may become one with what stands before it."""
    if unicodedata.combining(character):
        return True
    apart = unicodedata.normalize("NFC", before) + unicodedata.normalize("NFC", character)
    return unicodedata.normalize("NFC", before + character) != apart
