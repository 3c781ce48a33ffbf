"""What a tool gave, as programs and replies get it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.operations.tool_values import LARGEST_NUMBER, ToolValue, beginning

JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
ENVELOPES = [
    (None, '{"ok":null}'),
    (True, '{"ok":true}'),
    (LARGEST_NUMBER, '{"ok":9007199254740991}'),
    (LARGEST_NUMBER + 1, '{"ok":"9007199254740992","bigints":[[]]}'),
    (-LARGEST_NUMBER - 1, '{"ok":"-9007199254740992","bigints":[[]]}'),
    ({"a": [1, 2**64]}, '{"ok":{"a":[1,"18446744073709551616"]},"bigints":[["a",1]]}'),
    ({"__proto__": {"then": "é"}}, '{"ok":{"__proto__":{"then":"é"}}}'),
    ("x\ny", r'{"ok":"x\ny"}'),
]


@pytest.mark.parametrize(("value", "expected"), ENVELOPES)
def test_the_answer_to_a_program(value: object, expected: str) -> None:
    assert ToolValue(value).envelope() == expected


@given(JSON_VALUES)
def test_no_digit_is_lost_on_the_way_to_a_program(value: object) -> None:
    answer = json.loads(ToolValue(value).envelope())

    assert largest(answer["ok"]) <= LARGEST_NUMBER
    assert with_numbers(answer["ok"], answer.get("bigints", [])) == value


@given(JSON_VALUES)
def test_the_answer_to_a_call_is_the_value_as_json(value: object) -> None:
    assert json.loads(ToolValue(value).text()) == value


def test_an_answer_that_is_too_long_says_how_much_of_it_there_is() -> None:
    text = beginning(ToolValue("é" * 100).text(), 50)

    assert text == f'"{"é" * 24}\n… 49 of 202 bytes are shown; the call gave them all.'


def test_what_fits_is_left_as_it_is() -> None:
    assert beginning("abc", 3) == "abc"


def largest(value: object) -> int:
    match value:
        case bool():
            return 0
        case int():
            return abs(value)
        case list():
            return max(map(largest, value), default=0)
        case dict():
            return max(map(largest, value.values()), default=0)
    return 0


def with_numbers(value: Any, places: list[list[Any]]) -> object:  # noqa: ANN401
    """What the SDK makes of it: a whole number at each of the places."""
    for place in places:
        if not place:
            return int(value)
        *way, last = place
        holder = value
        for step in way:
            holder = holder[step]
        holder[last] = int(holder[last])
    return value
