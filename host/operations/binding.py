"""Binds what a program passed to a call to the arguments of the operation, or refuses it in the program's
terms.

A JSON string in place of the arguments is the guest's own word for why they could not be encoded. An argument
or a field that is `null` counts as one that was not given.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import ValidationError
from pydantic.alias_generators import to_camel

from host.core.errors import Refusal
from host.core.text import escape_line, nearest, quoted
from host.operations.model import Arguments, Operation

_SHOWN_CHARS: Final = 40
_REASON_CHARS: Final = 1000


def bind(operation: Operation, arguments_json: str) -> Arguments:
    """Reads the JSON array of a call's arguments.

    Raises `Refusal` `invalid-argument`, naming the parameter, what it got and what it wants.
    """
    try:
        passed = _decode(arguments_json)
    except ValueError as error:
        raise _refused(f"{operation.spelling}: its arguments are no JSON: {error}") from error
    except RecursionError as error:
        raise _refused(f"{operation.spelling}: its arguments are nested too deeply") from error
    if isinstance(passed, str):
        raise _refused(escape_line(passed[:_REASON_CHARS]))
    if not isinstance(passed, list):
        raise _refused(f"{operation.spelling}: its arguments are no array")
    while passed and passed[-1] is None:
        passed.pop()
    fields = _fields(operation, passed)
    try:
        return operation.arguments.model_validate(fields)
    except ValidationError as error:
        raise _refused(_explain(operation, error)) from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


_decode = json.JSONDecoder(parse_constant=_refuse_constant).decode


def _fields(operation: Operation, passed: list[Any]) -> Mapping[str, Any]:
    if operation.takes:
        _refuse_more_than(operation, passed, 1)
        if not passed:
            raise _refused(f"{operation.spelling} needs {operation.takes}, and it is missing.")
        return _object(operation, operation.takes, passed[0], operation.arguments.model_fields)
    positional = operation.positional_names
    _refuse_more_than(operation, passed, len(positional) + bool(operation.options))
    fields = {name: value for name, value in zip(positional, passed, strict=False) if value is not None}
    if len(passed) > len(positional):
        fields.update(_object(operation, "options", passed[len(positional)], operation.options))
    return fields


def _refuse_more_than(operation: Operation, passed: list[Any], most: int) -> None:
    if len(passed) > most:
        takes = f"{most} argument{'' if most == 1 else 's'} at most" if most else "no argument"
        raise _refused(f"{operation.spelling} takes {takes} and got {len(passed)}.")


def _object(
    operation: Operation,
    parameter: str,
    value: Any,  # noqa: ANN401  (guest JSON)
    fields: Iterable[str],
) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _refused(f"{operation.spelling}: {parameter} wants an object and got {_what(value)}.")
    known = [to_camel(name) for name in fields]
    for name in value:
        if name not in known:
            raise _refused(_unknown_key(operation, name, known))
    return {key: item for key, item in value.items() if item is not None}


def _unknown_key(operation: Operation, name: str, known: list[str]) -> str:
    near = nearest(name, known)
    hint = f"Did you mean {near[0]}?" if near else f"It knows {', '.join(known)}."
    return f"{operation.spelling} does not know {quoted(name, max_chars=_SHOWN_CHARS)}. {hint}"


def _explain(operation: Operation, error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "missing":
        return f"{operation.spelling} needs {place}, and it is missing."
    if first["type"] == "greater_than_equal":
        wanted = f"a whole number of {first['ctx']['ge']} or more"
    elif first["type"] == "less_than_equal":
        wanted = f"a whole number of {first['ctx']['le']} or less"
    else:
        wanted = _WANTED[first["type"]]
    return f"{operation.spelling}: {place} wants {wanted} and got {_what(first['input'])}."


# Every kind of mistake that the arguments in the table can meet; a test holds it to that.
_WANTED: Final[Mapping[str, str]] = {
    "string_type": "a string",
    "int_type": "a whole number",
}


def _what(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            digits = str(value)
            return "a large number" if len(digits) > _SHOWN_CHARS else f"the number {digits}"
        case str():
            return "a string" if len(value) > _SHOWN_CHARS else f"the string {quoted(value)}"
        case list():
            return "an array"
        case _:
            return "an object"


def _refused(message: str) -> Refusal:
    return Refusal("invalid-argument", message, kind="arguments")
