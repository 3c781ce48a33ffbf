"""No more agents and issues at a time than there are places, whoever asks for them at once."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from host.agents import team as team_module
from host.agents.places import Places
from host.core.errors import Refusal
from host.events import IssueState
from host.turn import AgentEnd, Ending
from tests.host.agents.crew import Crew, Turn

FINISHED = AgentEnd(status="completed", ending=Ending("finish", "done"))
BOARD: dict[str, Any] = {"board": {"implementer": "dev", "reviewer": "judge", "merge": "dev"}}
FULL = "limit-exceeded: 4 of 4 agents and issues have not ended; wait for some first."


@pytest.fixture(autouse=True)
def _four_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_module, "MAX_WAITING", 2)


def crew_of(acts: dict[str, Callable[[Turn], None]], **parts: Any) -> Crew:  # noqa: ANN401
    return Crew(acts, max_parallel=2, **parts)


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        call()
    return f"{caught.value.code}: {caught.value.message}"


def test_a_place_is_there_again_when_it_was_given_back() -> None:
    places = Places(2)
    places.take()
    places.take()
    assert refused(places.take) == (
        "limit-exceeded: 2 of 2 agents and issues have not ended; wait for some first."
    )
    places.give_back(2)
    places.take()
    places.take()


def test_threads_that_take_the_last_places_at_once_get_so_many() -> None:
    places, got = Places(3), []

    def take() -> None:
        together.wait()
        try:
            places.take()
        except Refusal:
            return
        got.append(True)

    together = threading.Barrier(8)
    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 3


def test_an_agent_beyond_the_places_is_refused_until_others_have_ended() -> None:
    told: list[str] = []
    hold = threading.Event()

    def root(turn: Turn) -> None:
        for _ in range(3):
            turn.spawn("a")
        told.append(refused(lambda: turn.spawn("a")))
        told.append(refused(lambda: turn.order.delegation.fork(None)))
        hold.set()
        turn.wait()
        turn.spawn("a")
        turn.wait()
        turn.finish()

    crew = crew_of({"root": root, "a": lambda turn: (hold.wait(), turn.finish())[1]})
    assert crew.run() == FINISHED
    assert told == [FULL, FULL]
    assert crew.defects == []


def test_agents_that_copy_themselves_in_the_same_turn_share_the_places() -> None:
    told: list[str] = []
    asked = threading.Barrier(2)

    def copies(turn: Turn) -> None:
        """As many of itself as it may, while the other one does."""

        def copy_on() -> None:
            while True:
                turn.order.delegation.fork(None)

        told.append(refused(copy_on))
        asked.wait()

    def root(turn: Turn) -> None:
        match turn.number:
            case 1:
                turn.spawn("a")
            case 2:
                copies(turn)
            case _:
                turn.wait()
                turn.finish()

    def a(turn: Turn) -> None:
        if turn.number == 1:
            copies(turn)
        else:
            turn.finish()

    copied = dict.fromkeys(("root-2", "root-3", "a-2", "a-3"), Turn.finish)
    crew = crew_of({"root": root, "a": a, **copied})
    assert crew.run() == FINISHED
    assert told == [FULL, FULL]
    assert len(crew.orders) == 4


@pytest.mark.parametrize("revoke", [Turn.fail, Turn.finish])
def test_the_places_of_copies_that_are_not_made_are_free_again(revoke: Callable[[Turn], None]) -> None:
    def a(turn: Turn) -> None:
        if turn.number == 1:
            turn.order.delegation.fork(None)
            turn.order.delegation.fork(None)
            revoke(turn)
        else:
            turn.finish()

    def root(turn: Turn) -> None:
        turn.spawn("a")
        turn.wait()
        for _ in range(3):
            turn.spawn("b")
        turn.wait()
        turn.finish()

    crew = crew_of({"root": root, "a": a})
    assert crew.run() == FINISHED
    assert sorted(crew.orders) == ["a", "b", "b-2", "b-3", "root"]


def test_an_issue_has_a_place_until_it_has_ended_whoever_works_on_it() -> None:
    told: list[str] = []
    hold = threading.Event()

    def dev(turn: Turn) -> None:
        hold.wait()
        turn.finish()

    def root(turn: Turn) -> None:
        board = turn.order.board
        board.create("One", "Body.", ())
        board.create("Two", "Body.", ("issue-1",))
        board.create("Three", "Body.", ("issue-1",))
        told.append(refused(lambda: board.create("Four", "Body.", ())))
        told.append(refused(lambda: turn.spawn("dev")))
        told.append(refused(lambda: board.create("Four", "Body.", ("issue-9",)))[:9])
        hold.set()
        board.wait(None)
        for _ in range(3):
            board.create("Again", "Body.", ())
        board.wait(None)
        turn.finish()

    acts: dict[str, Callable[[Turn], None]] = {"root": root, "dev": dev}
    crew = crew_of(
        {**acts, "judge": lambda turn: turn.finish("", "approve")},
        profiles=("root", "dev", "judge"),
        rules=BOARD,
    )
    assert crew.run() == FINISHED
    assert told == [FULL, FULL, "not-found"]
    ended = [event.issue for _, event in crew.of(IssueState) if event.status == "done"]
    assert sorted(ended) == [f"issue-{number}" for number in range(1, 7)]


def test_issues_that_fail_behind_another_give_their_places_back() -> None:
    def root(turn: Turn) -> None:
        board = turn.order.board
        board.create("One", "Body.", ())
        board.create("Two", "Body.", ("issue-1",))
        board.create("Three", "Body.", ("issue-2",))
        board.wait(None)
        for _ in range(5):  # each has failed at once
            board.create("Late", "Body.", ("issue-3",))
        for _ in range(3):
            turn.spawn("a")
        turn.wait()
        turn.finish()

    crew = crew_of(
        {"root": root, "judge": lambda turn: turn.finish("", "finish")},
        profiles=("root", "dev", "judge", "a"),
        rules=BOARD,
    )
    assert crew.run() == FINISHED
    failed = [event.issue for _, event in crew.of(IssueState) if event.status == "failed"]
    assert failed == [f"issue-{number}" for number in range(1, 9)]
