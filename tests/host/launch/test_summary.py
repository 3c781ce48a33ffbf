"""The line that says what a configuration would run."""

from pathlib import Path
from typing import Any

import pytest

from host.launch import summarize, validate
from tests.host.launch.documents import VALID, broken

FILES = {"id": "files", "params": {"dir": "."}}
OFF = {"id": "memories", "enabled": False}
MODEL = {"provider": "scripted", "replies": ["x"]}
SHORT = {"name": "short", "task": "t", "model": MODEL, "agents": [{"id": "a"}]}
NOTHING = "short can be run: root a (scripted; no capabilities); no limits"
LIMITS = "limits maxTurns 20, maxRuntimeSecs 600, maxConsecutiveErrors 5"

SUMMARIES = [
    (VALID, f"quickstart can be run: root analyst (scripted; memories scratchpad); {LIMITS}"),
    (
        broken(("agents", 0, "capabilities", 1), FILES),
        f"quickstart can be run: root analyst (scripted; memories scratchpad, files); {LIMITS}",
    ),
    (SHORT, NOTHING),
    ({**SHORT, "limits": {"maxTurns": None}}, NOTHING),
    ({**SHORT, "model": None, "agents": [{"id": "a", "model": MODEL, "capabilities": [OFF]}]}, NOTHING),
    ({**SHORT, "model": "human"}, "short can be run: root a (human; no capabilities); no limits"),
]


@pytest.mark.parametrize(("document", "said"), SUMMARIES)
def test_what_would_run_is_said_on_one_line(document: dict[str, Any], said: str, tmp_path: Path) -> None:
    assert summarize(validate(document, base=tmp_path)) == said
