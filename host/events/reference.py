"""Renders the reference of the event types, field by field, from the models themselves."""

import inspect
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from host.events.types import EVENT_TYPES, EventModel, Part

_WORDS: Final[dict[object, str]] = {
    str: "text",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}


def render_events_reference() -> str:
    """Markdown: a section for each type, in the order of the union, with the parts that it is made of."""
    return "\n\n".join(_section(model) for model in EVENT_TYPES.values())


def _section(model: type[EventModel]) -> str:
    blocks = [f"### `{model.type}`", _meaning(model), _table(model)]
    for part in _parts_of(model):
        blocks += [f"{part.__name__}: {_meaning(part)}", _table(part)]
    return "\n\n".join(blocks)


def _meaning(model: type[Part]) -> str:
    return " ".join((inspect.getdoc(model) or "").split())


def _table(model: type[Part]) -> str:
    rows = [
        f"| `{info.alias}` | {_value(info.annotation)} | {info.description} |"
        for info in model.model_fields.values()
    ]
    return "\n".join(("| field | value | meaning |", "|---|---|---|", *rows))


def _value(annotation: Any) -> str:  # noqa: ANN401  # a type expression
    """What stands on disk for the annotation: `text or null`, `list of MemoryEntry`."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return ", ".join(f"`{word}`" for word in arguments)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_value(argument) for argument in arguments))
    if origin is tuple:
        return f"list of {_value(arguments[0])}"
    if origin is dict:
        return f"object of {_value(arguments[1])}"
    return _WORDS.get(annotation) or annotation.__name__


def _parts_of(annotation: Any) -> list[type[Part]]:  # noqa: ANN401  # a type expression
    """The parts that a model or a type expression is made of, each once, outer ones first."""
    if isinstance(annotation, type) and issubclass(annotation, Part):
        inner = [part for info in annotation.model_fields.values() for part in _parts_of(info.annotation)]
        return inner if issubclass(annotation, EventModel) else [annotation, *inner]
    return list(dict.fromkeys(part for argument in get_args(annotation) for part in _parts_of(argument)))
