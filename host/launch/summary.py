"""One line that says what a checked configuration would run."""

from collections.abc import Iterator, Mapping

from host.launch.places import entries_at, mapping_at
from host.launch.plan import LaunchPlan


def summarize(plan: LaunchPlan) -> str:
    """`notes can be run: root analyst (scripted; memories scratchpad, files); limits maxTurns 20`."""
    agents = {str(agent["id"]): _agent(plan, agent) for agent in _agents(plan)}
    root = agents.pop(plan.root)
    limits = mapping_at(plan.document, ("limits",))
    armed = ", ".join(f"{key} {value}" for key, value in limits.items() if value is not None)
    parts = [f"root {plan.root} ({root})"]
    if agents:
        parts.append(f"agents {', '.join(f'{agent_id} ({told})' for agent_id, told in agents.items())}")
    parts.append(f"limits {armed}" if armed else "no limits")
    return f"{plan.name} can be run: {'; '.join(parts)}"


def _agents(plan: LaunchPlan) -> Iterator[Mapping[str, object]]:
    return (mapping_at(plan.document, path) for path in entries_at(plan.document, ("agents",)))


def _agent(plan: LaunchPlan, agent: Mapping[str, object]) -> str:
    model = agent.get("model") or plan.document.get("model")
    named = model.get("provider") if isinstance(model, Mapping) else model
    capabilities = [mapping_at(agent, path) for path in entries_at(agent, ("capabilities",))]
    told = ", ".join(_capability(each) for each in capabilities if each.get("enabled", True))
    return f"{named}; {told or 'no capabilities'}"


def _capability(capability: Mapping[str, object]) -> str:
    strategy = capability.get("implementation")
    return f"{capability['id']} {strategy}" if strategy else str(capability["id"])
