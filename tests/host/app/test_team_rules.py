"""The rules of a team, out of a plan."""

from pathlib import Path

from host.agents import Rules, State
from host.app.team_rules import rules_of
from host.launch import AgentPlan, BoardPlan, HumanModel, LaunchPlan, RosterEntry, StatePlan


def plan(*agents: AgentPlan, **more: object) -> LaunchPlan:
    return LaunchPlan(
        name="n",
        task="t",
        root=agents[0].id,
        agents=agents,
        base=Path("/"),
        document={},
        **more,  # type: ignore[arg-type]  # fields of a plan
    )


def agent(id_: str, *roster: RosterEntry) -> AgentPlan:
    return AgentPlan(id=id_, model=HumanModel(), roster=roster)


def test_an_agent_in_several_roles_is_one_of_the_roster_with_all_of_them() -> None:
    lead = agent(
        "lead",
        RosterEntry(agent="dev", role="implementer"),
        RosterEntry(agent="lead", role="subagent"),
        RosterEntry(agent="dev", role="subagent"),
    )

    assert rules_of(plan(lead, agent("dev"))) == Rules(
        root="lead",
        rosters={
            "lead": {"dev": frozenset({"implementer", "subagent"}), "lead": frozenset({"subagent"})},
            "dev": {},
        },
        max_parallel=16,
    )


def test_states_board_and_how_many_at_once() -> None:
    rules = rules_of(
        plan(
            agent("lead"),
            max_parallel=3,
            states={"do": StatePlan(agent="lead", to={"do": frozenset({"memories"})})},
            board=BoardPlan(implementer="lead", reviewer="judge", merge="lead"),
        )
    )

    assert rules.states == {"do": State(agent="lead", to={"do": frozenset({"memories"})})}
    assert rules.board == {"implementer": "lead", "reviewer": "judge", "merge": "lead"}
    assert rules.max_parallel == 3
