"""Schemas made ready: which are unusable, and checks that are fast whatever comes."""

from collections.abc import Mapping
from typing import Any

import pytest

from host.tools.servers.schemas import Form, SchemaUnusable, TooManySteps

UNUSABLE = [
    pytest.param(
        {"type": "object", "properties": {"a": {"type": "text"}}},
        "is no JSON Schema at `/properties/a/type`: 'text' is not valid under any of the given schemas",
        id="unknown type",
    ),
    pytest.param(
        {"properties": []}, "is no JSON Schema at `/properties`: [] is not of type 'object'", id="list"
    ),
    pytest.param(
        {"$ref": "https://example.com/schema.json"},
        "refers to `https://example.com/schema.json`, which is not within it",
        id="remote reference",
    ),
    pytest.param(
        {"properties": {"a": {"$ref": "#/$defs/missing"}}},
        "refers to `/$defs/missing`, which is not within it",
        id="reference to nothing",
    ),
    pytest.param(
        {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": "b.json"}}},
        "refers to `b.json`, which is not within it",
        id="reference to a file",
    ),
]


@pytest.mark.parametrize(("schema", "reason"), UNUSABLE)
def test_why_a_schema_is_unusable(schema: Mapping[str, Any], reason: str) -> None:
    with pytest.raises(SchemaUnusable) as caught:
        Form(schema)

    assert str(caught.value) == reason


TREE = {
    "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}},
    "$ref": "#/$defs/node",
}
FITS = [
    pytest.param(TREE, {"next": {"next": {}}}, True, id="recursion"),
    pytest.param(TREE, {"next": {"next": 1}}, False, id="recursion, wrong"),
    pytest.param(
        {"items": [{"type": "string"}, {"type": "number"}]},
        ["a", "b"],
        False,
        id="an old tuple without a dialect",
    ),
    pytest.param({"$schema": "https://example.com/own", "type": "string"}, 1, False, id="an unknown dialect"),
    pytest.param({"pattern": r"^\p{Lu}"}, "Änderung", True, id="a pattern of JavaScript"),
    pytest.param({"pattern": r"^\p{Lu}"}, "änderung", False, id="a pattern of JavaScript, wrong"),
    pytest.param({"pattern": "(?=a)b"}, "c", True, id="a pattern that only the server can check"),
    pytest.param({"pattern": "^(a+)+$"}, "a" * 100_000 + "!", False, id="a pattern that would never end"),
    pytest.param({"format": "email"}, "no address", True, id="formats are the server's"),
    pytest.param({"uniqueItems": True}, [{"n": n} for n in range(20_000)], True, id="many objects"),
    pytest.param({"uniqueItems": True}, [{"a": [1]}, {"a": [1.0]}], False, id="the same object twice"),
    pytest.param({"uniqueItems": True}, [1, True, "1"], True, id="things that look alike"),
    pytest.param({"multipleOf": 0.5}, 10**400, True, id="a number beyond floats"),
    pytest.param({"multipleOf": 0.1}, 0.3, True, id="a multiple in decimals"),
    pytest.param({"multipleOf": 0.1}, 0.35, False, id="no multiple in decimals"),
    pytest.param(
        {"patternProperties": {"^x": {"type": "number"}}, "additionalProperties": False},
        {"x1": 1},
        True,
        id="names by pattern",
    ),
    pytest.param(
        {"patternProperties": {"^x": {"type": "number"}}, "additionalProperties": False},
        {"y": 1},
        False,
        id="names by pattern, wrong",
    ),
    pytest.param(
        {"patternProperties": {"(?=x)": {"type": "number"}}, "additionalProperties": False},
        {"y": "1"},
        True,
        id="names by a pattern that only the server can check",
    ),
    pytest.param({"additionalProperties": {"type": "number"}}, {"a": "1"}, False, id="other members"),
    pytest.param(
        {"properties": {"a": True}, "unevaluatedProperties": False}, {"b": 1}, False, id="unevaluated"
    ),
]


@pytest.mark.parametrize(("schema", "value", "fits"), FITS)
def test_whether_a_value_fits(schema: Mapping[str, Any], value: object, fits: bool) -> None:
    assert (Form(schema).mistake(value) is None) == fits


def test_a_schema_without_end_is_told_when_it_is_used() -> None:
    form = Form({"$ref": "#"})

    with pytest.raises(RecursionError):
        form.mistake({})


def doubling(levels: int) -> dict[str, Any]:
    """A schema whose check has twice the work with each level."""
    steps = {f"l{n}": {"anyOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(levels)}
    return {"$ref": "#/$defs/l0", "$defs": {**steps, f"l{levels}": {"type": "string"}}}


@pytest.mark.slow
@pytest.mark.parametrize("value", [1, [1, 2]])
def test_a_check_has_so_many_steps(value: object) -> None:
    assert Form(doubling(8)).mistake(value) is not None
    with pytest.raises(TooManySteps):
        Form(doubling(60)).mistake(value)


def test_alternatives_that_fit_are_found_in_few_steps() -> None:
    assert Form(doubling(60)).mistake("a") is None


def test_a_large_value_has_more_steps_than_a_small_one() -> None:
    form = Form({"items": {"type": "integer", "minimum": 0, "maximum": 9}})

    assert form.mistake([1] * 100_000) is None


def test_a_schema_that_is_too_large_is_unusable() -> None:
    with pytest.raises(SchemaUnusable, match="has 262,163 characters, 262,144 at most"):
        Form({"description": "x" * 2**18})
