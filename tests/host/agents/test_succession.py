"""An agent that hands over: who follows it takes its place, with all that is there but the window."""

import threading
from collections.abc import Callable
from typing import Any

from host.agents import State
from host.events import AgentEnded, AgentTransition, Notice
from host.turn import AgentEnd, Ending
from tests.host.agents.crew import Crew, Turn

FINISHED = AgentEnd(status="completed", ending=Ending("finish", "done"))
NOTHING: frozenset[str] = frozenset()
STATES: dict[str, Any] = {
    "states": {
        "plan": State(agent="root", to={"do": frozenset({"memories"})}),
        "do": State(agent="a", to={"plan": NOTHING, "check": NOTHING}),
        "check": State(agent="a", to={}),
    }
}


def exec_to(agent: str, prompt: str = "Go on.") -> Callable[[Turn], None]:
    return lambda turn: turn.order.delegation.succeed(agent, prompt)


def test_the_successor_of_the_root_is_the_root() -> None:
    crew = Crew({"root": exec_to("a"), "a": exec_to("b", "End it."), "b": lambda turn: turn.finish("by b")})

    assert crew.run() == AgentEnd(status="completed", ending=Ending("finish", "by b"))
    orders = [(o.agent_id, o.started_as, o.place, o.spawner, o.task) for o in crew.orders.values()]
    assert orders == [
        ("root", "root", "root", None, None),
        ("a", "successor", "root", "root", "Go on."),
        ("b", "successor", "root", "a", "End it."),
    ]
    assert [(agent, e.by, e.to, e.profile) for agent, e in crew.of(AgentTransition)] == [
        ("root", "exec", "a", "a"),
        ("a", "exec", "b", "b"),
    ]
    assert [(agent, e.status, e.ending, e.successor) for agent, e in crew.of(AgentEnded)] == [
        ("root", "completed", None, "a"),
        ("a", "completed", None, "b"),
    ]
    assert crew.team.root is not None
    assert crew.team.root.agent_id == "b"


def test_an_agent_that_hands_over_is_not_told_that_it_has_shown_nothing() -> None:
    def root(turn: Turn) -> None:
        if turn.number == 2:
            exec_to("a")(turn)

    crew = Crew({"root": root})
    assert crew.run() == FINISHED
    assert [(agent, told.turn, told.kind) for agent, told in crew.of(Notice)] == [
        ("root", 1, "nothing_shown")
    ]


def test_the_id_that_is_waited_for_is_that_of_the_first() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        got.append(turn.wait(turn.spawn("a")))
        turn.finish()

    crew = Crew({"root": root, "a": exec_to("b"), "b": lambda turn: turn.finish("by b")})
    assert crew.run() == FINISHED
    assert got == [[("a", "completed", "by b")]]


def test_a_successor_has_the_children_and_the_messages_of_the_one_before() -> None:
    said, heard, got = threading.Event(), threading.Event(), list[object]()

    def root(turn: Turn) -> None:
        if turn.number == 1:
            turn.spawn("a")
            turn.order.delegation.send("a", "first")
            said.set()
            heard.wait()
            turn.wait()
        else:
            turn.finish()

    def a(turn: Turn) -> None:
        said.wait()
        turn.spawn("root-child")
        turn.order.delegation.succeed("b", "Wait for it.")
        heard.set()

    def b(turn: Turn) -> None:
        got.append(turn.wait())
        turn.finish()

    crew = Crew({"root": root, "a": a, "b": b}, profiles=("root", "a", "b", "root-child"))
    assert crew.run() == FINISHED
    assert got == [[("root-child", "completed", "done")]]
    assert crew.told["a"] + [told for told in crew.told["b"] if not told[0].startswith("agents_")] == [
        ("message", "From `root`, which started you:\n\nfirst"),
        ("took_over", "You took the place of `a`. What it started can be waited for by you: `root-child`."),
    ]
    assert ("root-child", "completed") in crew.ends()


def test_states_are_entered_one_after_another_with_the_task_there_is() -> None:
    def root(turn: Turn) -> None:
        turn.order.delegation.transition("do")

    def a(turn: Turn) -> None:
        match turn.order.agent_id, turn.number:
            case "a", 1:
                turn.order.delegation.transition("elsewhere")
            case "a", 2:
                turn.order.delegation.transition("check")
            case "a-2", 1:
                turn.order.delegation.transition("plan")
            case _:
                turn.finish()

    crew = Crew({"root": root, "a": a}, rules=STATES)
    assert crew.run() == FINISHED
    assert [(o.agent_id, o.state, o.task) for o in crew.orders.values()] == [
        ("root", "plan", None),
        ("a", "do", None),
        ("a-2", "check", None),
    ]
    assert [(e.by, e.to, e.state) for _, e in crew.of(AgentTransition)] == [
        ("transition", "a", "do"),
        ("transition", "a-2", "check"),
    ]
    assert crew.refusals == {
        "a": ["not-found: There is no state `elsewhere`. States: `plan`, `do` and `check`."],
        "a-2": ["refused: The state `check` does not lead to `plan`. It leads nowhere."],
    }


def test_a_transition_of_a_subagent_keeps_its_task_and_is_in_its_own_state() -> None:
    def root(turn: Turn) -> None:
        turn.wait(turn.spawn("a"))
        turn.finish()

    def a(turn: Turn) -> None:
        turn.order.delegation.transition("check") if turn.order.agent_id == "a" else turn.finish()

    crew = Crew({"root": root, "a": a}, rules=STATES)
    assert crew.run() == FINISHED
    order = crew.orders["a-2"]
    assert (order.started_as, order.place, order.task, order.state) == (
        "successor",
        "subagent",
        "task of a",
        "check",
    )


def test_the_first_successor_of_a_turn_stands() -> None:
    def root(turn: Turn) -> None:
        turn.order.delegation.succeed("b", "First.")
        turn.order.delegation.transition("do")

    crew = Crew({"root": root}, rules=STATES)
    assert crew.run() == FINISHED
    assert list(crew.orders) == ["root", "b"]
    assert crew.refusals["root"] == [
        "refused: This agent hands over to `b` already when the turn ends; the first call of a turn stands."
    ]


def test_an_agent_may_be_copied_and_hand_over_in_one_turn() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        if turn.order.agent_id == "root":
            turn.order.delegation.fork(None)
            turn.order.delegation.succeed("a", "Go on.")
        else:
            turn.finish("by the copy")

    def a(turn: Turn) -> None:
        got.append(turn.wait())
        turn.finish()

    crew = Crew({"root": root, "a": a})
    assert crew.run() == FINISHED
    assert got == [[("root-2", "completed", "by the copy")]]


def test_the_last_turn_that_an_agent_may_take_can_hand_over() -> None:
    crew = Crew({"root": exec_to("a")}, ceilings=Crew.turns(1))

    assert crew.run() == FINISHED


def test_a_successor_that_cannot_be_built_ends_the_run() -> None:
    crew = Crew({"root": exec_to("a")}, fails_to_build=frozenset({"a"}))

    assert crew.run() == AgentEnd(status="internal_error", error="workspace: a cannot be built")
