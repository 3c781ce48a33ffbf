"""The configuration that a person tries programs on: one of their own, or a small one over this directory."""

from pathlib import Path
from typing import Final

from host.launch import ConfigurationNotFound, LaunchPlan, load, validate

_HERE: Final[dict[str, object]] = {
    "name": "repl",
    "task": "Whatever you like.",
    "model": "human",
    "agents": [
        {
            "id": "person",
            "capabilities": [
                {
                    "id": "memories",
                    "implementation": "scratchpad",
                    "params": {
                        "scope": "isolated",
                        "maxCount": 64,
                        "maxLenPerMemory": 4096,
                        "maxTotalLen": 0,
                        "maxLenIndex": 0,
                        "maxLenDescription": 256,
                        "maxResults": 25,
                    },
                },
                {"id": "files", "params": {"dir": "."}},
                {"id": "program-library"},
                {"id": "agent-managed-context"},
            ],
        }
    ],
}


def repl_plan(config: Path | None) -> LaunchPlan:
    """The plan of a run whose every reply a person writes.

    Without a configuration: one agent with memories and, for reading, the files of this directory. A person
    is given all the time and all the errors they need, so the limits of a run are lifted; those of a program
    stay. Raises as `load` does.
    """
    if config is None:
        return validate(_HERE, base=_here())
    plan = load(config)
    document = {key: value for key, value in plan.document.items() if key != "limits"}
    agents = document["agents"]
    assert isinstance(agents, list), "a checked document has a list of agents"
    document["agents"] = [{key: value for key, value in agent.items() if key != "model"} for agent in agents]
    return validate({"name": plan.name, **document, "model": "human"}, base=plan.base)


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise ConfigurationNotFound("this directory has been removed; run gg repl in another") from error
