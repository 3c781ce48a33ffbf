"""Schemas of the plainer constructs, each with values that fit it."""

from typing import Any

from hypothesis import strategies as st

from tests.host.tools.given import Json

Schema = dict[str, Any]

EXACT = st.integers(-(2**53) + 1, 2**53 - 1)
WORDS = st.sampled_from(["a", "get-user", "class", "constructor", "__proto__", '"', "\u2028", "*/"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5) | WORDS
JSON = st.recursive(
    st.none() | st.booleans() | EXACT | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
DEFINITIONS = ("Leaf", "Tree", "Pair/of~two")
POINTERS = {"Leaf": "#/$defs/Leaf", "Tree": "#/$defs/Tree", "Pair/of~two": "#/$defs/Pair~1of~0two"}
SCALARS = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer", "minimum": -5, "maximum": 2**53 - 1},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "null"},
        {"type": ["string", "null"]},
        {},
        True,
    ]
)


@st.composite
def _compound(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> Schema:
    match draw(
        st.sampled_from(["enum", "const", "array", "tuple", "old tuple", "object", "any", "one", "all"])
    ):
        case "enum":
            return {"enum": draw(st.lists(JSON, min_size=1, max_size=3))}
        case "const":
            return {"const": draw(JSON)}
        case "array":
            return {"type": "array", "items": draw(inner)}
        case "tuple":
            rest = draw(st.sampled_from([{}, {"items": False}, {"items": {"type": "string"}}]))
            return {"type": "array", "prefixItems": draw(st.lists(inner, max_size=3)), **rest, **draw(LEAST)}
        case "old tuple":
            rest = draw(
                st.sampled_from([{}, {"additionalItems": False}, {"additionalItems": {"type": "null"}}])
            )
            return {"type": "array", "items": draw(st.lists(inner, max_size=3)), **rest, **draw(LEAST)}
        case "object":
            return draw(_objects(inner, WORDS))
        case "any":
            return {"anyOf": draw(st.lists(inner, min_size=1, max_size=3))}
        case "one":
            return {"oneOf": draw(st.lists(inner, min_size=1, max_size=3))}
        case _:
            halves = [draw(_objects(inner, st.sampled_from(half), is_open=False)) for half in ("ab", "cd")]
            return {"type": "object", "allOf": halves}


LEAST = st.sampled_from([{}, {"minItems": 1}, {"minItems": 2}])


@st.composite
def _objects(
    draw: st.DrawFn, inner: st.SearchStrategy[Any], names: st.SearchStrategy[str], *, is_open: bool = True
) -> Schema:
    properties = draw(st.dictionaries(names, inner, min_size=0 if is_open else 1, max_size=3))
    required = [name for name in properties if draw(st.booleans())]
    others: list[Schema] = [{}]
    if is_open:
        others += [{"additionalProperties": False}, {"additionalProperties": True}]
        others += [{"additionalProperties": draw(inner)}]
        others += [{"patternProperties": {"^x-": draw(inner)}, "additionalProperties": False}]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        **draw(st.sampled_from(others)),
    }


_REFERENCES = st.sampled_from([{"$ref": pointer} for pointer in POINTERS.values()])
_PARTS = st.recursive(SCALARS | _REFERENCES, _compound, max_leaves=8)
_TREE = {
    "type": "object",
    "properties": {
        "value": {"$ref": POINTERS["Leaf"]},
        "kids": {"type": "array", "items": {"$ref": POINTERS["Tree"]}},
    },
    "required": ["value"],
}


@st.composite
def cases(draw: st.DrawFn) -> tuple[Schema, list[object]]:
    """A schema, and values that were made to fit it; a few do not, where several parts hold at once."""
    definitions = {
        "Leaf": draw(SCALARS),
        "Tree": _TREE,
        "Pair/of~two": draw(st.recursive(SCALARS, _compound, max_leaves=3)),
    }
    schema = {"$defs": definitions, "anyOf": [draw(_PARTS)]}
    return schema, [draw(_values(schema, definitions, 0)) for _ in range(5)]


@st.composite
def _values(draw: st.DrawFn, schema: Json, definitions: Schema, depth: int) -> object:
    def value(part: Json) -> object:
        return draw(_values(part, definitions, depth + 1))

    match schema:
        case True:
            return draw(JSON)
        case {"$ref": pointer}:
            return value(next(definitions[name] for name, found in POINTERS.items() if found == pointer))
        case {"anyOf": parts} | {"oneOf": parts}:
            return value(draw(st.sampled_from(parts)))
        case {"allOf": parts}:
            found: dict[str, object] = {}
            for part in parts:
                made = value(part)
                found |= made if isinstance(made, dict) else {}
            return found
        case {"enum": values}:
            return draw(st.sampled_from(values))
        case {"const": only}:
            return only
        case {"type": kinds}:
            kind = draw(st.sampled_from(kinds)) if isinstance(kinds, list) else kinds
            return draw(_of_kind(kind, schema, definitions, depth))
        case _:
            return draw(JSON)


@st.composite
def _of_kind(draw: st.DrawFn, kind: str, schema: Json, definitions: Schema, depth: int) -> object:
    def value(part: Json) -> object:
        return draw(_values(part, definitions, depth + 1))

    match kind:
        case "string":
            return draw(TEXTS)
        case "integer":
            return draw(st.integers(-5, 2**53 - 1))
        case "number":
            return draw(EXACT | st.floats(allow_nan=False, allow_infinity=False))
        case "boolean":
            return draw(st.booleans())
        case "null":
            return None
        case "array":
            listed, rest = schema.get("prefixItems", []), schema.get("items", True)
            if isinstance(rest, list):
                listed, rest = rest, schema.get("additionalItems", True)
            length = draw(st.integers(0, 0 if depth > 4 else 4))
            parts = [*listed, *[rest] * 4][: max(length, schema.get("minItems", 0))]
            return [value(part) for part in parts if part is not False]
    found: dict[str, object] = {}
    for name, part in schema.get("properties", {}).items():
        if name in schema.get("required", []) or (depth < 4 and draw(st.booleans())):
            found[name] = value(part)
    others = schema.get("additionalProperties")
    if others not in (None, False) and draw(st.booleans()):
        found["another"] = value(others)
    for part in schema.get("patternProperties", {}).values():
        found["x-y"] = value(part)
    return found
