"""Binds what a program passed to a call to the arguments of the operation, or refuses it in the program's
terms.

A JSON string in place of the arguments is the guest's own word for why they could not be encoded. An argument
or a field that is `null` counts as one that was not given.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import ValidationError

from host.core.text import escape_line, shortened
from host.operations.mistakes import CallForm, refused, what, whole_number
from host.operations.model import Arguments, Operation, guest_name

_REASON_CHARS: Final = 1000


def bind(operation: Operation, arguments_json: str) -> Arguments:
    """Reads the JSON array of a call's arguments.

    Raises `Refusal` `invalid-argument`, naming the parameter, what it got and what it wants.
    """
    form = _form(operation)
    try:
        passed = _decode(arguments_json)
    except ValueError as error:
        raise refused(f"{form.spelling}: its arguments are no JSON: {error}") from error
    except RecursionError as error:
        raise refused(f"{form.spelling}: its arguments are nested too deeply") from error
    if isinstance(passed, str):
        raise refused(escape_line(shortened(passed, _REASON_CHARS)))
    if not isinstance(passed, list):
        raise refused(f"{form.spelling}: its arguments are no array")
    while passed and passed[-1] is None:
        passed.pop()
    fields = _fields(operation, form, passed)
    try:
        return operation.arguments.model_validate(fields)
    except ValidationError as error:
        raise form.refusal(error) from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


_decode = json.JSONDecoder(parse_int=whole_number, parse_constant=_refuse_constant).decode


def _form(operation: Operation) -> CallForm:
    told = {
        guest_name(operation.arguments, name): parameter.wanted
        for name, parameter in operation.guest_parameter.items()
    }
    return CallForm(operation.spelling, operation.arguments, told)


def _fields(operation: Operation, form: CallForm, passed: list[Any]) -> Mapping[str, Any]:
    if operation.takes:
        _refuse_more_than(form, passed, 1)
        if not passed:
            raise refused(f"{form.spelling} needs {operation.takes}, and it is missing.")
        return _object(form, operation.takes, passed[0], operation.arguments.model_fields)
    positional = operation.positional_names
    _refuse_more_than(form, passed, len(positional) + bool(operation.options))
    fields = {name: value for name, value in zip(positional, passed, strict=False) if value is not None}
    if len(passed) > len(positional):
        fields.update(_object(form, "options", passed[len(positional)], operation.options))
    return fields


def _refuse_more_than(form: CallForm, passed: list[Any], most: int) -> None:
    if len(passed) > most:
        takes = f"{most} argument{'' if most == 1 else 's'} at most" if most else "no argument"
        raise refused(f"{form.spelling} takes {takes} and got {len(passed)}.")


def _object(
    form: CallForm,
    parameter: str,
    value: Any,  # noqa: ANN401  (guest JSON)
    fields: Iterable[str],
) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise refused(f"{form.spelling}: {parameter} wants an object and got {what(value)}.")
    known = [guest_name(form.arguments, name) for name in fields]
    for name in value:
        if name not in known:
            raise form.unknown(name, known)
    return {key: item for key, item in value.items() if item is not None}
