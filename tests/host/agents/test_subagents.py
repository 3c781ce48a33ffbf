"""Agents that start others: waiting for them, telling them, being told of their end, ending before them."""

import threading

import pytest

from host.agents.member import MAX_SUMMARIES_BYTES, MAX_UNREAD
from host.agents.texts import RESULTS
from host.core.context_item import ContextItem
from host.core.errors import Refusal
from host.turn import AgentEnd, Ending
from tests.host.agents.crew import Crew, Turn

FINISHED = AgentEnd(status="completed", ending=Ending("finish", "done"))
HEAD = "Agents that you started have ended, and you have not waited for them:"


def test_children_are_waited_for_in_the_order_asked() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        ids = [turn.spawn("a"), turn.spawn("a"), turn.spawn("b")]
        got.append(ids)
        got.append(turn.wait(ids[2], ids[0]))
        got.append(turn.wait())
        got.append(turn.wait())
        got.append(turn.wait(ids[0]))
        turn.finish()

    crew = Crew({"root": root, "a": lambda turn: turn.finish(f"end of {turn.order.agent_id}")})
    assert crew.run() == FINISHED
    ends = {id_: (id_, "completed", f"end of {id_}") for id_ in ("a", "a-2")} | {
        "b": ("b", "completed", "done")
    }
    assert got == [["a", "a-2", "b"], [ends["b"], ends["a"]], [ends["a-2"]], [], [ends["a"]]]
    assert [crew.orders[id_].task for id_ in ("a", "a-2", "b")] == ["task of a", "task of a", "task of b"]


def test_an_agent_without_children_waits_for_nothing() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        got.append(turn.wait())
        turn.finish()

    Crew({"root": root}).run()
    assert got == [[]]


def test_only_own_children_can_be_waited_for_and_told_something() -> None:
    def root(turn: Turn) -> None:
        if turn.number == 1:
            turn.wait(turn.spawn("a"), "b")
        turn.wait()
        turn.finish()

    def a(turn: Turn) -> None:
        match turn.number:
            case 1:
                turn.wait("root")
            case 2:
                turn.order.delegation.send("b", "x")
            case _:
                turn.finish()

    crew = Crew({"root": root, "a": a})
    assert crew.run() == FINISHED
    assert crew.refusals == {
        "root": ["not-found: This agent has started none of the id `b`. It has started `a`."],
        "a": [
            "not-found: This agent has started none of the id `root`. It has started none yet.",
            "not-found: This agent has started none of the id `b`. It has started none yet.",
        ],
    }


def test_what_an_agent_is_told_reaches_its_next_prompt_once() -> None:
    told = threading.Event()

    def root(turn: Turn) -> None:
        if turn.number == 1:
            id_ = turn.spawn("a")
            turn.order.delegation.send(id_, "Leave out row 3.")
            turn.order.delegation.send(id_, "Be brief.")
            told.set()
            turn.wait()
        elif turn.number == 2:
            turn.order.delegation.send("a", "Too late.")
        else:
            turn.finish()

    def a(turn: Turn) -> None:
        told.wait()
        if turn.number == 3:
            turn.finish()

    crew = Crew({"root": root, "a": a})
    assert crew.run() == FINISHED
    assert crew.told["a"] == [
        ("message", "From `root`, which started you:\n\nLeave out row 3."),
        ("message", "From `root`, which started you:\n\nBe brief."),
    ]
    assert crew.refusals["root"] == ["conflict: `a` has ended, and reads nothing more."]


def test_children_that_nobody_waited_for_are_announced_once_and_together() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        match turn.number:
            case 1:
                for agent in ("a", "b", "a"):
                    turn.spawn(agent)
                turn.wait("a-2")
                crew.wait_for_ends(3)
            case 2:
                got.append(turn.wait())
            case 3:
                turn.finish()

    crew = Crew({"root": root, "b": lambda turn: None}, ceilings=Crew.turns(4))
    assert crew.run() == FINISHED
    notice, (kind, results) = crew.told["root"]
    listed = "- `a`, of `a`: completed\n- `b`, of `b`: exhausted"
    assert notice == ("agents_ended", f"{HEAD}\n\n{listed}\n\n{RESULTS}")
    assert isinstance(results, ContextItem)
    assert (kind, results.value) == ("agents_results", "a:\n> done")
    assert got == [[("a", "completed", "done"), ("b", "exhausted", None)]]


def test_descendants_are_canceled_at_their_next_boundary_when_a_spawner_ends() -> None:
    begun, ended = threading.Event(), threading.Event()

    def middle(turn: Turn) -> None:
        turn.spawn("b")
        begun.wait()
        turn.finish()

    def last(turn: Turn) -> None:
        begun.set()
        ended.wait()

    def root(turn: Turn) -> None:
        if turn.number == 1:
            turn.spawn("a")
            turn.wait()
            ended.set()
        else:
            turn.finish()

    crew = Crew({"root": root, "a": middle, "b": last})
    assert crew.run() == FINISHED
    assert crew.ends() == [("a", "completed"), ("b", "canceled")]


def test_the_run_ends_with_the_last_of_its_agents() -> None:
    begun, root_ended = threading.Event(), threading.Event()

    def root(turn: Turn) -> None:
        turn.spawn("a")
        begun.wait()
        turn.finish()
        root_ended.set()

    def a(turn: Turn) -> None:
        begun.set()
        root_ended.wait()

    crew = Crew({"root": root, "a": a})
    assert crew.run() == FINISHED
    assert crew.ends() == [("a", "canceled")]


def test_a_chain_that_is_longer_than_may_run_ends() -> None:
    def waits(turn: Turn) -> None:
        depth = len(turn.order.agent_id)
        if turn.number == 1:
            turn.spawn("x" * (depth + 1))
            turn.wait()
        else:
            turn.finish(f"end of {depth}")

    profiles = tuple("x" * depth for depth in range(1, 7))
    crew = Crew(dict.fromkeys(profiles[:-1], waits), profiles=profiles, max_parallel=4)

    assert crew.run() == AgentEnd(status="completed", ending=Ending("finish", "end of 1"))
    assert [agent for agent, _ in crew.ends()] == ["xxxxxx", "xxxxx", "xxxx", "xxx", "xx"]


def test_no_more_than_may_run_are_ever_at_work() -> None:
    at_work, most, lock = 0, 0, threading.Lock()

    def a(turn: Turn) -> None:
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        with lock:
            at_work -= 1
        if turn.number == 3:
            turn.finish()

    def root(turn: Turn) -> None:
        for _ in range(12):
            turn.spawn("a")
        turn.wait()
        turn.finish()

    crew = Crew({"root": root, "a": a}, max_parallel=3)
    assert crew.run() == FINISHED
    assert 1 <= most <= 3


def test_an_agent_that_reads_nothing_is_told_no_more() -> None:
    at_work, hold, told = threading.Event(), threading.Event(), list[str]()

    def root(turn: Turn) -> None:
        send = turn.order.delegation.send
        turn.spawn("a")
        at_work.wait()
        for number in range(MAX_UNREAD):
            send("a", str(number))
        with pytest.raises(Refusal) as caught:
            send("a", "one more")
        told.append(f"{caught.value.code}: {caught.value.message}")
        hold.set()
        turn.wait()
        turn.finish()

    def a(turn: Turn) -> None:
        at_work.set()
        hold.wait()
        if turn.number == 2:
            turn.finish()

    crew = Crew({"root": root, "a": a})
    assert crew.run() == FINISHED
    assert told == ["limit-exceeded: `a` has 100 messages that it has not read; tell it more when it has."]
    assert [text for _, text in crew.told["a"]] == [
        f"From `root`, which started you:\n\n{number}" for number in range(MAX_UNREAD)
    ]


def test_summaries_that_do_not_fit_into_one_result_are_still_to_be_waited_for() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        for _ in range(3):
            turn.spawn("a")
        with pytest.raises(Refusal) as caught:
            turn.wait()
        got.append(f"{caught.value.code}: {caught.value.message}")
        got.append(len(turn.wait("a", "a-2")))
        got.append([id_ for id_, _, _ in turn.wait()])
        turn.finish()

    crew = Crew({"root": root, "a": lambda turn: turn.finish("x" * (MAX_SUMMARIES_BYTES // 2))})
    assert crew.run() == FINISHED
    assert got == [
        "limit-exceeded: Their summaries have 6 MiB, limit 4 MiB; wait for fewer at a time, by their ids.",
        2,
        ["a-3"],
    ]
