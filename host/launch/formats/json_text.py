"""JSON, with nothing lost on the way: the standard parser keeps the last of two equal keys, and takes NaN."""

import json
import re
from collections.abc import Mapping
from typing import Final

from host.launch.formats.values import (
    Parsed,
    SyntaxFault,
    TooDeep,
    to_float,
    to_int,
    to_pairs,
    to_values,
)
from host.launch.places import Path

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:\n]|[^\s\[\]{},:"]+')


def parse_json(text: str) -> Parsed:
    """The document. Raises `SyntaxFault`, `TooDeep`."""
    try:
        raw = json.loads(
            text,
            object_pairs_hook=to_pairs,
            parse_constant=to_float,
            parse_int=to_int,
            parse_float=to_float,
        )
    except json.JSONDecodeError as err:
        told = err.msg.removesuffix(" at").removesuffix(" starting")
        message = f"no JSON: {told[:1].lower()}{told[1:]}"
        raise SyntaxFault(message, err.lineno, err.colno) from err
    except RecursionError as err:
        raise TooDeep from err
    value, problems = to_values(raw)
    return Parsed(value, problems, _lines(text))


def _lines(text: str) -> Mapping[Path, int]:
    """The line of every key and entry of a text that has been parsed, and is therefore well-formed."""
    lines: dict[Path, int] = {(): 1}
    line = 1
    steps: list[str | int | None] = []  # of each object or list around: its key, none as yet, or its index
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "\n":
            line += 1
        elif token == ",":
            last = steps[-1]
            steps[-1] = last + 1 if isinstance(last, int) else None
        elif token in ("]", "}"):
            steps.pop()
        elif token != ":":
            begins_entry = bool(steps) and not isinstance(steps[-1], str)
            if steps and steps[-1] is None:
                steps[-1] = json.loads(token)
            if begins_entry:
                lines[_path(steps)] = line
            if token in ("[", "{"):
                steps.append(0 if token == "[" else None)
    return lines


def _path(steps: list[str | int | None]) -> Path:
    return tuple(step for step in steps if step is not None)
