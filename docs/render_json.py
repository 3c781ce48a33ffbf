"""The reference of what `--json` prints of a record, from the types that it is made of."""

import dataclasses
import inspect
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from pydantic.alias_generators import to_camel

from host.app import MemoryOfStore, WindowReport
from host.events import Check, EventModel, Part, RunView

_SHAPES: Final = (RunView, MemoryOfStore, WindowReport, Check)
_WORDS: Final[dict[object, str]] = {
    str: "text",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    datetime: "time",
    object: "value",
}


def render_json() -> str:
    """Markdown: a table for each shape, outer ones first, each once."""
    return "\n\n".join(_section(shape) for shape in _all_shapes())


def _all_shapes() -> list[type]:
    shapes: list[type] = []
    for shape in _SHAPES:
        shapes += [each for each in dict.fromkeys((shape, *_within(shape))) if each not in shapes]
    return shapes


def _within(annotation: Any) -> Iterator[type]:  # noqa: ANN401  # a type expression
    """The dataclasses that a type is made of, those of the first level before theirs."""
    if dataclasses.is_dataclass(annotation):
        hints = get_type_hints(annotation)
        inner = [each for field in dataclasses.fields(annotation) for each in _direct(hints[field.name])]
        yield from inner
        for each in inner:
            yield from _within(each)


def _direct(annotation: Any) -> Iterator[type]:  # noqa: ANN401  # a type expression
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        yield annotation
    for argument in get_args(annotation):
        yield from _direct(argument)


def _section(shape: type) -> str:
    hints = get_type_hints(shape)
    meaning = " ".join((inspect.getdoc(shape) or "").split())
    rows = [
        f"| `{to_camel(field.name)}` | {_value(hints[field.name])} |" for field in dataclasses.fields(shape)
    ]
    return "\n".join([f"### {_name(shape)}", "", meaning, "", "| key | value |", "| --- | --- |", *rows])


def _name(shape: type) -> str:
    """`RunView` is a run, `MemoryOfStore` a memory of store."""
    words = re.sub(r"(?<!^)(?=[A-Z])", " ", shape.__name__).lower()
    return words.removesuffix(" view").removeprefix("folded ")


def _value(annotation: Any) -> str:  # noqa: ANN401  # a type expression
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return ", ".join(f"`{word}`" for word in arguments)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_value(argument) for argument in arguments))
    if origin is tuple:
        return f"list of {_value(arguments[0])}"
    if origin is not None and issubclass(origin, Mapping):
        return f"object of {_value(arguments[1])}"
    if isinstance(annotation, type) and issubclass(annotation, EventModel):
        return f"`{annotation.type}`"
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return f"`{annotation.__name__}`"
    return _WORDS.get(annotation) or _name(annotation)
