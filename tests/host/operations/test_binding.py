"""What a program passes to a call, bound or refused with the whole message."""

import json
from typing import Any

import pytest
from pydantic import Field

from host.core.errors import Refusal
from host.operations import OPERATIONS, Operation
from host.operations.binding import bind
from host.operations.model import Arguments, NoArguments


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
    assert caught.value.message == "argument 1.a\\u000a\\ud800 is a Map" + "x" * 977


LONG = "x" * 41
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


ODD_VALUES = [None, True, 0, -1, 1.5, 10**30, "", "x", [], ["x"], {}, {"x": 1}]


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=list(OPERATIONS))
def test_every_call_of_the_table_binds_or_refuses_whatever_it_gets(operation: Operation) -> None:
    shapes: list[list[Any]] = [[first, second] for first in ODD_VALUES for second in ODD_VALUES]
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
