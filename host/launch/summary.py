"""One line that says what a checked configuration would run."""

from collections.abc import Iterator

from host.launch.places import mapping_at
from host.launch.plan import AgentPlan, CompactionPlan, HumanModel, LaunchPlan, MemoriesPlan


def summarize(plan: LaunchPlan) -> str:
    """`notes can be run: root analyst (scripted; tool_calling; memories markdown); limits maxTurns 20`."""
    limits = mapping_at(plan.document, ("limits",))
    armed = ", ".join(f"{key} {value}" for key, value in limits.items() if value is not None)
    agents = (_agent(agent, is_root=agent.id == plan.root) for agent in plan.agents)
    return f"{plan.name} can be run: {'; '.join([*agents, f'limits {armed}' if armed else 'no limits'])}"


def _agent(agent: AgentPlan, *, is_root: bool) -> str:
    model = "human" if isinstance(agent.model, HumanModel) else "scripted"
    told = ", ".join(_capabilities(agent)) or "no capabilities"
    return f"{'root' if is_root else 'agent'} {agent.id} ({model}; {agent.execution}; {told})"


def _capabilities(agent: AgentPlan) -> Iterator[str]:
    if agent.memories:
        yield _memories(agent.memories)
    if agent.files:
        yield "files"
    if agent.keeps_programs:
        yield "program-library"
    if agent.manages_context:
        yield "agent-managed-context"
    if agent.compaction:
        yield _compaction(agent.compaction)


def _memories(memories: MemoriesPlan) -> str:
    return f"memories {memories.strategy}{'' if memories.may_revise else ' append-only'}"


def _compaction(compaction: CompactionPlan) -> str:
    window = f"{compaction.context_window_tokens} tokens"
    return f"compaction {compaction.strategy} at {compaction.threshold} of {window}"
