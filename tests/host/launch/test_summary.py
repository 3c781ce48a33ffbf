"""The line that says what a configuration would run."""

from pathlib import Path
from typing import Any

import pytest

from host.launch import summarize, validate
from tests.host.launch.documents import MEMORIES, VALID, broken, changed

FILES = {"id": "files", "params": {"dir": "."}}
OFF = {"id": "memories", "enabled": False}
MODEL = {"provider": "scripted", "replies": ["x"]}
SHORT = {"name": "short", "task": "t", "model": MODEL, "agents": [{"id": "a"}]}
CODE_MODE = "quickstart can be run: root analyst (scripted; responses_as_code"
NOTHING = "short can be run: root a (scripted; responses_as_code; no capabilities); no limits"
LIMITS = "limits maxTurns 20, maxRuntimeSecs 600, maxConsecutiveErrors 5"

SUMMARIES = [
    (
        VALID,
        f"{CODE_MODE}; memories scratchpad); {LIMITS}",
    ),
    (
        broken(("agents", 0, "capabilities", 1), FILES),
        f"{CODE_MODE}; memories scratchpad, files); {LIMITS}",
    ),
    (
        changed(lambda document: document["agents"][0].update(execution="tool_calling")),
        f"quickstart can be run: root analyst (scripted; tool_calling; memories scratchpad); {LIMITS}",
    ),
    (
        broken(
            ("agents", 0, "capabilities"),
            [
                {"id": "agent-managed-context"},
                {"id": "program-library"},
                {
                    **MEMORIES,
                    "implementation": " keyword-search ",
                    "features": {"reviseMemories": False},
                },
            ],
        ),
        f"{CODE_MODE}; memories keyword-search append-only, program-library,"
        f" agent-managed-context); {LIMITS}",
    ),
    (
        {
            **SHORT,
            "model": {**MODEL, "contextWindow": 8_000},
            "agents": [{"id": "a", "capabilities": [{"id": "compaction", "implementation": "summary"}]}],
        },
        "short can be run: root a (scripted; responses_as_code; compaction summary at 0.85 of 8000 tokens);"
        " no limits",
    ),
    (SHORT, NOTHING),
    ({**SHORT, "limits": {"maxTurns": None}}, NOTHING),
    ({**SHORT, "model": None, "agents": [{"id": "a", "model": MODEL, "capabilities": [OFF]}]}, NOTHING),
    (
        {**SHORT, "model": "human"},
        "short can be run: root a (human; responses_as_code; no capabilities); no limits",
    ),
]


@pytest.mark.parametrize(("document", "said"), SUMMARIES)
def test_what_would_run_is_said_on_one_line(document: dict[str, Any], said: str, tmp_path: Path) -> None:
    assert summarize(validate(document, base=tmp_path)) == said
