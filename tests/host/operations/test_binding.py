"""What a program passes to a call, bound or refused with the whole message."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import Field

from host.core.errors import Refusal
from host.operations import OPERATIONS, Operation
from host.operations.binding import bind
from host.operations.mistakes import _WANTED
from host.operations.model import Arguments, NoArguments
from tests.host.operations.things import FIND, MARK


class Two(Arguments):
    label: str
    max_count: int = Field(ge=1)


class WithOptions(Arguments):
    path: str
    offset: int | None = Field(default=None, ge=1)
    line_count: int | None = Field(default=None, ge=1)


class Whole(Arguments):
    name: str
    on_use: str | None = None


def operation(arguments: type[Arguments], **row: Any) -> Operation:  # noqa: ANN401  (the rest of a row)
    return Operation(
        id="family.do_it", summary="", arguments=arguments, run=lambda caller, bound: None, **row
    )


NONE = operation(NoArguments)
POSITIONAL = operation(Two)
OPTIONS = operation(WithOptions, options=("offset", "line_count"))
OBJECT = operation(Whole, takes="memory")

BOUND = [
    pytest.param(NONE, [], {}, id="none"),
    pytest.param(NONE, [None, None], {}, id="none, and undefined after it"),
    pytest.param(POSITIONAL, ["a", 1], {"label": "a", "max_count": 1}, id="positional"),
    pytest.param(POSITIONAL, ["", 2**53 + 1], {"label": "", "max_count": 2**53 + 1}, id="extremes"),
    pytest.param(POSITIONAL, ["\ud800\0\r\n", 1], {"label": "\ud800\0\r\n", "max_count": 1}, id="strings"),
    pytest.param(OPTIONS, ["a"], {"path": "a", "offset": None, "line_count": None}, id="no options"),
    pytest.param(OPTIONS, ["a", None], {"path": "a", "offset": None, "line_count": None}, id="undefined"),
    pytest.param(OPTIONS, ["a", {}], {"path": "a", "offset": None, "line_count": None}, id="empty options"),
    pytest.param(
        OPTIONS, ["a", {"lineCount": 2}], {"path": "a", "offset": None, "line_count": 2}, id="one option"
    ),
    pytest.param(
        OPTIONS, ["a", {"offset": None}], {"path": "a", "offset": None, "line_count": None}, id="null option"
    ),
    pytest.param(OBJECT, [{"name": "a"}], {"name": "a", "on_use": None}, id="object"),
    pytest.param(OBJECT, [{"name": "a", "onUse": "x"}], {"name": "a", "on_use": "x"}, id="whole object"),
    pytest.param(OBJECT, [{"name": "a", "onUse": None}], {"name": "a", "on_use": None}, id="null field"),
]


@pytest.mark.parametrize(("operation", "passed", "expected"), BOUND)
def test_arguments_are_bound(operation: Operation, passed: list[Any], expected: dict[str, Any]) -> None:
    assert bind(operation, json.dumps(passed)).model_dump() == expected


def test_the_guests_reason_stands_in_for_arguments_that_cannot_be_encoded() -> None:
    with pytest.raises(Refusal) as caught:
        bind(POSITIONAL, json.dumps("argument 1.a\n\ud800 is a Map" + "x" * 2000))

    assert (caught.value.code, caught.value.kind) == ("invalid-argument", "arguments")
    assert caught.value.message == "argument 1.a\\u000a\\ud800 is a Map" + "x" * 977 + "…"


LONG = "x" * 41
SPANS = [{"from": 1}]
WRONG = [
    pytest.param(NONE, [1], "family.doIt takes no argument and got 1.", id="none: one"),
    pytest.param(POSITIONAL, [], "family.doIt needs label, and it is missing.", id="positional: none"),
    pytest.param(POSITIONAL, ["a"], "family.doIt needs maxCount, and it is missing.", id="positional: one"),
    pytest.param(
        POSITIONAL, [None, 1], "family.doIt needs label, and it is missing.", id="positional: undefined first"
    ),
    pytest.param(
        POSITIONAL, ["a", 1, {}], "family.doIt takes 2 arguments at most and got 3.", id="positional: three"
    ),
    pytest.param(
        POSITIONAL, [5, 1], "family.doIt: label wants a string and got the number 5.", id="string: number"
    ),
    pytest.param(
        POSITIONAL, [True, 1], "family.doIt: label wants a string and got true.", id="string: boolean"
    ),
    pytest.param(
        POSITIONAL, [["a"], 1], "family.doIt: label wants a string and got an array.", id="string: array"
    ),
    pytest.param(
        POSITIONAL, [{}, 1], "family.doIt: label wants a string and got an object.", id="string: object"
    ),
    pytest.param(
        POSITIONAL,
        ["a", "1"],
        "family.doIt: maxCount wants a whole number and got the string `1`.",
        id="number: string",
    ),
    pytest.param(
        POSITIONAL,
        ["a", "x\ny"],
        "family.doIt: maxCount wants a whole number and got the string `x\\u000ay`.",
        id="number: several lines",
    ),
    pytest.param(
        POSITIONAL,
        ["a", LONG],
        "family.doIt: maxCount wants a whole number and got a string.",
        id="number: long string",
    ),
    pytest.param(
        POSITIONAL,
        ["a", False],
        "family.doIt: maxCount wants a whole number and got false.",
        id="number: boolean",
    ),
    pytest.param(
        POSITIONAL,
        ["a", 1.5],
        "family.doIt: maxCount wants a whole number and got the number 1.5.",
        id="number: fraction",
    ),
    pytest.param(
        POSITIONAL,
        ["a", 1e21],
        "family.doIt: maxCount wants a whole number and got the number 1e+21.",
        id="number: exponent",
    ),
    pytest.param(
        POSITIONAL,
        ["a", 0],
        "family.doIt: maxCount wants a whole number of 1 or more and got the number 0.",
        id="number: too small",
    ),
    pytest.param(
        POSITIONAL,
        ["a", -(10**50)],
        "family.doIt: maxCount wants a whole number of 1 or more and got a large number.",
        id="number: too many digits to show",
    ),
    pytest.param(OPTIONS, [], "family.doIt needs path, and it is missing.", id="options: no path"),
    pytest.param(
        OPTIONS, ["a", {}, {}], "family.doIt takes 2 arguments at most and got 3.", id="options: three"
    ),
    pytest.param(
        OPTIONS, ["a", 5], "family.doIt: options wants an object and got the number 5.", id="options: number"
    ),
    pytest.param(
        OPTIONS, ["a", [1]], "family.doIt: options wants an object and got an array.", id="options: array"
    ),
    pytest.param(
        OPTIONS,
        ["a", {"offst": 1}],
        "family.doIt does not know `offst`. Did you mean offset?",
        id="options: near key",
    ),
    pytest.param(
        OPTIONS,
        ["a", {"zz": None}],
        "family.doIt does not know `zz`. It knows offset, lineCount.",
        id="options: far key",
    ),
    pytest.param(
        OPTIONS,
        ["a", {"path": "b"}],
        "family.doIt does not know `path`. It knows offset, lineCount.",
        id="options: a parameter is no option",
    ),
    pytest.param(
        OPTIONS,
        ["a", {"line_count": 1}],
        "family.doIt does not know `line_count`. Did you mean lineCount?",
        id="options: the host's spelling",
    ),
    pytest.param(
        OPTIONS,
        ["a", {"lineCount": 0}],
        "family.doIt: lineCount wants a whole number of 1 or more and got the number 0.",
        id="options: value",
    ),
    pytest.param(OBJECT, [], "family.doIt needs memory, and it is missing.", id="object: none"),
    pytest.param(OBJECT, [None], "family.doIt needs memory, and it is missing.", id="object: null"),
    pytest.param(
        OBJECT, ["a"], "family.doIt: memory wants an object and got the string `a`.", id="object: string"
    ),
    pytest.param(
        OBJECT, [{}, {}], "family.doIt takes 1 argument at most and got 2.", id="object: two arguments"
    ),
    pytest.param(OBJECT, [{}], "family.doIt needs name, and it is missing.", id="object: empty"),
    pytest.param(
        OBJECT,
        [{"nam": "a"}],
        "family.doIt does not know `nam`. Did you mean name?",
        id="object: a misspelt key before the one it leaves out",
    ),
    pytest.param(
        OBJECT,
        [{"name": "a", "x" * 1_000_000: 1}],
        f"family.doIt does not know `{'x' * 40}…`. It knows name, onUse.",
        id="object: a key of megabytes",
    ),
    pytest.param(
        OBJECT,
        [{"name": "a", "onUse": 1}],
        "family.doIt: onUse wants a string and got the number 1.",
        id="object: value",
    ),
]


@pytest.mark.parametrize(("operation", "passed", "message"), WRONG)
def test_wrong_arguments_are_refused(operation: Operation, passed: list[Any], message: str) -> None:
    assert refusal(operation, json.dumps(passed)) == ("invalid-argument", message)


HOSTILE = [
    pytest.param("{}", "family.doIt: its arguments are no array", id="object"),
    pytest.param(
        "", "family.doIt: its arguments are no JSON: Expecting value: line 1 column 1 (char 0)", id="empty"
    ),
    pytest.param(
        f"[{'9' * 4301}]",
        "family.doIt: its arguments are no JSON: a number has 4,301 digits",
        id="digits",
    ),
    pytest.param("[NaN]", "family.doIt: its arguments are no JSON: NaN is no JSON value", id="NaN"),
    pytest.param(
        "[-Infinity]", "family.doIt: its arguments are no JSON: -Infinity is no JSON value", id="infinity"
    ),
    pytest.param(
        "[" * 100_000,
        "family.doIt: its arguments are nested too deeply",
        id="deep",
    ),
]


@pytest.mark.parametrize(("text", "message"), HOSTILE)
def test_what_no_sdk_sends_is_refused_as_well(text: str, message: str) -> None:
    assert refusal(POSITIONAL, text) == ("invalid-argument", message)


MISTAKES = [
    pytest.param([[]], "spans wants an array of 1 or more and got 0", id="too few"),
    pytest.param([[{"from": 1}] * 4], "spans wants an array of 3 at most and got 4", id="too many"),
    pytest.param([{}], "spans wants an array and got an object", id="no array"),
    pytest.param([[1]], "spans[0] wants an object and got the number 1", id="no object in an array"),
    pytest.param(
        [[{"from": 1}, {"from": 0}]],
        "spans[1].from wants a whole number of 1 or more and got the number 0",
        id="a field in an array",
    ),
    pytest.param(
        [SPANS, [1.5]], "labels[0] wants a string or a whole number and got the number 1.5", id="union"
    ),
    pytest.param(
        [SPANS, [None]], "labels[0] wants a string or a whole number and got null", id="null in an array"
    ),
    pytest.param(
        [SPANS, [], {"weights": [1]}], "weights wants an object and got an array", id="an array as a record"
    ),
    pytest.param(
        [SPANS, [], {"weights": {"a\n": True}}],
        "weights.a\\u000a wants a number and got true",
        id="a value in a record",
    ),
    pytest.param(
        [SPANS, [], {"way": "dim"}], 'way wants "light" or "dark" and got the string `dim`', id="no such word"
    ),
    pytest.param([SPANS, [], {"isKept": 0}], "isKept wants true or false and got the number 0", id="truth"),
    pytest.param(
        [SPANS, [], {"instead": 1}],
        "instead wants an object or a string and got the number 1",
        id="neither an object nor a string",
    ),
    pytest.param(
        [SPANS, [], {"instead": {"from": "1"}}],
        "instead.from wants a whole number and got the string `1`",
        id="a field of an object that might be a string",
    ),
]


@pytest.mark.parametrize(("passed", "message"), MISTAKES)
def test_a_mistake_within_arrays_records_and_unions_is_told_at_its_place(
    passed: list[Any], message: str
) -> None:
    assert refusal(MARK, json.dumps(passed)) == ("invalid-argument", f"things.mark: {message}.")


def test_a_field_that_is_missing_or_misspelt_within_an_array() -> None:
    assert refusal(MARK, '[[{"to": 1}]]')[1] == "things.mark needs spans[0].from, and it is missing."
    assert refusal(MARK, '[[{"from": 1, "form": 1}]]')[1] == (
        "things.mark does not know `form`. Did you mean from?"
    )


def test_an_argument_that_the_guest_makes_is_told_as_the_program_gives_it() -> None:
    assert refusal(FIND, "[1]") == (
        "invalid-argument",
        "things.findIt: target wants a function or a name and got the number 1.",
    )


def test_arrays_records_and_unions_are_bound() -> None:
    passed = [
        [{"from": 1, "to": None}],
        ["a", 2],
        {"weights": {"a": 1}, "way": "dark", "isKept": True, "instead": {"from": 3}},
    ]

    assert bind(MARK, json.dumps(passed)).model_dump() == {
        "spans": [{"from_": 1, "to": None}],
        "labels": ["a", 2],
        "weights": {"a": 1.0},
        "way": "dark",
        "is_kept": True,
        "instead": {"from_": 3, "to": None},
    }


# What each form of an argument can be wrong in, by the validator's own name for the form.
MISTAKES_OF = {
    "str": {"string_type"},
    "int": {"int_type"},
    "float": {"float_type"},
    "bool": {"bool_type"},
    "list": {"list_type"},
    "dict": {"dict_type"},
    "model": {"model_type"},
    "literal": {"literal_error"},
    "model-fields": {"missing", "extra_forbidden"},
    "default": set(),
    "nullable": set(),
    "union": set(),
    "model-field": set(),
    "function-before": set(),
    "definitions": set(),
    "definition-ref": set(),
}
MISTAKES_OF_BOUNDS = {
    ("int", "ge"): "greater_than_equal",
    ("int", "le"): "less_than_equal",
    ("float", "ge"): "greater_than_equal",
    ("float", "gt"): "greater_than",
    ("float", "le"): "less_than_equal",
    ("list", "min_length"): "too_short",
    ("list", "max_length"): "too_long",
}
BOUNDS = {"ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern", "allow_inf_nan"}


@pytest.mark.parametrize("operation", [*OPERATIONS.values(), MARK, FIND], ids=lambda row: row.id)
def test_every_mistake_that_the_table_makes_possible_has_words(operation: Operation) -> None:
    kinds = set(mistakes(operation.arguments.__pydantic_core_schema__))

    assert kinds - {"missing", "extra_forbidden"} <= set(_WANTED)


def mistakes(schema: object) -> Iterator[str]:
    """The kinds of mistake that a validator's schema can tell of. KeyError for a form or bound unheard of."""
    if isinstance(schema, list | tuple):
        for part in schema:
            yield from mistakes(part)
    elif isinstance(schema, dict):
        if isinstance(form := schema.get("type"), str):
            yield from MISTAKES_OF[form]
            yield from (MISTAKES_OF_BOUNDS[form, bound] for bound in BOUNDS & schema.keys())
        nested = ("schema", "fields", "items_schema", "values_schema", "choices", "definitions")
        for name in nested:
            inner = schema.get(name)
            yield from mistakes(
                list(inner.values()) if name == "fields" and isinstance(inner, dict) else inner
            )


ODD_VALUES = [None, True, 0, -1, 1.5, 10**30, "", "x", [], ["x"], [0], [None], [{}], {}, {"x": 1}]


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=list(OPERATIONS))
def test_every_call_of_the_table_binds_or_refuses_whatever_it_gets(operation: Operation) -> None:
    shapes: list[list[Any]] = [[first, second] for first in ODD_VALUES for second in ODD_VALUES]
    shapes += [["x"] * len(operation.positional), ["context", "x", ["x"]]]
    fields = [info.alias for info in operation.arguments.model_fields.values()]
    if operation.takes:
        whole = {info.alias: "x" for info in operation.arguments.model_fields.values() if info.is_required()}
        shapes += [[{**whole, name: value}] for name in fields for value in ODD_VALUES]
    if operation.options:
        before = ["x"] * len(operation.positional)
        shapes += [[*before, {name: value}] for name in fields for value in ODD_VALUES]

    assert {judged(operation, passed) for passed in shapes} == {"bound", "invalid-argument"}


def judged(operation: Operation, passed: list[Any]) -> str:
    try:
        bind(operation, json.dumps(passed))
    except Refusal as refused:
        return refused.code
    return "bound"


def refusal(operation: Operation, arguments_json: str) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        bind(operation, arguments_json)
    return caught.value.code, caught.value.message
