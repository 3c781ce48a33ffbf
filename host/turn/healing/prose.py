"""Takes the sentences before and after a program away, where it stands in no fence."""

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Final

from host.turn.healing.line_shapes import is_certainly_code, is_certainly_prose, is_ornament
from runtime_js import is_left_open

_FENCE: Final = re.compile("^[ \\t>\u200b\u2060\ufeff]*(?:`{3}|~{3})", re.MULTILINE)
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
    lines = lines[_run(lines) :]
    last = len(lines) - _run(reversed(lines))
    if last < len(lines) and _is_whole(lines[:last]):
        lines = lines[:last]
    stripped = "\n".join(lines)
    return stripped if len(stripped) < len(text) and any(map(is_certainly_code, lines)) else None


def _run(lines: Iterable[str]) -> int:
    """How many of the lines are prose, from the first; none if there are ornaments and no sentence."""
    run = list(takewhile(lambda line: not line.strip() or _goes_with_prose(line), lines))
    return len(run) if any(map(is_certainly_prose, run)) else 0


def _goes_with_prose(line: str) -> bool:
    return is_certainly_prose(line) or is_ornament(line)


def _is_whole(lines: list[str]) -> bool:
    """Whether the program ends with these: a line after a literal, a bracket or an operator is part of it."""
    code = "\n".join(lines).rstrip()
    last = code[code.rfind("\n") + 1 :].lstrip()
    return not is_left_open(code) and (last.startswith("//") or not _GOES_ON.search(last))
