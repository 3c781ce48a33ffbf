"""What a checked configuration would run, in a few lines."""

from collections.abc import Iterator

from host.core.text import counted, join_words
from host.launch.places import mapping_at
from host.launch.plan import AgentPlan, CompactionPlan, LaunchPlan, MemoriesPlan, model_name


def summarize(plan: LaunchPlan) -> tuple[str, ...]:
    """Of one agent `notes can be run: root analyst (scripted; tool_calling; memories markdown); no limits`;
    of several a line for the run, then one for each.
    """
    agents = [_agent(agent, plan) for agent in plan.agents]
    if len(agents) == 1:
        return (f"{plan.name} can be run: {agents[0]}; {_limits(plan)}",)
    return (
        f"{plan.name} can be run: {len(agents)} agents, {plan.max_parallel} at once; {_limits(plan)}",
        *(f"  {agent}" for agent in agents),
    )


def _limits(plan: LaunchPlan) -> str:
    limits = mapping_at(plan.document, ("limits",))
    armed = ", ".join(f"{key} {value}" for key, value in limits.items() if value is not None)
    return f"limits {armed}" if armed else "no limits"


def _agent(agent: AgentPlan, plan: LaunchPlan) -> str:
    model = model_name(agent.model)
    told = ", ".join(_capabilities(agent, is_alone=len(plan.agents) == 1)) or "no capabilities"
    facts = "; ".join([model, agent.execution, told, *_starts(agent, plan), *_places(agent, plan)])
    return f"{'root' if agent.id == plan.root else 'agent'} {agent.id} ({facts})"


def _capabilities(agent: AgentPlan, *, is_alone: bool) -> Iterator[str]:
    if agent.memories:
        yield _memories(agent.memories, is_alone=is_alone)
    if agent.files:
        yield "files"
    if agent.tools:
        functions, servers = agent.tools.functions, agent.tools.servers
        told = [counted(len(functions), "function")] if functions else []
        yield f"tools {join_words([*told, *(server.name for server in servers)])}"
    if agent.shell:
        yield "shell"
    if agent.skills:
        yield counted(len(agent.skills.skills), "skill")
    if agent.records:
        yield "records"
    if agent.skillbook:
        yield "skillbook"
    if agent.keeps_programs:
        yield "program-library"
    if agent.manages_context:
        yield "agent-managed-context"
    if agent.compaction:
        yield _compaction(agent.compaction)
    if agent.delegates:
        yield "delegation"


def _memories(memories: MemoriesPlan, *, is_alone: bool) -> str:
    scope = "" if is_alone else f" {memories.scope}"
    return f"memories {memories.strategy}{scope}{'' if memories.may_revise else ' append-only'}"


def _compaction(compaction: CompactionPlan) -> str:
    window = f"{compaction.context_window_tokens} tokens"
    return f"compaction {compaction.strategy} at {compaction.threshold} of {window}"


def _starts(agent: AgentPlan, plan: LaunchPlan) -> Iterator[str]:
    """What the agent may start, and whom it may hand over to."""
    if not agent.delegates:
        leads = any(state.to for state in plan.states.values() if state.agent == agent.id)
        if agent.roster or leads:
            yield "starts none without delegation"
        return
    subagents = [entry.agent for entry in agent.roster if entry.role == "subagent"]
    listed = [entry.agent for entry in agent.roster]
    successors = dict.fromkeys([*listed, *(state.agent for state in plan.states.values())])
    if subagents:
        yield f"starts {join_words(subagents)}"
    if successors:
        yield f"hands over to {join_words(successors)}"
    if plan.board:
        yield "creates issues"


def _places(agent: AgentPlan, plan: LaunchPlan) -> Iterator[str]:
    """The places that the run gives the agent: its states, and its part in the work on issues."""
    for name, state in plan.states.items():
        if state.agent == agent.id:
            edges = [f"{other} with memories" if kinds else other for other, kinds in state.to.items()]
            yield f"state {name} leads to {join_words(edges)}" if edges else f"state {name} is a last one"
    board = plan.board
    parts = (
        {"implements": board.implementer, "reviews": board.reviewer, "merges": board.merge} if board else {}
    )
    does = [part for part, id_ in parts.items() if id_ == agent.id]
    if does:
        yield f"{join_words(does)} issues"
