from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.skillbook.similarity.features import grams, words

WORDS = [
    pytest.param("Retries retried", {"retri": 2}, id="stemmed"),
    pytest.param("設備", {"設": 1, "備": 1, "設備": 1}, id="a script without spaces"),
    pytest.param("café", {"café": 1}, id="accent"),
    pytest.param("cafe\u0301", {"café": 1}, id="accent in two characters"),
    pytest.param("🚀", {"🚀": 1}, id="emoji"),
    pytest.param("?!", {}, id="punctuation"),
    pytest.param(
        "wait\n\nKeywords: rate_limit, api", {"wait": 1, "rate": 1, "limit": 1, "api": 1}, id="keywords"
    ),
    pytest.param("Keywords: rate_limit", {"rate": 1, "limit": 1}, id="keywords alone"),
    pytest.param("use Keywords: a_b", {"use": 1, "keyword": 1, "a_b": 1}, id="the label within a line"),
    pytest.param(
        "x\n\nKeywords: a_b\nmore", {"x": 1, "keyword": 1, "a_b": 1, "more": 1}, id="lines after it"
    ),
]

GRAMS = [
    pytest.param("File", {"|fil": 1, "file": 1, "ile|": 1}, id="word"),
    pytest.param("(file).", {"|fil": 1, "file": 1, "ile|": 1}, id="punctuation around"),
    pytest.param("a", {"|a|": 1}, id="one character"),
    pytest.param("設備", {"|設備|": 1}, id="a script without spaces"),
    pytest.param("🚀 🚀", {"|🚀|": 2}, id="emoji"),
    pytest.param("... --", {}, id="punctuation"),
    pytest.param("a.b", {"|a.b": 1, "a.b|": 1}, id="punctuation within"),
]


@pytest.mark.parametrize(("text", "expected"), WORDS)
def test_words(text: str, expected: dict[str, int]) -> None:
    assert words(text) == Counter(expected)


@pytest.mark.parametrize(("text", "expected"), GRAMS)
def test_grams(text: str, expected: dict[str, int]) -> None:
    assert grams(text) == Counter(expected)


@given(st.text())
def test_every_gram_has_a_size(text: str) -> None:
    assert [
        gram for gram in grams(text) if len(gram) != 4 and not (len(gram) == 3 and gram[0] == gram[2] == "|")
    ] == []
