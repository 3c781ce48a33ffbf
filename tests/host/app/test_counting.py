"""Which counter a window of a run has."""

from pathlib import Path

import pytest

from host.app.counting import counter_of
from host.context import BpeCounter, CharacterCounter, Counter, Utf8Counter
from host.launch import validate

CHOSEN = [
    pytest.param({}, CharacterCounter(), id="unless something is written"),
    pytest.param({"counter": "characters"}, CharacterCounter(), id="characters"),
    pytest.param({"counter": "utf-8"}, Utf8Counter(), id="bytes"),
]


def chosen(**model: str) -> Counter:
    document = {"task": "t", "model": {"provider": "human", **model}, "agents": [{"id": "a"}]}
    return counter_of(validate(document, base=Path.cwd()).root_agent)


@pytest.mark.parametrize(("model", "counter"), CHOSEN)
def test_the_counter_is_that_which_the_model_names(model: dict[str, str], counter: Counter) -> None:
    assert chosen(**model) == counter


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_an_encoding_is_a_counter(name: str) -> None:
    pytest.importorskip("bpe_openai", reason="the extra tokens is not installed")

    assert chosen(counter=name) == BpeCounter(name)
