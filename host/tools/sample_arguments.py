"""An example of the arguments of a tool, for its page: what is required, in the plainest values."""

from collections.abc import Mapping
from typing import Final

from host.tools.schema_document import (
    KINDS,
    Kind,
    Schema,
    SchemaDocument,
    alternatives,
    kind_of,
    own_values,
    parts_of,
)
from host.tools.spelling import literal, member_name

_PREFERRED: Final[tuple[Kind, ...]] = ("string", "number", "boolean", "array", "object", "null")
_TEXT: Final = "…"
_MAX_DEPTH: Final = 12
_MAX_ELEMENTS: Final = 5
_MAX_CHARS: Final = 500
_UNTOLD: Final = "args"


def sample_arguments(schema: object) -> str:
    """An expression of TypeScript; empty where nothing is required, `args` where an example would be long."""
    document = SchemaDocument(schema)
    if not document.shape(schema).needs_some:
        return ""
    try:
        text = _expression(_value(document, schema, frozenset({"object"}), 0))
    except _NoExample:
        return _UNTOLD
    return text if len(text) <= _MAX_CHARS else _UNTOLD


class _NoExample(Exception):
    """What is required within what is required does not come to an end soon."""


def _value(document: SchemaDocument, part: object, allowed: frozenset[Kind], depth: int) -> object:
    if depth > _MAX_DEPTH:
        raise _NoExample
    kinds = document.shape(part).kinds & allowed
    kind = next((kind for kind in _PREFERRED if kind in kinds), None)
    if kind is None:
        raise _NoExample
    if not isinstance(part, Mapping):
        return _plain(kind, {})
    listed = [value for value in own_values(part) or () if kind_of(value) in kinds]
    if listed:
        return listed[0]
    inner = _inner(document, part, kind)
    values = [_value(document, one, frozenset({kind}), depth + 1) for one in inner]
    if kind == "object":
        return _object(document, part, values, depth)
    if values:
        return values[0]
    return _array(document, part, depth) if kind == "array" else _plain(kind, part)


def _inner(document: SchemaDocument, schema: Schema, kind: Kind) -> list[object]:
    """The parts that the value is passed on to as a whole; of each union the first that serves."""
    found = [document.at(pointer) for pointer in document.references(schema)]
    found += parts_of(schema, "allOf")
    for members in alternatives(schema):
        found += [member for member in members if kind in document.shape(member).kinds][:1]
    return found


def _object(document: SchemaDocument, schema: Schema, values: list[object], depth: int) -> object:
    found: dict[str, object] = {}
    for value in values:
        found |= value if isinstance(value, dict) else {}
    properties = schema.get("properties")
    others = schema.get("additionalProperties", True)
    known = properties if isinstance(properties, Mapping) else {}
    for name in parts_of(schema, "required"):
        if isinstance(name, str):
            part = known.get(name, others or True)
            told = _value(document, part, KINDS, depth + 1)
            # Of a name that is required here and described elsewhere, the description counts.
            found[name] = told if name in known else found.get(name, told)
    return found


def _array(document: SchemaDocument, schema: Schema, depth: int) -> object:
    least = schema.get("minItems")
    count = min(least, _MAX_ELEMENTS) if isinstance(least, int) else 0
    listed, others = parts_of(schema, "prefixItems"), schema.get("items", True)
    if isinstance(others, list):
        listed, others = others, schema.get("additionalItems", True)
    parts = [*listed, *([others] * max(0, count - len(listed)))][:count]
    return [_value(document, part, KINDS, depth + 1) for part in parts]


def _plain(kind: Kind, schema: Schema) -> object:
    match kind:
        case "string":
            return _TEXT
        case "number":
            return _number(schema)
        case "boolean":
            return True
        case "array":
            return []
        case "object":
            return {}
        case _:
            return None


def _number(schema: Schema) -> object:
    least, most = schema.get("minimum"), schema.get("maximum")
    if isinstance(least, int | float) and least > 1:
        return least
    return most if isinstance(most, int | float) and most < 1 else 1


def _expression(value: object) -> str:
    match value:
        case dict():
            members = [f"{member_name(str(name))}: {_expression(item)}" for name, item in value.items()]
            return f"{{ {', '.join(members)} }}" if members else "{}"
        case list():
            return f"[{', '.join(map(_expression, value))}]"
        case _:
            return literal(value)
