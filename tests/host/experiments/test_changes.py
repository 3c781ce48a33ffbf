"""Paths of a configuration, and what an arm makes of it."""

from typing import Any

import pytest

from host.experiments.changes import Change, apply_changes
from host.experiments.paths import PathError, parse_path, places_of

DOCUMENT: dict[str, Any] = {
    "task": "Do it.",
    "model": {"provider": "scripted", "replies": ["a"], "contextWindow": 9000},
    "agents": [
        {"id": "a", "capabilities": [{"id": "memories", "params": {"scope": "isolated"}}]},
        {"id": "b", "execution": "tool_calling", "model": "human"},
    ],
}

PATHS = [
    ("execution", [("agents", 0, "execution"), ("agents", 1, "execution")]),
    ("limits.maxTurns", [("limits", "maxTurns")]),
    ("memories.params.scope", [("agents", 0, "capabilities", 0, "params", "scope")]),
    ("agents[1].prompt", [("agents", 1, "prompt")]),
    ("agents[b].prompt", [("agents", 1, "prompt")]),
    (
        'codeMode.healing["strip-prose"]',
        [("agents", n, "codeMode", "healing", "strip-prose") for n in (0, 1)],
    ),
    ("model", [("model",), ("agents", 1, "model")]),
    ("model.contextWindow", [("model", "contextWindow")]),
]


@pytest.mark.parametrize(("path", "places"), PATHS, ids=[path for path, _ in PATHS])
def test_the_places_that_a_path_means(path: str, places: list[tuple[str | int, ...]]) -> None:
    assert list(places_of(DOCUMENT, parse_path(path))) == places


NO_PATH = "is no path, such as execution, memories.params.scope or agents[0].prompt"
WRONG = [
    ("", NO_PATH),
    ("a..b", NO_PATH),
    (".a", NO_PATH),
    ("a b", NO_PATH),
    ("[0].a", NO_PATH),
    ("executon", "executon is no key of a configuration or of an agent, and no capability"),
    ("files.params.dir", "no agent of the configuration has the capability files"),
    ("agents[2].prompt", "agents has no entry 2"),
    ("agents[c].prompt", "agents has no entry c"),
    ("task.more", 'leads into "Do it.", which holds nothing'),
]


@pytest.mark.parametrize(("path", "why"), WRONG, ids=[path or "nothing" for path, _ in WRONG])
def test_a_path_that_leads_nowhere_says_why(path: str, why: str) -> None:
    with pytest.raises(PathError) as caught:
        places_of(DOCUMENT, parse_path(path))

    assert str(caught.value) == why


def test_changes_are_made_in_turn_and_the_document_stays_as_it_is() -> None:
    changed = apply_changes(
        DOCUMENT,
        [
            Change("limits.maxTurns", 3),
            Change("limits", {"maxTurns": 4}),
            Change("memories", {"enabled": False}),
            Change("execution", "tool_calling"),
        ],
    )

    assert changed.document["limits"] == {"maxTurns": 4}
    assert changed.document["agents"] == [
        {"id": "a", "capabilities": [{"id": "memories", "enabled": False}], "execution": "tool_calling"},
        {"id": "b", "execution": "tool_calling", "model": "human"},
    ]
    assert changed.places[1] == (("limits",),)
    assert "limits" not in DOCUMENT
    assert "execution" not in DOCUMENT["agents"][0]


def test_a_model_by_its_name_keeps_the_context_window_that_was_written() -> None:
    changed = apply_changes(DOCUMENT, [Change("model", "openai:gpt-x")])

    assert changed.document["model"] == {"provider": "openai:gpt-x", "contextWindow": 9000}
    assert changed.document["agents"][1]["model"] == "openai:gpt-x"  # type: ignore[index]
