"""The configuration that a person tries programs on: one of their own, or a small one over this directory."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from host.app.driven import person_for
from host.app.environment import environment
from host.app.small_agent import small_run
from host.launch import ConfigurationNotFound, LaunchPlan, load, validate

_HERE: Final = small_run("repl", "Whatever you like.", "person", {"id": "files", "params": {"dir": "."}})


def repl_plan(config: Path | None) -> LaunchPlan:
    """The plan of a run whose every reply a person writes.

    Without a configuration: one agent with memories and, for reading, the files of this directory. A person
    is given all the time and all the errors they need, so the limits of a run are lifted; those of a program
    stay. Of a vendor's model neither the client nor the key has to be there. Raises as `load` does.
    """
    if config is None:
        return validate(_HERE, base=_here())
    plan = load(config, environ=environment(), asks_models=False)
    document = {key: value for key, value in plan.document.items() if key != "limits"}
    agents = document["agents"]
    assert isinstance(agents, list), "a checked document has a list of agents"
    document["agents"] = [_asking(agent) for agent in agents]
    return validate(
        {"name": plan.name, **document, "model": person_for(document.get("model"))}, base=plan.base
    )


def _asking(agent: Mapping[str, object]) -> dict[str, object]:
    """The agent with a person for its own model, where it has one."""
    return {key: person_for(value) if key == "model" else value for key, value in agent.items()}


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise ConfigurationNotFound("this directory has been removed; run gg repl in another") from error
