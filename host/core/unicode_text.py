"""What two spellings of the same text have in common by Unicode's own rules."""

import re
import unicodedata
from itertools import groupby
from typing import Final

MAX_MARKS: Final = 30
"""Combining marks that are read on one letter, as in Unicode's Stream-Safe Text Format."""

_IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Marks are neither letters nor white space, but for two of half width which NFKC makes marks of.
_MANY_MARKS: Final = re.compile(rf"(?:[^\w\s]|[\uff9e\uff9f]){{{MAX_MARKS + 1},}}")


def visible(text: str) -> str:
    """The text without what is not seen in it: zero-width characters, soft hyphens, marks of direction,
    variation selectors, tags (Default_Ignorable_Code_Point).
    """
    return text if text.isascii() else _IGNORABLE.sub("", text)


def nfkc(text: str) -> str:
    """The text in NFKC, in time proportional to it: of marks in a row no more than `MAX_MARKS` stay.

    Sorting them takes time that grows with the square of their number.
    """
    return unicodedata.normalize("NFKC", text if text.isascii() else _MANY_MARKS.sub(_fewer_marks, text))


def nfc(text: str) -> str:
    """The text in NFC, to the letter, in time that hardly grows faster than it does."""
    return unicodedata.normalize("NFC", text if text.isascii() else _MANY_MARKS.sub(_sorted_marks, text))


def _sorted_marks(run: re.Match[str]) -> str:
    """The same to NFC, which has nothing left to sort: see `nfkc`."""
    parts = groupby("".join(unicodedata.normalize("NFD", char) for char in run[0]), _is_of_class)
    return "".join("".join(sorted(part, key=unicodedata.combining) if has else part) for has, part in parts)


def _is_of_class(char: str) -> bool:
    return unicodedata.combining(char) != 0


def _fewer_marks(run: re.Match[str]) -> str:
    parts = ("".join(part) for part in (list(group) for _, group in groupby(run[0], _is_mark)))
    return "".join(part[:MAX_MARKS] if _is_mark(part[0]) else part for part in parts)


def _is_mark(char: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFKD", char)[0]) != 0
