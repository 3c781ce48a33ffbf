"""Puts markers into a text that is JSON so that it stays JSON."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(r'"((?:[^"\\]++|\\.)*+)"|[^\s\[\]{},:"]+', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_MOST_OF_ESCAPE: Final = 6
_CLOSING: Final = {"{": "}", "[": "]", '"': '"'}


class Edit(NamedTuple):
    """What stands from `start` to `end` of a text is to become `marker`."""

    start: int
    end: int
    marker: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with the markers in place. The edits are in order and do not overlap."""
    parts: list[str] = []
    done = 0
    for edit in edits:
        parts += (text[done : edit.start], edit.marker)
        done = edit.end
    return "".join((*parts, text[done:])) if parts else text


def is_json(text: str) -> bool:
    """Whether it is a document of JSON: an object, a list or a string."""
    bare = text.strip()
    if len(bare) < 2 or _CLOSING.get(bare[0]) != bare[-1]:
        return False
    try:
        json.loads(bare, parse_int=float, parse_float=str)  # a number may have any length
    except (ValueError, RecursionError):
        return False
    return True


def edited_json(text: str, edits: Iterable[Edit]) -> str:
    """A text that is JSON, edited within its strings, between escapes. A number, `true`, `false` or `null`
    that an edit touches becomes a string that is the marker; of what stands between such values nothing
    changes.
    """
    return edited(text, _in_tokens(text, list(edits)))


def _in_tokens(text: str, edits: list[Edit]) -> Iterator[Edit]:
    next_ = 0
    for token in _TOKEN.finditer(text):
        while next_ < len(edits) and edits[next_].end <= token.start():
            next_ += 1
        at = next_
        while at < len(edits) and edits[at].start < token.end():
            if token[1] is None:
                yield Edit(token.start(), token.end(), f'"{edits[at].marker}"')
                break
            clipped = _within(text, token.start(1), token.end(1), edits[at])
            if clipped is not None:
                yield clipped
            at += 1


def _within(text: str, begin: int, end: int, edit: Edit) -> Edit | None:
    """As much of the edit as lies in a string, whose text stands from `begin` to `end`."""
    start, stop = max(edit.start, begin), min(edit.end, end)
    if (escape := _escape_around(text, begin, start)) is not None:
        start = escape.start()
    if (escape := _escape_around(text, begin, stop)) is not None:
        # A backslash alone belongs to what follows, such as a quotation mark.
        stop = escape.start() if stop == escape.start() + 1 else escape.end()
    return Edit(start, stop, edit.marker) if start < stop else None


def _escape_around(text: str, begin: int, at: int) -> re.Match[str] | None:
    """The escape that begins before the place and ends after it, in a string that begins at `begin`."""
    for place in range(at - 1, max(begin, at - _MOST_OF_ESCAPE) - 1, -1):
        if text[place] == "\\" and _backslashes(text, begin, place) % 2:
            escape = _ESCAPE.match(text, place)
            return escape if escape is not None and escape.end() > at else None
    return None


def _backslashes(text: str, begin: int, at: int) -> int:
    """How many of them stand in a row that ends at the place."""
    first = at
    while first > begin and text[first - 1] == "\\":
        first -= 1
    return at - first + 1
