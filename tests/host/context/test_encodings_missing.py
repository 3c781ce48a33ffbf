"""Counting by an encoding where its extra is not installed."""

import pytest

from host.context import BpeCounter


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.core.tokens.find_spec", lambda name: None)

    with pytest.raises(ModuleNotFoundError) as caught:
        BpeCounter("cl100k_base")

    assert str(caught.value) == (
        "counting by cl100k_base needs the extra `tokens`, whose package bpe_openai is not installed:"
        " pip install 'gg[tokens]'"
    )
