"""Calls of an agent that wait for what comes from outside, in any thread, and what ends such a wait."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from host.agents import Patience
from host.core.errors import HostDefect, Refusal
from host.events import RecordUnwritable
from host.turn import Ceilings
from tests.host.agents.crew import Crew, Turn

WAIT_S = 60.0


def waits(patience: Patience, is_due: Callable[[], bool]) -> str:
    """What became of the wait."""
    try:
        patience.wait_until(is_due)
    except Refusal as refused:
        return f"{refused.code}: {refused.message}"
    return "due"


def test_other_agents_run_while_calls_of_one_wait_in_threads_of_theirs() -> None:
    """One agent may run at a time: the first wait ends when another has run, the second with a third."""
    answered: list[str] = []
    told: list[str] = []

    def root(turn: Turn) -> None:
        patience = turn.order.patience
        turn.spawn("a")
        turn.spawn("b")
        with ThreadPoolExecutor() as threads:
            results = {
                name: threads.submit(waits, patience, lambda name=name: name in answered)  # type: ignore[misc]
                for name in ("a", "b")
            }
            told.extend(f"{name}: {result.result(WAIT_S)}" for name, result in results.items())
        turn.finish()

    def answers(turn: Turn) -> None:
        answered.append(turn.order.agent_id)
        crew.orders["root"].patience.look_again()
        turn.finish()

    crew = Crew({"root": root, "a": answers, "b": answers}, max_parallel=1)
    end = crew.run()

    assert end is not None
    assert end.status == "completed"
    assert told == ["a: due", "b: due"]


def canceled(crew: Crew) -> None:
    crew.run_state.cancel()


def defective(crew: Crew) -> None:
    crew.run_state.latch.record(HostDefect("sandbox", "it broke"))


def stopped(crew: Crew) -> None:
    """As an interrupt of a process without handlers is: the scope around the team is canceled."""
    crew.orders["root"].portal.start_task_soon(crew.team._tasks.cancel_scope.cancel).result()


STOPS = [
    pytest.param(canceled, "refused: The wait was ended: this session is canceled.", id="canceled"),
    pytest.param(defective, "io-error: The wait was ended: the run is over.", id="a defect"),
    pytest.param(stopped, "refused: The run is being stopped.", id="stopped at once"),
]


@pytest.mark.parametrize(("stop", "refusal"), STOPS)
def test_waits_in_threads_of_their_own_are_ended_by_what_ends_the_run(
    stop: Callable[[Crew], None], refusal: str
) -> None:
    told: list[str] = []
    asked = threading.Barrier(3)

    def root(turn: Turn) -> None:
        patience = turn.order.patience
        with ThreadPoolExecutor() as threads:
            results = [threads.submit(waiting, patience) for _ in range(2)]
            asked.wait(WAIT_S)
            stop(crew)
            told.extend(result.result(WAIT_S) for result in results)

    def waiting(patience: Patience) -> str:
        asked.wait(WAIT_S)
        return waits(patience, lambda: False)

    crew = Crew({"root": root})
    crew.run()

    assert told == [refusal, refusal]


def test_a_wait_is_ended_by_the_time_of_the_run() -> None:
    told: list[str] = []

    def root(turn: Turn) -> None:
        crew.clock.advance(3599.99)  # a hundredth of a second is left to wait
        told.append(waits(turn.order.patience, lambda: False))
        turn.finish()

    crew = Crew({"root": root}, ceilings=Ceilings(max_runtime_s=3600))
    crew.run()

    assert told == [
        "limit-exceeded: The wait was ended: the run's time is spent, limit 3600 s; end the session."
    ]


def test_a_wait_is_ended_where_the_record_of_another_agent_cannot_be_written() -> None:
    """The thread that waits is no thread of the loop's, which would otherwise wait for it in vain."""
    told: list[str] = []

    def root(turn: Turn) -> None:
        turn.spawn("a")
        with ThreadPoolExecutor() as threads:
            told.append(threads.submit(waits, turn.order.patience, lambda: False).result(WAIT_S))

    crew = Crew({"root": root})
    crew.unwritable = "agent_ended"

    with pytest.raises(BaseExceptionGroup) as caught:
        crew.run()
    assert caught.group_contains(RecordUnwritable)
    assert told == ["refused: The run is being stopped."]


def test_nothing_waits_when_the_team_has_ended() -> None:
    crew = Crew({})
    crew.run()

    assert waits(crew.orders["root"].patience, lambda: True) == "refused: The run is being stopped."
