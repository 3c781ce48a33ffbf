"""Calls of the SDK with arguments of the right types, as the grammar of `hostile` writes them."""

from collections.abc import Iterable
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel

from host.operations import Operation
from host.operations.model import guest_name
from host.operations.typescript import members

_SCALARS: Final = {str: "TEXT", int: "NUMBER", float: "NUMBER", bool: "true"}


def call_form(operation: Operation) -> str:
    """`memories.readMemory((TEXT))`: every parameter is given, by its type alone."""
    model = operation.arguments
    if operation.takes:
        arguments = [_object(model, model.model_fields)]
    else:
        arguments = [_form(model.model_fields[name].annotation) for name in operation.positional]
        if operation.options:
            arguments.append(_object(model, operation.options))
    return f"({operation.spelling} as any)({', '.join(arguments)})"


def _object(model: type[BaseModel], names: Iterable[str]) -> str:
    fields = (f"{guest_name(model, name)}: {_form(model.model_fields[name].annotation)}" for name in names)
    return f"{{ {', '.join(fields)} }}"


def _form(annotation: Any) -> str:  # noqa: ANN401  (an annotation)
    kind = members(annotation)[0]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _object(kind, kind.model_fields)
    if get_origin(kind) is list:
        return f"[{_form(get_args(kind)[0])}]"
    if get_origin(kind) is Literal:
        return f'"{get_args(kind)[0]}"'
    return f"({_SCALARS.get(kind, 'VALUE')})"
