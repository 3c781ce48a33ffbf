"""Binds what a program passed to a call to the arguments of the operation, or refuses it in the program's
terms.

A JSON string in place of the arguments is the guest's own word for why they could not be encoded. An argument
or a field that is `null` counts as one that was not given.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from host.core.errors import Refusal
from host.core.text import escape_line, nearest, quoted, shortened
from host.operations.model import Arguments, Operation, guest_name
from host.operations.typescript import members

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
        raise _refused(escape_line(shortened(passed, _REASON_CHARS)))
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
    known = [guest_name(operation.arguments, name) for name in fields]
    for name in value:
        if name not in known:
            raise _refused(_unknown_key(operation, name, known))
    return {key: item for key, item in value.items() if item is not None}


def _unknown_key(operation: Operation, name: str, known: list[str]) -> str:
    near = nearest(name, known)
    hint = f"Did you mean {near[0]}?" if near else f"It knows {', '.join(known)}."
    return f"{operation.spelling} does not know {quoted(name, max_chars=_SHOWN_CHARS)}. {hint}"


def _explain(operation: Operation, error: ValidationError) -> str:
    """The first mistake. A value that fits no member of a union is told what each of them wants."""
    errors = error.errors(include_url=False)
    found = errors[0]
    place = _place(operation.arguments, found["loc"])
    alternatives = [found]
    if place.union_at is not None:
        union = found["loc"][: place.union_at]
        alternatives = [other for other in errors if other["loc"][: place.union_at] == union]
        within = next((other for other in alternatives if _is_within(other, place.union_at)), None)
        if within is not None:
            found, alternatives = within, [within]
            place = _place(operation.arguments, found["loc"])
    if found["type"] == "missing":
        return f"{operation.spelling} needs {place.text}, and it is missing."
    if found["type"] == "extra_forbidden":
        known = [str(info.alias) for info in place.owner.model_fields.values()]
        return _unknown_key(operation, str(found["loc"][-1]), known)
    wanted = " or ".join(dict.fromkeys(_wanted(operation, other) for other in alternatives))
    got = found["ctx"]["actual_length"] if found["type"] in _LENGTHS else _what(found["input"])
    return f"{operation.spelling}: {place.text} wants {wanted} and got {got}."


def _wanted(operation: Operation, error: ErrorDetails) -> str:
    for name, parameter in operation.guest_parameter.items():
        if error["loc"] == (guest_name(operation.arguments, name),):
            return parameter.wanted
    return _WANTED[error["type"]](error.get("ctx", {}))


def _is_within(error: ErrorDetails, union_at: int) -> bool:
    """Whether the value is of a kind that a member of the union wants, and wrong in itself."""
    if len(error["loc"]) > union_at + 1:
        return True
    return not error["type"].endswith("_type") and error["type"] != "literal_error"


def _number(bound: float) -> str:
    return f"a {'whole ' if isinstance(bound, int) else ''}number"


Context = Mapping[str, Any]

# Every kind of mistake that the arguments in the table can meet; a test holds it to that.
_WANTED: Final[Mapping[str, Callable[[Context], str]]] = {
    "string_type": lambda _: "a string",
    "int_type": lambda _: "a whole number",
    "float_type": lambda _: "a number",
    "bool_type": lambda _: "true or false",
    "list_type": lambda _: "an array",
    "dict_type": lambda _: "an object",
    "model_type": lambda _: "an object",
    "literal_error": lambda found: str(found["expected"]).replace("'", '"'),
    "greater_than_equal": lambda found: f"{_number(found['ge'])} of {found['ge']} or more",
    "less_than_equal": lambda found: f"{_number(found['le'])} of {found['le']} or less",
    "too_short": lambda found: f"an array of {found['min_length']} or more",
    "too_long": lambda found: f"an array of {found['max_length']} at most",
}
_LENGTHS: Final = frozenset({"too_short", "too_long"})


@dataclass(frozen=True)
class _Place:
    """Where in the arguments a mistake is: `options.modules[0]`. `owner` is the object that holds it.

    `union_at` is where in the validator's location a member of a union is named, if one is.
    """

    text: str
    owner: type[BaseModel]
    union_at: int | None


def _place(model: type[BaseModel], location: tuple[int | str, ...]) -> _Place:
    text, owner, union_at = "", model, None
    annotation: Any = model
    for position, step in enumerate(location):
        options = members(annotation)
        if len(options) > 1:
            union_at = position
            annotation = next((o for o in options if getattr(o, "__name__", "") == step), None)
            continue
        annotation = options[0]
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f"{'.' if text else ''}{escape_line(shortened(step, _SHOWN_CHARS))}"
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            owner = annotation
            fields = {info.alias: info.annotation for info in owner.model_fields.values()}
            annotation = fields.get(str(step))
        else:
            annotation = (get_args(annotation) or (None,))[-1]  # what an array or a record holds
    return _Place(text, owner, union_at)


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
