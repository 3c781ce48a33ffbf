"""The JSON Schema of a tool's arguments, which says what its binding takes."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import Field

from host.core.errors import Refusal
from host.operations import OPERATIONS, Operation
from host.operations.json_schema import object_schema
from host.operations.model import Arguments, NoArguments
from host.operations.native_binding import bind_tool, native_arguments
from tests.host.operations.things import MARK, PUT

TOOLS: Final = [operation for operation in OPERATIONS.values() if operation.native is not None]


def test_every_form_of_an_argument() -> None:
    span = {
        "type": "object",
        "properties": {
            "from": {"type": "integer", "minimum": 1, "description": "The first."},
            "to": {"type": "integer", "description": "The last."},
        },
        "required": ["from"],
        "additionalProperties": False,
        "description": "From here to there.",
    }

    assert object_schema(native_arguments(MARK)) == {
        "type": "object",
        "properties": {
            "spans": {
                "type": "array",
                "items": span,
                "minItems": 1,
                "maxItems": 3,
                "description": "What to mark.",
            },
            "labels": {
                "type": "array",
                "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                "description": "What to write there.",
            },
            "weights": {
                "type": "object",
                "additionalProperties": {"type": "number"},
                "description": "By label.",
            },
            "way": {"type": "string", "enum": ["light", "dark"], "default": "light", "description": "How."},
            "is_kept": {"type": "boolean", "default": False, "description": "Whether it stays."},
            "instead": {"anyOf": [span, {"type": "string"}], "description": "What to mark otherwise."},
        },
        "required": ["spans", "labels"],
        "additionalProperties": False,
    }


def test_a_call_without_arguments_takes_an_empty_object() -> None:
    assert object_schema(NoArguments) == {"type": "object", "properties": {}, "additionalProperties": False}


def test_what_is_needed_besides_is_required_in_the_order_of_the_fields() -> None:
    model = native_arguments(PUT)

    assert object_schema(model, needs=("max_count",))["required"] == ["name", "max_count"]


class Odd(Arguments):
    call: Callable[[], None] = Field(description="Nothing JSON has.")


def test_what_json_has_no_schema_for_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^no JSON Schema for "):
        object_schema(Odd)


@pytest.mark.parametrize("operation", TOOLS, ids=lambda operation: operation.id)
def test_schemas_are_schemas(operation: Operation) -> None:
    Draft202012Validator.check_schema(object_schema(native_arguments(operation)))


# What the schemas name, and what they do not, so that many objects come near to being right.
NAMES: Final = sorted(
    {
        name
        for operation in [*TOOLS, MARK]
        for name in object_schema(native_arguments(operation))["properties"]
    }
    | {"from", "to", "code", "expectedRevision"}
)
# No null, which counts as not given, and no whole number written as a fraction, which JSON Schema takes.
SCALARS: Final = st.text(max_size=3) | st.integers(-2, 3) | st.booleans() | st.just(1.5) | st.just("light")
VALUES: Final = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=8,
)


@given(operation=st.sampled_from([*TOOLS, MARK]), data=st.data())
def test_the_schema_and_the_binding_agree(operation: Operation, data: st.DataObject) -> None:
    schema = object_schema(native_arguments(operation))
    names = st.sampled_from(sorted(schema["properties"]) + NAMES)
    required: dict[str, Any] = {name: data.draw(VALUES) for name in schema.get("required", ())}
    passed = required | data.draw(st.dictionaries(names, VALUES, max_size=3))

    try:
        bind_tool(operation, json.dumps(passed))
        binds = True
    except Refusal:
        binds = False
    assert binds is Draft202012Validator(schema).is_valid(passed)
