"""Calls of tools as a person types them: `name {json}`, one to a line."""

import json
import re
from collections.abc import Collection
from typing import Final

from host.cli.lines import one_line
from host.providers import TypedCall

FORM: Final = "name {json}"
_LINE: Final = re.compile(r"(?P<name>[\w.-]+)\s*(?P<rest>.*)", re.DOTALL)


class UnreadableCall(ValueError):
    """A line that cannot be read among calls; the message is one line for who typed it."""


def read_calls(typed: str, known: Collection[str]) -> tuple[TypedCall, ...]:
    """The calls that are typed; none where no line is meant as one, and the whole is a text.

    Meant as a call is a name before a brace, and the name of a tool that is known; alone, that is a call
    without arguments. Raises `UnreadableCall`.
    """
    lines = [
        (place, _LINE.fullmatch(line.strip()))
        for place, line in enumerate(typed.split("\n"), start=1)
        if line.strip()
    ]
    if not any(_is_meant(found, known) for _, found in lines):
        return ()
    return tuple(_call(place, found if _is_meant(found, known) else None) for place, found in lines)


def _is_meant(found: "re.Match[str] | None", known: Collection[str]) -> bool:
    return found is not None and (found["rest"].startswith("{") or found["name"] in known)


def _call(place: int, found: "re.Match[str] | None") -> TypedCall:
    if found is None:
        raise UnreadableCall(f"line {place} is no call; write {FORM}, one to a line")
    name, arguments = found["name"], found["rest"] or "{}"
    of = f"line {place}: the arguments of {one_line(name)}"
    try:
        value = json.loads(arguments)
    except json.JSONDecodeError as error:
        raise UnreadableCall(f"{of} are no JSON at character {error.pos + 1}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableCall(f"{of} are too large a number, or nested too deeply") from error
    if not isinstance(value, dict):
        raise UnreadableCall(f"{of} are no object; write {FORM}")
    return TypedCall(name=name, arguments=arguments)
