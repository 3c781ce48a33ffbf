"""Takes the sentences before and after a program away, where it stands in no fence."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final

from host.turn.healing.line_shapes import (
    ends_a_sentence,
    is_certainly_code,
    is_certainly_prose,
    is_ornament,
)
from runtime_js import is_left_open

_FENCE: Final = re.compile("^[ \\t>\u200b\u2060\ufeff]*(?:`{3}|~{3})", re.MULTILINE)
_LAST_WORDS: Final = re.compile(r"[^\W\d_][\w,' -]{0,60}[.!?]")
_LABEL: Final = re.compile(r"\w+[:.!]")
# A line that ends so is not the end of a statement.
_GOES_ON: Final = re.compile(r"(?<!\+)\+$|(?<!-)-$|[=,*%&|^?:<.(\[{\\~]$|=>$")


def strip_prose(text: str) -> str | None:
    """What is left without its first and last lines of prose; `None` where nothing goes.

    Nothing does while a fence is left, and where no line of code would be. The last lines stay where the
    program before them is cut short.
    """
    if _FENCE.search(text):
        return None
    lines = text.split("\n")
    if not _begins_in_a_comment(text):
        lines = lines[_leading(lines) :]
    last = len(lines) - _trailing(lines)
    if last < len(lines) and _is_whole(lines[:last]):
        lines = lines[:last]
    stripped = "\n".join(lines)
    return stripped if len(stripped) < len(text) and any(map(is_certainly_code, lines)) else None


def _begins_in_a_comment(text: str) -> bool:
    """Whether a comment ends before one begins, so that its first line is missing."""
    begins, ends = text.find("/*"), text.find("*/")
    return ends >= 0 and not 0 <= begins < ends


def _leading(lines: Sequence[str]) -> int:
    return _length_of_prose(range(len(lines)), lines)


def _trailing(lines: Sequence[str]) -> int:
    return _length_of_prose(range(len(lines) - 1, -1, -1), lines)


def _length_of_prose(places: Iterable[int], lines: Sequence[str]) -> int:
    """How many lines are prose, from the first of `places`; none if there are ornaments and no sentence."""
    run = list(takewhile(lambda place: _goes_with_prose(lines, place), places))
    if run and _LABEL.fullmatch(lines[run[-1]].strip()):
        run.pop()  # right beside the code, it may be part of it
    return len(run) if any(is_certainly_prose(lines[place]) for place in run) else 0


def _goes_with_prose(lines: Sequence[str], place: int) -> bool:
    line = lines[place]
    return (
        not line.strip() or is_certainly_prose(line) or is_ornament(line) or _ends_a_paragraph(lines, place)
    )


def _ends_a_paragraph(lines: Sequence[str], place: int) -> bool:
    """Whether the line is the few words that were left of a sentence of the line before."""
    before = lines[place - 1] if place else ""
    return (
        _LAST_WORDS.fullmatch(lines[place].strip()) is not None
        and is_certainly_prose(before)
        and not ends_a_sentence(before)
    )


def _is_whole(lines: list[str]) -> bool:
    """Whether the program ends with these: a line after a literal, a bracket or an operator is part of it."""
    code = "\n".join(lines).rstrip()
    last = code[code.rfind("\n") + 1 :].lstrip()
    return not is_left_open(code) and (last.startswith("//") or not _GOES_ON.search(last))
