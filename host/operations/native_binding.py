"""Binds what a model passed to a tool to the arguments of the operation, or refuses it in the tool's terms.

An argument that is `null` counts as one that was not given, one that is given twice is refused.
"""

import json
from collections.abc import Mapping
from functools import cache
from types import GenericAlias, UnionType, new_class
from typing import Any, Final, Union, get_args, get_origin

from pydantic import ConfigDict, ValidationError

from host.core.errors import Refusal
from host.core.text import format_over, quoted, utf8_length
from host.operations.mistakes import CallForm, names_of, refused, what, whole_number
from host.operations.model import Arguments, Operation

MAX_ARGUMENTS_BYTES: Final = 8 * 2**20
UNPARSABLE: Final = "unparsable"
"""The kind of refusal of arguments that are no JSON object."""


def bind_tool(operation: Operation, arguments_json: str) -> Arguments:
    """Reads the JSON object of a tool's arguments.

    Raises `Refusal` `invalid-argument`, naming the argument, what it got and what it wants.
    """
    passed = _decoded(_name(operation), arguments_json)
    if operation.native is not None and operation.native.schema:
        (field,) = operation.arguments.model_fields
        return operation.arguments.model_validate({field: passed})
    form = CallForm(_name(operation), native_arguments(operation))
    known = names_of(form.arguments)
    for name in passed:
        if name not in known:
            raise form.unknown(name, known)
    try:
        return form.arguments.model_validate(passed)
    except ValidationError as error:
        raise form.refusal(error) from error


def native_arguments(operation: Operation) -> type[Arguments]:
    """The model of a tool's arguments, whose aliases are their names there."""
    assert operation.native is not None, "only a tool has native arguments"
    return _in_snake_case(operation.native.arguments or operation.arguments)


def _name(operation: Operation) -> str:
    assert operation.native is not None, "only a tool is called by a native name"
    return operation.native.name


def _decoded(name: str, arguments_json: str) -> Mapping[str, Any]:
    size = utf8_length(arguments_json)
    if size > MAX_ARGUMENTS_BYTES:
        raise Refusal(
            "limit-exceeded",
            f"The arguments of {name} have {format_over(size, MAX_ARGUMENTS_BYTES)}.",
            kind="arguments_cap",
        )
    try:
        passed = _decode(arguments_json)
    except _GivenTwice as error:
        raise refused(f"{name}: {quoted(error.name)} is given twice; give it once.") from error
    except ValueError as error:
        raise _unparsable(f"{name}: its arguments are no JSON: {error}") from error
    except RecursionError as error:
        raise _unparsable(f"{name}: its arguments are nested too deeply") from error
    if not isinstance(passed, dict):
        raise _unparsable(f"{name}: its arguments want an object and got {what(passed)}.")
    return passed


class _GivenTwice(ValueError):
    """A name that stands in one object a second time."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name: Final = name


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names: set[str] = set()
        for name, _ in pairs:
            if name in names:
                raise _GivenTwice(name)
            names.add(name)
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


# Models write line feeds into texts as they are, which JSON has no place for.
_decode = json.JSONDecoder(
    strict=False, parse_int=whole_number, parse_constant=_refuse_constant, object_pairs_hook=_once
).decode


def _unparsable(message: str) -> Refusal:
    return Refusal("invalid-argument", message, kind=UNPARSABLE)


@cache
def _in_snake_case(model: type[Arguments]) -> type[Arguments]:
    """The same arguments, those of objects among them too, under the names of their fields."""
    infos = model.model_fields.items()
    inner = {name: annotation for name, info in infos if (annotation := _natively(info.annotation))}
    named: dict[str, Any] = {
        "__doc__": model.__doc__,
        "__module__": model.__module__,
        "__annotations__": inner,
        "model_config": ConfigDict(alias_generator=str),
    }
    fields = {name: model.model_fields[name] for name in inner}
    native: type[Arguments] = new_class(
        model.__name__, (model,), exec_body=lambda body: body.update(named, **fields)
    )
    return native


def _natively(annotation: Any) -> Any:  # noqa: ANN401  (an annotation)
    """The annotation with the native forms of the models that it names; `None` where it names none."""
    if isinstance(annotation, type) and issubclass(annotation, Arguments):
        return _in_snake_case(annotation)
    parts = get_args(annotation)
    native = tuple(_natively(part) for part in parts)
    if not any(native):
        return None
    whole = tuple(one or part for one, part in zip(native, parts, strict=True))
    if get_origin(annotation) in (Union, UnionType):
        return Union[whole]  # noqa: UP007  (of members that are known when it runs)
    return GenericAlias(get_origin(annotation), whole)
