"""What a schema says of a value besides its type, for the comment above it."""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from host.core.text import shortened
from host.tools.doc_comments import plain_text
from host.tools.schema_document import Schema, alternatives, parts_of

MAX_NOTE_CHARS: Final = 2_000
_MAX_VALUE_CHARS: Final = 120
_MAX_EXAMPLES: Final = 3
_MAX_MEANINGS: Final = 50
_FACTS: Final[Mapping[str, str]] = {
    "format": "Format",
    "pattern": "Pattern",
    "minimum": "Minimum",
    "exclusiveMinimum": "More than",
    "maximum": "Maximum",
    "exclusiveMaximum": "Less than",
    "multipleOf": "Multiple of",
    "minLength": "Least length",
    "maxLength": "Greatest length",
    "minItems": "Least items",
    "maxItems": "Most items",
    "default": "Default",
}
_OF_TUPLES: Final = frozenset({"minItems", "maxItems"})
_PLAIN: Final = frozenset({"format", "pattern"})


def notes(part: object) -> str:
    """Description, meanings of listed values, limits and default; empty where nothing is said."""
    if not isinstance(part, Mapping):
        return ""
    told = [_description(part), *_meanings(part), _within(part), " ".join(_facts(part))]
    return plain_text("\n".join(line for line in told if line), MAX_NOTE_CHARS)


def _description(schema: Schema) -> str:
    found = schema.get("description")
    return found if isinstance(found, str) else ""


def _within(schema: Schema) -> str:
    """What is said of the elements of an array, which have no place of their own."""
    items = schema.get("items")
    if not isinstance(items, Mapping):
        return ""
    told = " ".join([_description(items).strip(), *_facts(items)]).strip()
    return f"Each: {told}" if told else ""


def _meanings(schema: Schema) -> Iterator[str]:
    """A line for each value that is listed with what it means."""
    for members in alternatives(schema):
        for member in members[:_MAX_MEANINGS]:
            if isinstance(member, Mapping) and "const" in member:
                told = _description(member) or member.get("title")
                if isinstance(told, str) and told:
                    yield f"- `{_written(member['const'])}`: {told}"


def _facts(schema: Schema) -> Iterator[str]:
    inner = _only_value(schema)
    if schema.get("deprecated") is True:
        yield "Deprecated."
    is_tuple = bool(parts_of(schema, "prefixItems") or parts_of(schema, "items"))
    for keyword, label in _FACTS.items():
        if is_tuple and keyword in _OF_TUPLES:
            continue
        value = schema.get(keyword, inner.get(keyword))
        if value is None or (isinstance(value, bool) and keyword != "default"):
            continue
        if keyword in _PLAIN and isinstance(value, str):
            yield f"{label}: {shortened(value, _MAX_VALUE_CHARS)}."
        else:
            yield f"{label}: {_written(value)}."
    examples = [_written(example) for example in parts_of(schema, "examples")[:_MAX_EXAMPLES]]
    if examples:
        yield f"For example: {', '.join(examples)}."


def _only_value(schema: Schema) -> Schema:
    """Of a value that may be null as well, what is said of the value."""
    for members in alternatives(schema):
        others = [member for member in members if member != {"type": "null"}]
        if len(others) == 1 and isinstance(others[0], Mapping):
            return others[0]
    return {}


def _written(value: object) -> str:
    try:
        return shortened(json.dumps(value, ensure_ascii=False), _MAX_VALUE_CHARS)
    except (TypeError, ValueError):  # a default that only Python can give, a number of thousands of digits
        return "a value that cannot be shown"
