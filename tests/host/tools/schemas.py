"""Schemas as they might come from anywhere, and values that fit the plainer ones of them."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

Schema = dict[str, Any]

NAMES = st.sampled_from(
    [
        *("a", "b", "get-user", "class", "new", "readonly", "constructor", "__proto__", "toString", "key"),
        *("1", "", "a b", "ä", '"', "\\", "\u2028", "\n", "*/", "\u202e", "\ud800"),
        *("[Symbol.iterator]", "Promise", "string"),
    ]
) | st.text(max_size=6)
TEXTS = st.sampled_from(
    ["*/", "/**", "@ts-expect-error", "x\n@ts-ignore", "\u202e", "`", "${x}", "a\r\nb", "\\*/", "//", ""]
) | st.text(max_size=20)
NUMBERS = st.integers() | st.integers(-(2**70), 2**70) | st.floats() | st.sampled_from([2**53, 10**400])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)
KINDS = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object", "any"])
DEFINITIONS = ["Node", "Array", "string", "Promise", "a/b", "~", "x%y", "Foo[Bar]", "", "1"]


def _pointer(section: str, name: str) -> str:
    return f"#/{section}/{name.replace('~', '~0').replace('/', '~1').replace('%', '%25')}"


REFERENCES = st.sampled_from(["#", "https://example.com/other.json", "other.json#/$defs/X"]) | st.builds(
    _pointer, st.sampled_from(["$defs", "definitions"]), st.sampled_from(DEFINITIONS)
)


def _keywords(inner: st.SearchStrategy[Any]) -> Mapping[str, st.SearchStrategy[Any]]:
    return {
        "type": KINDS | st.lists(KINDS, max_size=3),
        "description": TEXTS,
        "title": TEXTS,
        "default": VALUES,
        "examples": st.lists(VALUES, max_size=2),
        "format": st.sampled_from(["int64", "date-time", "uri"]),
        "enum": st.lists(VALUES, max_size=4),
        "const": VALUES,
        "properties": st.dictionaries(NAMES, inner, max_size=4),
        "required": st.lists(NAMES, max_size=3),
        "additionalProperties": inner,
        "patternProperties": st.dictionaries(TEXTS, inner, max_size=2),
        "propertyNames": inner,
        "items": inner | st.lists(inner, max_size=3),
        "prefixItems": st.lists(inner, max_size=3),
        "additionalItems": inner,
        "minItems": st.integers(0, 3),
        "maxItems": st.integers(0, 3),
        "anyOf": st.lists(inner, max_size=3),
        "oneOf": st.lists(inner, max_size=3),
        "allOf": st.lists(inner, max_size=3),
        "not": inner,
        "if": inner,
        "nullable": st.booleans(),
        "readOnly": st.booleans(),
        "deprecated": st.booleans(),
        "minimum": NUMBERS,
        "$ref": REFERENCES,
    }


@st.composite
def _schemas(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> Schema:
    """With five keywords at most: with all of them nothing but contradictions would be drawn."""
    keywords = _keywords(inner)
    chosen = draw(st.lists(st.sampled_from(sorted(keywords)), max_size=5, unique=True))
    return {keyword: draw(keywords[keyword]) for keyword in chosen}


PARTS: st.SearchStrategy[Any] = st.recursive(
    st.booleans()
    | st.just({})
    | KINDS.map(lambda kind: {"type": kind})
    | REFERENCES.map(lambda ref: {"$ref": ref}),
    _schemas,
    max_leaves=12,
)


@st.composite
def documents(draw: st.DrawFn) -> Schema:
    """The schema of a tool's arguments, with all definitions that it may refer to."""
    top = {"type": "object", "properties": draw(st.dictionaries(NAMES, PARTS, max_size=4))}
    more = draw(PARTS)
    sections = {section: {name: draw(PARTS) for name in DEFINITIONS} for section in ("$defs", "definitions")}
    return {**(more if isinstance(more, dict) else {}), **top, **sections}
