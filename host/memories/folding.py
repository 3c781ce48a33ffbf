"""Texts as a search compares them: composed, and without case; and the way back to the original.

Both steps change lengths (`ß` becomes `ss`, an `e` under a combining accent one character), so a place in the
folded text is not the same place in the original.
"""

import re
import unicodedata
from itertools import pairwise
from typing import Final

MAX_MARKS: Final = 30
"""Of one run of combining marks, those that are composed together: to order n of them takes up to n² steps,
during which nothing else of the process runs. No script puts so many on one letter."""
_SHORT_CHARS: Final = 500
"""Of a text that is composed whole, whatever stands in it."""

_MAX_COMPOSED: Final = 4
"""Characters that compose to one, less those of a combining class: Hangul's three, and one to spare."""


def fold(text: str) -> str:
    return _composed(text).casefold()


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


def _composed(text: str) -> str:
    if len(text) <= _SHORT_CHARS or text.isascii():
        return unicodedata.normalize("NFC", text)
    marks = re.escape("".join(filter(_is_mark, set(text))))
    if not marks:
        return unicodedata.normalize("NFC", text)
    full = re.compile(f"[{marks}]{{{MAX_MARKS}}}(?=[{marks}])")
    cuts = [0, *(run.end() for run in full.finditer(text)), len(text)]
    return "".join(unicodedata.normalize("NFC", text[begin:end]) for begin, end in pairwise(cuts))


def _is_mark(character: str) -> bool:
    """Whether it may be put in order with others of its kind, as it is or as what it comes apart to."""
    return unicodedata.combining(unicodedata.normalize("NFD", character)[0]) > 0


def _character_at(text: str, offset: int) -> tuple[int, int]:
    """Where the character, with what composes with it, stands that shows at `offset` of the folded text.

    It is found by halves, each folded once.
    """
    begin, end, passed = 0, len(text), 0
    while (cut := _cut_within(text, begin, end)) is not None:
        width = len(fold(text[begin:cut]))
        if passed + width > offset:
            end = cut
        else:
            begin, passed = cut, passed + width
    if passed + len(fold(text[begin:end])) <= offset:
        raise ValueError(f"the folded text has no character {offset}")
    return begin, end


def _cut_within(text: str, begin: int, end: int) -> int | None:
    """A place near the middle at which the text comes apart into two that each compose for themselves."""
    middle = (begin + end) // 2
    right = (at for at in range(max(begin + 1, middle), end) if not _composes(text, at))
    left = (at for at in range(middle - 1, begin, -1) if not _composes(text, at))
    return next(right, None) or next(left, None)


def _composes(text: str, at: int) -> bool:
    """Whether the character there may become one with what stands before it."""
    character = text[at]
    if unicodedata.combining(character):
        return True
    before = text[max(0, at - _MAX_COMPOSED) : at]
    apart = unicodedata.normalize("NFC", before) + unicodedata.normalize("NFC", character)
    return unicodedata.normalize("NFC", before + character) != apart
