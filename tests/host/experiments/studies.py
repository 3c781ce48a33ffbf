"""Small studies on disk, of agents that call tools, so that no compiler is started."""

import json
from pathlib import Path
from typing import Any

from host.experiments import Study, load_study


def finishing(summary: str) -> dict[str, Any]:
    """A reply that ends the run."""
    return {"toolCalls": [{"name": "finish", "arguments": {"summary": summary}}]}


def base(folder: Path, *replies: dict[str, Any], **changes: Any) -> Path:  # noqa: ANN401 - JSON
    """A configuration of one agent that calls tools, with these replies."""
    for number, reply in enumerate(replies or (finishing("42"),)):
        path = folder / "replies" / f"{number:02d}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(reply))
    document = {
        "task": "Say the number.",
        "seed": 7,
        "model": {"provider": "scripted", "replies": "replies"},
        "limits": {"maxTurns": 3},
        "agents": [{"id": "root", "execution": "tool_calling"}],
        **changes,
    }
    path = folder / "run.json"
    path.write_text(json.dumps(document))
    return path


ARMS = [{"id": "plain"}, {"id": "terse", "set": {"agents[root].prompt": "Be short."}}]


def study(folder: Path, **changes: Any) -> Path:  # noqa: ANN401 - JSON
    """A study of `run.json` beside it, of two arms that call tools."""
    document = {"base": "run.json", "arms": ARMS, **changes}
    path = folder / "study.json"
    path.write_text(json.dumps(document))
    return path


def loaded(folder: Path, **changes: Any) -> Study:  # noqa: ANN401 - JSON
    base(folder)
    return load_study(study(folder, **changes))
