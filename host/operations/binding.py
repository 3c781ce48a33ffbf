"""Binds what a program passed to a call to the arguments of the operation, or refuses it in the program's
terms.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic.alias_generators import to_camel

from host.core.errors import Refusal
from host.core.text import nearest
from host.operations.model import Arguments, Operation


def bind(operation: Operation, arguments_json: str) -> Arguments:
    """Reads the JSON array of a call's arguments.

    Raises `Refusal` `invalid-argument`, naming the parameter, what it got and what it wants.
    """
    try:
        passed = json.loads(arguments_json)
    except (ValueError, RecursionError) as error:
        raise _refused(f"{operation.spelling}: its arguments are no JSON: {error}") from error
    if not isinstance(passed, list):
        raise _refused(f"{operation.spelling}: its arguments are no array")
    while passed and passed[-1] is None:
        passed.pop()
    fields = _fields(operation, passed)
    try:
        return operation.arguments.model_validate(fields)
    except ValidationError as error:
        raise _refused(_explain(operation, error, fields)) from error


def _fields(operation: Operation, passed: list[Any]) -> Mapping[str, Any]:
    if operation.takes:
        _refuse_more_than(operation, passed, 1)
        return _object(operation, operation.takes, passed[0] if passed else None)
    positional = [to_camel(name) for name in operation.positional]
    _refuse_more_than(operation, passed, len(positional) + bool(operation.options))
    fields = {name: value for name, value in zip(positional, passed, strict=False) if value is not None}
    if len(passed) > len(positional):
        options = _object(operation, "options", passed[len(positional)])
        known = [to_camel(name) for name in operation.options]
        for name in options:
            if name not in known:
                raise _refused(_unknown_key(operation, name, known))
        fields.update(options)
    return fields


def _refuse_more_than(operation: Operation, passed: list[Any], most: int) -> None:
    if len(passed) > most:
        plural = "" if most == 1 else "s"
        raise _refused(f"{operation.spelling} takes {most} argument{plural} at most and got {len(passed)}.")


def _object(operation: Operation, parameter: str, value: Any) -> Mapping[str, Any]:  # noqa: ANN401  (guest JSON)
    if not isinstance(value, dict):
        raise _refused(f"{operation.spelling}: {parameter} wants an object and got {_what(value)}.")
    return {key: item for key, item in value.items() if item is not None}


def _explain(operation: Operation, error: ValidationError, fields: Mapping[str, Any]) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    known = [to_camel(name) for name in operation.arguments.model_fields]
    if first["type"] == "extra_forbidden":
        return _unknown_key(operation, place, known)
    if first["type"] == "missing":
        return f"{operation.spelling} needs {place}, and it is missing."
    wanted = _WANTED.get(first["type"], first["msg"][:1].lower() + first["msg"][1:])
    return f"{operation.spelling}: {place} wants {wanted} and got {_what(first['input'])}."


def _unknown_key(operation: Operation, name: str, known: list[str]) -> str:
    near = nearest(name, known)
    hint = f" Did you mean {near[0]}?" if near else f" It knows {', '.join(known)}."
    return f"{operation.spelling} does not know {name!r}.{hint}"


_WANTED = {
    "string_type": "a string",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "list_type": "an array",
    "greater_than_equal": "a number that is large enough",
}


def _what(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return "a string" if len(value) > 40 else f"the string {value!r}"
        case list():
            return "an array"
        case _:
            return "an object"


def _refused(message: str) -> Refusal:
    return Refusal("invalid-argument", message, kind="arguments")
