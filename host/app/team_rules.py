"""Who may start, follow and work for whom, out of the plan of a run."""

from host.agents import RosterRole, Rules, State
from host.launch import AgentPlan, LaunchPlan


def rules_of(run: LaunchPlan) -> Rules:
    """The rules that the team of the run keeps to."""
    board = run.board
    return Rules(
        root=run.root,
        rosters={agent.id: _roster(agent) for agent in run.agents},
        states={name: State(agent=state.agent, to=state.to) for name, state in run.states.items()},
        board={"implementer": board.implementer, "reviewer": board.reviewer, "merge": board.merge}
        if board
        else None,
        max_parallel=run.max_parallel,
    )


def _roster(agent: AgentPlan) -> dict[str, frozenset[RosterRole]]:
    roles: dict[str, frozenset[RosterRole]] = {}
    for entry in agent.roster:
        roles[entry.agent] = roles.get(entry.agent, frozenset()) | {entry.role}
    return roles
