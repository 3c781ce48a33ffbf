"""The configuration of an agent that is driven from outside: an operator's own, or a small one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from host.app.driven import person_for
from host.app.environment import environment
from host.app.session import NobodyToAsk
from host.app.small_agent import small_run
from host.launch import ConfigurationNotFound, HumanModel, LaunchPlan, load, validate

_OWN: Final = small_run(
    "mcp", "Programs and calls of memories come from outside, one after another.", "agent"
)
_KEPT_LIMITS: Final = frozenset({"maxCost"})
_NOT_SERVED: Final = frozenset({"compaction"})  # which asks the agent's model for a summary


def served_plan(config: Path | None) -> LaunchPlan:
    """The plan of a run whose root is given its replies from outside.

    Without a configuration: one agent with memories, without files and without a shell. With one, its root
    writes programs and its window is not compacted; other agents have their own models. Of the limits of a
    run that of cost alone stays. Raises as `load` does, and `NobodyToAsk` where another agent's model is a
    person.
    """
    if config is None:
        return validate(_OWN, base=_here())
    plan = load(config, environ=environment(), asks_models=False)
    for agent in plan.agents:
        if agent.id != plan.root and isinstance(agent.model, HumanModel):
            raise NobodyToAsk(
                f"agent {agent.id} has a human model, and only the root is given its replies; name another"
                " model for it"
            )
    limits = plan.document.get("limits")
    document = {**plan.document, "name": plan.name}
    if isinstance(limits, Mapping):
        document["limits"] = {key: value for key, value in limits.items() if key in _KEPT_LIMITS}
    agents: Any = plan.document["agents"]
    document["agents"] = [
        _driven(agent, document.get("model")) if agent["id"] == plan.root else agent for agent in agents
    ]
    return validate(document, base=plan.base, environ=environment())


def _driven(agent: Mapping[str, Any], model_of_run: object) -> dict[str, object]:
    """The root, whose replies a person would give: programs, and each whole reply is one."""
    code_mode = agent.get("codeMode") or {}
    return {
        **agent,
        "model": person_for(agent.get("model") or model_of_run),
        "execution": "responses_as_code",
        "codeMode": {key: value for key, value in code_mode.items() if key != "delivery"},
        "capabilities": [each for each in agent.get("capabilities", ()) if each.get("id") not in _NOT_SERVED],
    }


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise ConfigurationNotFound("this directory has been removed; start the server in another") from error
