"""The arguments of a tool as JSON Schema, made from their model."""

from collections.abc import Collection
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel

from host.operations.declarations import brief
from host.operations.mistakes import names_of
from host.operations.typescript import members

Schema = dict[str, Any]

_SCALARS: Final = {str: "string", int: "integer", float: "number", bool: "boolean"}
_LIMITS: Final = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "le": "maximum",
    "min_length": "minItems",
    "max_length": "maxItems",
}


def object_schema(model: type[BaseModel], *, needs: Collection[str] = ()) -> Schema:
    """The schema of an object that may have the fields of the model and no others.

    Names are the model's aliases. `needs` are fields that are required although the model has a default.
    """
    fields = dict(zip(names_of(model), model.model_fields.items(), strict=True))
    required = [alias for alias, (name, info) in fields.items() if info.is_required() or name in needs]
    properties = {}
    for alias, (_, info) in fields.items():
        schema = _value_schema(info.annotation) | _limits(info.metadata)
        if info.default is not None and not info.is_required():
            schema["default"] = info.default
        properties[alias] = schema | {"description": info.description}
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _value_schema(annotation: Any) -> Schema:  # noqa: ANN401  (an annotation)
    options = members(annotation)
    if len(options) > 1:
        return {"anyOf": [_value_schema(option) for option in options]}
    (one,) = options
    if one in _SCALARS:
        return {"type": _SCALARS[one]}
    if isinstance(one, type) and issubclass(one, BaseModel):
        return object_schema(one) | ({"description": brief(one)} if one.__doc__ else {})
    origin, parts = get_origin(one), get_args(one)
    if origin is list:
        return {"type": "array", "items": _value_schema(parts[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _value_schema(parts[1])}
    if origin is Literal:
        return {"type": "string", "enum": list(parts)}
    raise TypeError(f"no JSON Schema for {annotation!r}")


def _limits(metadata: list[Any]) -> Schema:
    return {
        keyword: getattr(limit, name)
        for limit in metadata
        for name, keyword in _LIMITS.items()
        if hasattr(limit, name)
    }
