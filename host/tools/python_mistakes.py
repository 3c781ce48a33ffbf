"""What is wrong with a value of a Python function's, in the words of who called it."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from host.core.errors import Refusal
from host.core.text import escape_line, nearest, quoted, shortened
from host.core.value_words import SHOWN_CHARS, what
from host.tools.json_values import Step, place

Context = Mapping[str, Any]

_MAX_MESSAGE_CHARS: Final = 500
_UNKNOWN: Final = frozenset({"extra_forbidden", "unexpected_keyword_argument"})
_INPUT: Final = "Input should be "
_OWN_ERROR: Final = re.compile(r"(?:Value|Assertion) error, ")
_WANTED: Final[Mapping[str, Callable[[Context], str]]] = {
    "int_type": lambda _: "a whole number",
    "int_from_float": lambda _: "a whole number",
    "float_type": lambda _: "a number",
    "decimal_type": lambda _: "a number, or a string of one",
    "string_type": lambda _: "a string",
    "bool_type": lambda _: "true or false",
    "bytes_type": lambda _: "a string of base64",
    "list_type": lambda _: "an array",
    "tuple_type": lambda _: "an array",
    "set_type": lambda _: "an array",
    "frozen_set_type": lambda _: "an array",
    "iterable_type": lambda _: "an array",
    "dict_type": lambda _: "an object",
    "model_type": lambda _: "an object",
    "dataclass_type": lambda _: "an object",
    "none_required": lambda _: "null",
    "literal_error": lambda found: _listed(found["expected"]),
    "enum": lambda found: _listed(found["expected"]),
    "greater_than": lambda found: f"a number above {found['gt']}",
    "greater_than_equal": lambda found: f"a number of {found['ge']} or more",
    "less_than": lambda found: f"a number below {found['lt']}",
    "less_than_equal": lambda found: f"a number of {found['le']} or less",
}


def refused(message: str) -> Refusal:
    """A refusal of the arguments of a call."""
    return Refusal("invalid-argument", message, kind="arguments")


def unknown(spelling: str, name: str, known: Iterable[str]) -> Refusal:
    """Of a name that no argument has."""
    names = list(known)
    near = nearest(name, names)
    hint = f"Did you mean {near[0]}?" if near else f"It knows {', '.join(names)}."
    if not names:
        hint = "It takes no argument."
    return refused(f"{spelling} does not know {quoted(name, max_chars=SHOWN_CHARS)}. {hint}")


def mistaken(spelling: str, error: ValidationError, given: object) -> Refusal:
    """Of arguments that do not serve, the first mistake."""
    found = first_mistake(error, given)
    if found.is_missing:
        return refused(f"{spelling} needs {found.place}, and it is missing.")
    if found.is_unknown:
        return refused(f"{spelling} does not know {found.place}.")
    return refused(f"{spelling}: {found.place} {found.told}.")


@dataclass(frozen=True)
class Mistake:
    """Where in a value a mistake is, and what it is, as the end of a sentence on the place."""

    place: str
    told: str
    is_missing: bool = False
    is_unknown: bool = False


def first_mistake(error: ValidationError, value: object) -> Mistake:
    """The first mistake in a value.

    Of a union's members the one counts that a mistake lies deepest in; of several as deep, each is told.
    """
    found = [(_way(details, value), details) for details in error.errors(include_url=False)]
    about = [one for one in found if one[0][:1] == found[0][0][:1]]
    way, first = max(about, key=lambda one: len(one[0]))
    shown = place(way)
    if first["type"] == "missing":
        return Mistake(shown, "is missing", is_missing=True)
    if first["type"] in _UNKNOWN:
        return Mistake(shown, "is not in its type", is_unknown=True)
    wanted = [text for other, details in about if other == way if (text := _wanted(details))]
    if wanted:
        return Mistake(shown, f"wants {' or '.join(dict.fromkeys(wanted))} and got {_got(first['input'])}")
    message = _OWN_ERROR.sub("", first["msg"])
    told = escape_line(shortened(message[:1].lower() + message[1:], _MAX_MESSAGE_CHARS)).rstrip(".")
    return Mistake(shown, f"does not serve: {told}")


def _wanted(details: ErrorDetails) -> str:
    if details["type"] in _WANTED:
        return _WANTED[details["type"]](details.get("ctx", {}))
    message = details["msg"]
    if not message.startswith(_INPUT):
        return ""
    wanted = message.removeprefix(_INPUT)
    if details["type"].endswith("_parsing"):  # goes on to say at which character the parser gave up
        wanted = wanted.partition(", ")[0]
    return escape_line(shortened(wanted, _MAX_MESSAGE_CHARS))


def _got(value: object) -> str:
    if value is None or isinstance(value, bool | int | float | str | list | dict):
        return what(value)
    return f"a value of the Python type {type(value).__name__}"


def _listed(expected: object) -> str:
    return escape_line(str(expected).replace("'", '"'))


def _way(details: ErrorDetails, value: object) -> tuple[Step, ...]:
    """The way to the mistake within the value; the validator's also names members of unions."""
    way: list[Step] = []
    for step in details["loc"]:
        is_there, inner = _within(value, step)
        is_missing = details["type"] == "missing" and step is details["loc"][-1]
        if is_there or is_missing:
            way.append(step)
            value = inner
    return tuple(way)


def _within(value: object, step: Step) -> tuple[bool, object]:
    if isinstance(value, Mapping):
        return step in value, value.get(step)
    if isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
        return True, value[step]
    return False, value
