"""Where the sentences of a text are.

A sentence ends at the end of its line, at `.`, `!`, `?` or `…` before white space, with the quotes and
brackets that close there, and at the full stops of Chinese and Japanese wherever they stand. A full stop
after an abbreviation, an initial or the number of a list ends nothing; one within a number or a name neither.
"""

import re
from collections.abc import Iterator
from typing import Final

Span = tuple[int, int]

_LINE: Final = re.compile("[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_CLOSING: Final = "\"'\u201d\u2019\u00bb\u203a)\\]}\u300d\u300f\u3011\u300b\uff09\uff02"
_END: Final = re.compile(
    rf"[.!?\u2026\u061f\u06d4\u0964\u0965]++[{_CLOSING}*_`]*+(?=\s|$)|[\u3002\uff01\uff1f\uff61]++[{_CLOSING}]*+"
)
_LAST_WORD: Final = re.compile(r"[^\W_][\w.]*$")
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_LIST_NUMBER: Final = re.compile(r"[\s>*+-]*\d{1,3}")
_MAX_WORD_CHARS: Final = 24

_TITLES: Final = """
    mr mrs ms dr prof st rev hon gen col capt lt sgt messrs
    approx cf vs fig figs eq sec ch vol ed eds p pp viz resp dept univ est max min
    jan feb mar apr jun jul aug sep sept oct nov dec
    bzw ca evtl ggf inkl nr usw vgl
"""
TITLES: Final = frozenset(_TITLES.split())
"""Abbreviations that something follows."""
_BEFORE_NUMBERS: Final = frozenset(["no", "art", "para"])
_LAST: Final = frozenset(["etc", "inc", "ltd", "co", "corp", "jr", "sr", "al", "a.m", "p.m"])
"""Abbreviations that a sentence may end with: the next one begins with a capital."""


def sentence_spans(text: str) -> list[Span]:
    """The sentences of a text as [start, end), in order, without the white space around them. Takes time in
    proportion to the text.
    """
    return [
        span
        for line in _LINE.finditer(text)
        for begin, end in _of_line(text, line.start(), line.end())
        if (span := _stripped(text, begin, end)) is not None
    ]


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order."""
    return [text[begin:end] for begin, end in sentence_spans(text)]


def _of_line(text: str, begin: int, end: int) -> Iterator[Span]:
    for mark in _END.finditer(text, begin, end):
        if mark[0][0] != "." or _ends(text, begin, mark, end):
            yield begin, mark.end()
            begin = mark.end()
    yield begin, end


def _ends(text: str, begin: int, mark: re.Match[str], end: int) -> bool:
    """Whether a full stop ends the sentence that begins at `begin`."""
    following = text[mark.end() : min(end, mark.end() + _MAX_WORD_CHARS)].lstrip()[:1]
    if mark[0].startswith(".."):
        return not following.islower()
    before = text[max(begin, mark.start() - _MAX_WORD_CHARS) : mark.start()]
    if len(before) < _MAX_WORD_CHARS and _LIST_NUMBER.fullmatch(before):
        return False
    found = _LAST_WORD.search(before)
    if found is None or mark[0] != ".":
        return True
    word = found[0].casefold()
    if word in _LAST:
        return not following or following.isupper()
    if word in _BEFORE_NUMBERS:
        return not following.isdigit()
    return not (word in TITLES or _INITIALS.fullmatch(word)) or not following


def _stripped(text: str, begin: int, end: int) -> Span | None:
    while begin < end and text[begin].isspace():
        begin += 1
    while begin < end and text[end - 1].isspace():
        end -= 1
    return (begin, end) if begin < end else None
