"""Copies of an agent: made when its turn has ended, with its window, each told which one it is."""

import threading

import pytest

from host.agents import Copied, State
from host.events import AgentTransition, OperatorLog
from host.turn import AgentEnd, Ending
from tests.host.agents.crew import Crew, Turn

FINISHED = AgentEnd(status="completed", ending=Ending("finish", "done"))
NOTHING = "What the reply asked to be started at the end of the turn was not started, since the reply failed."


def test_a_copy_goes_on_beside_the_original_as_its_child() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        if turn.order.agent_id == "root-2":
            turn.finish("half")
        elif turn.number == 1:
            turn.order.delegation.fork("Take the second half.")
        else:
            got.append(turn.wait())
            turn.finish()

    crew = Crew({"root": root})
    assert crew.run() == FINISHED
    assert got == [[("root-2", "completed", "half")]]
    assert crew.told["root"] == [
        (
            "forked",
            "You were copied when your turn had ended. You are the original; the copy is `root-2`. It goes on"
            " beside you with the same window, and can be waited for as any agent that you start.",
        )
    ]
    assert crew.told["root-2"] == [
        (
            "forked",
            "You are the copy, `root-2`. The original, `root`, goes on beside you. Your turns count from 1"
            " again.\n\nTake the second half.",
        )
    ]
    order = crew.orders["root-2"]
    assert (order.started_as, order.place, order.spawner, order.task) == ("fork", "fork", "root", None)
    assert [(agent, event.by, event.to, event.turn) for agent, event in crew.of(AgentTransition)] == [
        ("root", "fork", "root-2", 1)
    ]


def test_each_call_makes_a_copy_of_the_turn_as_it_ended() -> None:
    windows: list[list[str]] = []

    def root(turn: Turn) -> None:
        order = turn.order
        if order.agent_id != "root":
            copied = order.copied
            assert copied is not None
            windows.append([f"{e.turn} {e.text[:10]!r}" for e in copied.window.entries_from(0)])
            turn.finish()
        elif turn.number == 2:
            order.delegation.fork(None)
            order.delegation.fork(None)
        elif turn.number == 3:
            turn.wait()
            turn.finish()

    crew = Crew({"root": root})
    assert crew.run() == FINISHED
    own = [f"{turn} {text!r}" for turn in (-2, -1) for text in ("root", "Notice\n---")]
    assert windows == [["0 'system of '", *own, "1 'Notice\\n---'"]] * 2
    assert sorted(crew.ends()) == [("root-2", "completed"), ("root-3", "completed")]


def test_a_copy_of_a_copy_is_its_child() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        id_ = turn.order.agent_id
        if turn.number == 1 and id_ in ("root", "root-2"):
            turn.order.delegation.fork(None)
        else:
            got.append((id_, turn.wait()))
            turn.finish()

    assert Crew({"root": root}).run() == FINISHED
    assert got == [
        ("root-3", []),
        ("root-2", [("root-3", "completed", "done")]),
        ("root", [("root-2", "completed", "done")]),
    ]


def test_an_ending_in_the_same_turn_is_told_to_the_operator_alone() -> None:
    def root(turn: Turn) -> None:
        turn.order.delegation.fork(None)
        turn.order.delegation.succeed("a", "task")
        turn.finish()

    crew = Crew({"root": root})
    assert crew.run() == FINISHED
    assert set(crew.orders) == {"root"}
    assert [event.text for _, event in crew.of(OperatorLog)] == [
        "the session has ended, and what the turn asked to start is not started"
    ]


@pytest.mark.parametrize("asks", ["fork", "succeed"])
def test_a_turn_that_is_an_error_starts_nothing_and_its_agent_is_told(asks: str) -> None:
    def root(turn: Turn) -> None:
        if turn.number == 1:
            delegation = turn.order.delegation
            delegation.fork(None) if asks == "fork" else delegation.succeed("a", "task")
            turn.fail()
        else:
            turn.finish()

    crew = Crew({"root": root})
    assert crew.run() == FINISHED
    assert set(crew.orders) == {"root"}
    assert crew.told["root"] == [("not_started", NOTHING)]


def test_a_copy_that_cannot_be_built_ends_the_run() -> None:
    def root(turn: Turn) -> None:
        turn.order.delegation.fork(None)

    crew = Crew({"root": root}, fails_to_build=frozenset({"root-2"}))
    end = crew.run()
    assert end == AgentEnd(status="internal_error", error="workspace: root-2 cannot be built")
    assert [str(defect) for defect in crew.defects] == ["workspace: root-2 cannot be built"]


def test_copies_are_canceled_with_the_original() -> None:
    begun, ended = threading.Event(), threading.Event()

    def root(turn: Turn) -> None:
        if turn.order.agent_id == "root-2":
            begun.set()
            ended.wait()
        elif turn.number == 1:
            turn.order.delegation.fork(None)
        else:
            begun.wait()
            turn.finish()
            ended.set()

    crew = Crew({"root": root})
    assert crew.run() == FINISHED
    assert crew.ends() == [("root-2", "canceled")]
    assert isinstance(crew.orders["root-2"].copied, Copied)


def test_an_agent_that_is_copied_and_hands_over_leaves_the_copy_to_its_successor() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        if turn.order.agent_id == "root":
            turn.order.delegation.fork("Take the half.")
            turn.order.delegation.succeed("a", "Take over.")
        else:
            turn.finish("half")

    def a(turn: Turn) -> None:
        got.append(turn.wait())
        turn.finish()

    crew = Crew({"root": root, "a": a})
    assert crew.run() == FINISHED
    assert got == [[("root-2", "completed", "half")]]
    assert crew.told["a"][0] == (
        "took_over",
        "You took the place of `root`. What it started can be waited for by you: `root-2`.",
    )
    assert [kind for kind, _ in crew.told["a"][1:]] in ([], ["agents_ended", "agents_results"])


def test_a_copy_of_a_copy_and_who_follows_one_keep_what_they_are_to_do() -> None:
    def root(turn: Turn) -> None:
        match turn.order.agent_id, turn.number:
            case "root", 1:
                turn.order.delegation.fork("The second half.")
            case "root-2", 1:
                turn.order.delegation.fork("Of that the first page.")
            case "root-3", 1:
                turn.order.delegation.fork(None)
            case "root-4", 1:
                turn.order.delegation.transition("do")
            case _, 2:
                turn.wait()
                turn.order.delegation.succeed("b", "End it.")

    states = {"plan": State(agent="root", to={"do": frozenset()}), "do": State(agent="a", to={})}
    crew = Crew({"root": root}, rules={"states": states})
    assert crew.run() == FINISHED
    assert {(o.agent_id, o.task, o.prompt) for o in crew.orders.values()} == {
        ("root", None, None),
        ("root-2", None, "The second half."),
        ("root-3", None, "The second half.\n\nOf that the first page."),
        ("root-4", None, "The second half.\n\nOf that the first page."),
        ("a", None, "The second half.\n\nOf that the first page."),
        ("b", "End it.", None),
        ("b-2", "End it.", None),
        ("b-3", "End it.", None),
    }
