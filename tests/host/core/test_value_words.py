"""Values in the words of a message."""

import pytest

from host.core.value_words import what

WORDS = [
    pytest.param(None, "null", id="null"),
    pytest.param(True, "true", id="true"),
    pytest.param(7, "the number 7", id="whole number"),
    pytest.param(1.5, "the number 1.5", id="number"),
    pytest.param(10**39, f"the number {10**39}", id="forty digits"),
    pytest.param(10**40, "a large number", id="forty-one digits"),
    pytest.param(10**5000, "a large number", id="more digits than Python writes"),
    pytest.param("a\nb", "the string `a\\u000ab`", id="string"),
    pytest.param("x" * 41, "a string", id="long string"),
    pytest.param([1], "an array", id="array"),
    pytest.param({"a": 1}, "an object", id="object"),
]


@pytest.mark.parametrize(("value", "words"), WORDS)
def test_a_value_in_words(value: object, words: str) -> None:
    assert what(value) == words
