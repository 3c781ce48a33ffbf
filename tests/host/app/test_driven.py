"""A person in the place of a model."""

import pytest

from host.app.driven import person_for

PEOPLE = [
    (None, "human"),
    ("openai:gpt-5", "human"),
    ({"provider": "openai:gpt-5", "temperature": 1}, "human"),
    ({"provider": "scripted", "replies": ["x"], "contextWindow": None}, "human"),
    ({"provider": "openai:gpt-5", "contextWindow": 9}, {"provider": "human", "contextWindow": 9}),
    (
        {"provider": "openai:gpt-5", "contextWindow": 9, "counter": "utf-8"},
        {"provider": "human", "contextWindow": 9, "counter": "utf-8"},
    ),
]


@pytest.mark.parametrize(("model", "person"), PEOPLE)
def test_a_window_stays_as_large_and_is_counted_likewise(model: object, person: object) -> None:
    assert person_for(model) == person
