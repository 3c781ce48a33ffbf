"""Who may be started, who may follow, which state leads where."""

from collections.abc import Callable

import pytest

from host.agents import Rules, State
from host.core.errors import Refusal

NOTHING = frozenset[str]()
RULES = Rules(
    root="lead",
    rosters={
        "lead": {"reader": frozenset({"subagent"}), "dev": frozenset({"implementer"})},
        "reader": {},
        "dev": {},
        "judge": {},
    },
    states={
        "plan": State(agent="lead", to={"do": frozenset({"memories"}), "plan": NOTHING}),
        "do": State(agent="dev", to={"judge": NOTHING}),
        "judge": State(agent="judge", to={}),
        "again": State(agent="lead", to={}),
    },
)
ALONE = Rules(root="lead", rosters={"lead": {}})

REFUSED = [
    pytest.param(
        lambda: RULES.refuse_subagent("lead", "nobody"),
        "not-found: There is no agent `nobody`. Agents that may be started: `reader`.",
        id="no such agent",
    ),
    pytest.param(
        lambda: RULES.refuse_subagent("lead", "dev"),
        "refused: `dev` may not be started as a subagent by this agent."
        " Agents that may be started: `reader`.",
        id="in the roster as another",
    ),
    pytest.param(
        lambda: RULES.refuse_subagent("reader", "lead"),
        "refused: `lead` may not be started as a subagent by this agent. None may be started.",
        id="no roster",
    ),
    pytest.param(
        lambda: RULES.refuse_successor("reader", "nobody"),
        "not-found: There is no agent `nobody`."
        " Agents that may be handed over to: `lead`, `dev` and `judge`.",
        id="no such successor",
    ),
    pytest.param(
        lambda: RULES.refuse_successor("lead", "lead2"),
        "not-found: There is no agent `lead2`."
        " Agents that may be handed over to: `reader`, `dev`, `lead` and `judge`.",
        id="of the roster and of states",
    ),
    pytest.param(
        lambda: ALONE.refuse_successor("lead", "lead"),
        "refused: `lead` may not be handed over to by this agent. None may be handed over to.",
        id="nobody to follow",
    ),
    pytest.param(
        lambda: RULES.next_state("plan", "nowhere"),
        "not-found: There is no state `nowhere`. States: `plan`, `do`, `judge` and `again`.",
        id="no such state",
    ),
    pytest.param(
        lambda: RULES.next_state("plan", "judge"),
        "refused: The state `plan` does not lead to `judge`. It leads to `do` and `plan`.",
        id="no such edge",
    ),
    pytest.param(
        lambda: RULES.next_state("judge", "plan"),
        "refused: The state `judge` does not lead to `plan`. It leads nowhere.",
        id="a last state",
    ),
    pytest.param(
        lambda: RULES.next_state(None, "plan"), "refused: This agent is in no state.", id="in no state"
    ),
]


@pytest.mark.parametrize(("call", "told"), REFUSED)
def test_what_is_refused_names_what_there_is(call: Callable[[], object], told: str) -> None:
    with pytest.raises(Refusal) as caught:
        call()
    assert f"{caught.value.code}: {caught.value.message}" == told


def test_what_the_roster_and_the_states_have_is_let_pass() -> None:
    RULES.refuse_subagent("lead", "reader")
    RULES.refuse_successor("lead", "reader")
    RULES.refuse_successor("reader", "judge")


def test_a_state_is_entered_with_what_goes_along() -> None:
    assert RULES.next_state("plan", "do") == ("dev", frozenset({"memories"}))
    assert RULES.next_state("plan", "plan") == ("lead", frozenset())


def test_an_agent_begins_in_the_first_state_that_is_its_own() -> None:
    assert [RULES.state_of(profile) for profile in RULES.rosters] == ["plan", None, "do", "judge"]
