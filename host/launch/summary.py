"""One line that says what a checked configuration would run."""

from collections.abc import Mapping

from host.launch.places import entries_at, mapping_at
from host.launch.plan import LaunchPlan


def summarize(plan: LaunchPlan) -> str:
    """`notes can be run: root analyst (scripted; memories scratchpad, files); limits maxTurns 20`."""
    agents = [mapping_at(plan.document, path) for path in entries_at(plan.document, ("agents",))]
    limits = mapping_at(plan.document, ("limits",))
    armed = ", ".join(f"{key} {value}" for key, value in limits.items() if value is not None)
    parts = [*(_agent(plan, agent) for agent in agents), f"limits {armed}" if armed else "no limits"]
    return f"{plan.name} can be run: {'; '.join(parts)}"


def _agent(plan: LaunchPlan, agent: Mapping[str, object]) -> str:
    model = agent.get("model") or plan.document.get("model")
    named = model.get("provider") if isinstance(model, Mapping) else model
    capabilities = [mapping_at(agent, path) for path in entries_at(agent, ("capabilities",))]
    told = ", ".join(_capability(each) for each in capabilities if each.get("enabled", True))
    role = "root" if agent["id"] == plan.root else "agent"
    return f"{role} {agent['id']} ({named}; {told or 'no capabilities'})"


def _capability(capability: Mapping[str, object]) -> str:
    strategy = capability.get("implementation")
    return f"{capability['id']} {strategy}" if strategy else str(capability["id"])
