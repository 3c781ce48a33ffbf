"""Tokens are estimated from characters, whatever the script."""

import pytest

from host.core.tokens import CHARACTERS_PER_TOKEN, encodings_missing, estimate_tokens

ESTIMATES = [
    pytest.param("", 0, id="nothing"),
    pytest.param("a", 1, id="one character"),
    pytest.param("abcd", 1, id="four"),
    pytest.param("abcde", 2, id="five"),
    pytest.param("解析器超时", 2, id="characters, not bytes"),
    pytest.param("😀" * 4, 1, id="outside the basic plane"),
    pytest.param("\ud800", 1, id="lone surrogate"),
]


@pytest.mark.parametrize(("text", "tokens"), ESTIMATES)
def test_a_quarter_of_the_characters_rounded_up(text: str, tokens: int) -> None:
    assert CHARACTERS_PER_TOKEN == 4
    assert estimate_tokens(text) == tokens


def test_what_the_extra_lacks_is_told_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.core.tokens.find_spec", lambda name: None)

    assert encodings_missing() == (
        "needs the extra `tokens`, whose package bpe_openai is not installed: pip install 'gg[tokens]'"
    )


def test_nothing_is_missing_where_the_package_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.core.tokens.find_spec", lambda name: name)

    assert encodings_missing() is None
