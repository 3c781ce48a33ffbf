"""Python functions as tools: what they take and give, and what is told of each mistake."""

import functools
import math
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import Field

from host.tools import LOCAL, ToolSource, python_tool, render_namespaces, type_tools
from runtime_js import Compiler
from tests.conftest import Golden
from tests.host.tools.functions import (
    Color,
    Counter,
    Point,
    User,
    called,
    everything,
    greet,
    labelled,
    nothing,
    odd_names,
    search,
    sooner,
    untyped_result,
    wrapped,
)
from tests.host.tools.given import told
from tests.host.tools.test_declarations import GOLDEN

GIVEN = [search, greet, everything, labelled, odd_names, untyped_result, nothing, Counter().add, sooner]


def test_functions_as_a_module(compiler: Compiler, golden: Golden) -> None:
    tools = tuple(python_tool(function, timeout_s=2.5) for function in GIVEN)
    found = type_tools([ToolSource(namespace=LOCAL, tools=tools)], families=(), global_names=())
    text = render_namespaces(found.namespaces)

    assert (found.problems, found.left_out) == ((), ())
    golden(GOLDEN / "functions.d.ts", text)
    assert told(compiler, "export {};", text) == ""


def test_a_tool_has_the_name_and_the_texts_of_its_function() -> None:
    tool = python_tool(search, timeout_s=2.5)

    assert (tool.namespace, tool.name, tool.timeout_s, tool.is_local) == ("local", "search", 2.5, True)
    assert tool.description == (
        "Finds texts.\n\nLooks everywhere.\n\nReturns: The texts.\n"
        "Raises ValueError: for a query that is empty."
    )
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for,\nword by word."},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 100,
                "default": 10,
                "description": "How many at most.",
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    }
    assert tool.returns == {"type": "array", "items": {"type": "string"}}
    assert python_tool(search, name="find-texts", timeout_s=1).name == "find-texts"


ALL = {
    "color": "red",
    "point": {"x": 1},
    "options": {"deep": True},
    "mode": "w",
    "when": "2026-12-01T10:00:00Z",
    "amount": "1.10",
    "data": "aGk=",
    "path": "a/b",
    "names": ["a", "a"],
    "pair": [1, "b"],
    "counts": {"a": 10**30},
    "maybe": None,
}
ANSWERS: list[Any] = [
    pytest.param(search, {"query": "a", "limit": 2}, ["a", "a"], id="sync"),
    pytest.param(search, {"query": "a"}, ["a"] * 10, id="a default"),
    pytest.param(
        greet,
        {"user": {"name": "Ann"}},
        {"name": "Hello Ann", "friends": [{"name": "Ann", "friends": []}]},
        id="async, a model",
    ),
    pytest.param(
        everything,
        ALL,
        {**ALL, "point": {"x": 1, "y": 0.5}, "when": "2026-12-01T10:00:00Z", "names": ["a"]},
        id="types of every kind",
    ),
    pytest.param(
        labelled, {"name": "n", "a": 1, "field_0": 2}, {"n": 0, "a": 1, "field_0": 2}, id="any names"
    ),
    pytest.param(
        odd_names,
        {"schema": "s", "copy": "c", "model_config": "m", "_hidden": "h", "self_": "t"},
        ["s", "c", "m", "h", "t", "j"],
        id="names that are pydantic's",
    ),
    pytest.param(nothing, {}, None, id="nothing"),
    pytest.param(Counter().add, {"by": 2}, 2, id="a method"),
    pytest.param(Counter(), {"by": 3}, 3, id="an object"),
    pytest.param(functools.partial(search, "x"), {"limit": 1}, ["x"], id="partial"),
    pytest.param(functools.partial(search, limit=1), {"query": "x"}, ["x"], id="partial by name"),
    pytest.param(
        functools.partial(greet),
        {"user": {"name": ""}},
        {"name": "Hello ", "friends": [{"name": "", "friends": []}]},
        id="partial, async",
    ),
    pytest.param(sooner, {"value": 5}, 5, id="something to await"),
    pytest.param(wrapped, {"query": "w", "limit": 1}, ["w"], id="decorated"),
    pytest.param(
        untyped_result, {"value": [1, None, {"a": 2.5}]}, [1, None, {"a": 2.5}], id="no type of result"
    ),
    pytest.param(untyped_result, {"value": 10**400}, 10**400, id="a large number"),
]


@pytest.mark.parametrize(("function", "given", "expected"), ANSWERS)
def test_a_call_gives_json_values(
    function: Callable[..., Any], given: dict[str, Any], expected: object
) -> None:
    assert called(function, **given) == expected


def test_arguments_arrive_as_the_types_that_the_function_has() -> None:
    bound = python_tool(everything, timeout_s=1).bind(ALL)

    assert isinstance(bound, dict)
    assert list(bound) == list(ALL)
    assert (bound["color"], bound["point"], bound["data"]) == (Color.RED, Point(1), b"hi")
    assert (bound["counts"], bound["pair"], bound["names"]) == ({"a": 10**30}, (1, "b"), {"a"})
    assert str(bound["amount"]) == "1.10"


def test_defaults_stay_those_of_the_function() -> None:
    def remember(kept: list[int] = [], *, at: int = Field(3, ge=1)) -> list[int]:  # noqa: B006  (what is tried)
        kept.append(at)
        return kept

    assert called(remember) == [3]
    assert called(remember, at=4) == [3, 4]


MISTAKES = [
    ({}, "local.search needs query, and it is missing."),
    ({"query": 5}, "local.search: query wants a string and got the number 5."),
    ({"query": None}, "local.search: query wants a string and got null."),
    ({"query": "a", "limit": "3"}, "local.search: limit wants a whole number and got the string `3`."),
    ({"query": "a", "limit": 1.5}, "local.search: limit wants a whole number and got the number 1.5."),
    ({"query": "a", "limit": True}, "local.search: limit wants a whole number and got true."),
    ({"query": "a", "limit": 0}, "local.search: limit wants a number of 1 or more and got the number 0."),
    (
        {"query": "a", "limit": 101},
        "local.search: limit wants a number of 100 or less and got the number 101.",
    ),
    ({"query": "a", "limti": 5}, "local.search does not know `limti`. Did you mean limit?"),
    ({"query": "a", "x": 5}, "local.search does not know `x`. It knows query, limit."),
    ({"query": "a\ud800"}, "local.search: query holds a lone surrogate, which is half a character."),
    ({"query": "a", "limit": 10**5000}, "local.search: limit is a number of thousands of digits."),
    ({"query": "a", "limit": math.nan}, "local.search: limit is nan, which is no number of JSON."),
]


@pytest.mark.parametrize(("given", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_a_mistake_names_argument_got_and_wanted(given: dict[str, Any], message: str) -> None:
    assert called(search, **given) == f"invalid-argument: {message}"


def union(value: list[User] | dict[str, int] | None) -> None: ...


def even(
    value: Annotated[int, Field(multiple_of=2)], name: Annotated[str, Field(min_length=3)] = "abc"
) -> None: ...


INNER: list[Any] = [
    (greet, {"user": 5}, ": user wants an object and got the number 5."),
    (greet, {"user": {}}, " needs user.name, and it is missing."),
    (greet, {"user": {"name": "a", "friends": [{}]}}, " needs user.friends[0].name, and it is missing."),
    (greet, {"user": {"name": "a", "friends": [[]]}}, ": user.friends[0] wants an object and got an array."),
    (union, {"value": 5}, ": value wants an array or an object and got the number 5."),
    (union, {"value": [{"name": 1}]}, ": value[0].name wants a string and got the number 1."),
    (union, {"value": {"a-b": "c"}}, ': value["a-b"] wants a whole number and got the string `c`.'),
    (even, {"value": 3}, ": value wants a multiple of 2 and got the number 3."),
    (even, {"value": 2, "name": "a"}, ": name does not serve: string should have at least 3 characters."),
    (everything, {**ALL, "color": "blue"}, ': color wants "red" or "green" and got the string `blue`.'),
    (everything, {**ALL, "mode": "x"}, ': mode wants "r" or "w" and got the string `x`.'),
    (everything, {**ALL, "when": "x"}, ": when wants a valid datetime and got the string `x`."),
    (everything, {**ALL, "pair": [1]}, " needs pair[1], and it is missing."),
    (everything, {**ALL, "options": {"dep": True}}, " does not know options.dep."),
    (labelled, {"name": "a", "b": "c"}, ": b wants a whole number and got the string `c`."),
    (nothing, {"a": 1}, " does not know `a`. It takes no argument."),
]


@pytest.mark.parametrize(("function", "given", "message"), INNER, ids=[message for *_, message in INNER])
def test_a_mistake_within_a_value_names_its_place(
    function: Callable[..., Any], given: dict[str, Any], message: str
) -> None:
    assert called(function, **given) == f"invalid-argument: local.{function.__name__}{message}"


def promises(value: Any) -> list[str]:  # noqa: ANN401  (what is tried)
    return {"none": None, "number": [1], "tuple": ("a",), "half": ["\ud800"]}[value]


class Odd:
    pass


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
VALUES: list[Any] = [Odd(), [math.inf], {"a": {"b": math.nan}}, {"\ud800": 1}, ENDLESS, 10**5000, print]


def gives(place: int):  # noqa: ANN201  (what is tried)
    return VALUES[place]


def never() -> float:
    return math.nan


def nests() -> object:
    """Gives more levels than anybody reads."""
    value: object = 0
    for _ in range(900):
        value = [value]
    return value


UNFIT: list[Any] = [
    (promises, {"value": "none"}, " wants an array and got null."),
    (promises, {"value": "number"}, "[0] wants a string and got the number 1."),
    (promises, {"value": "tuple"}, " wants an array and got a value of the Python type tuple."),
    (promises, {"value": "half"}, "[0] holds a lone surrogate, which is half a character."),
    (gives, {"place": 0}, " holds a value of the Python type Odd, for which JSON has no form."),
    (gives, {"place": 1}, "[0] is inf, which is no number of JSON."),
    (gives, {"place": 2}, ".a.b is nan, which is no number of JSON."),
    (gives, {"place": 3}, " holds a lone surrogate, which is half a character."),
    (gives, {"place": 4}, " holds itself, or values within one another without end."),
    (gives, {"place": 5}, " is a number of thousands of digits."),
    (
        gives,
        {"place": 6},
        " holds a value of the Python type builtin_function_or_method, for which JSON has no form.",
    ),
    (nests, {}, " holds values within one another, more than 100 levels."),
    (never, {}, " wants a finite number and got the number nan."),
]


@pytest.mark.parametrize(("function", "given", "message"), UNFIT, ids=[message for *_, message in UNFIT])
def test_a_result_that_is_no_json_is_told(
    function: Callable[..., Any], given: dict[str, Any], message: str
) -> None:
    assert called(function, **given) == f"io-error: local.{function.__name__} failed: its result{message}"
