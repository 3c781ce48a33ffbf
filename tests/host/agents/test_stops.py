"""What ends agents from outside: a canceled run, its time, a defect. No wait outlasts them."""

import threading
from collections.abc import Callable
from contextlib import suppress

import anyio
import pytest

from host.core.errors import HostDefect, Refusal
from host.events import RecordUnwritable
from host.turn import AgentEnd, Ceilings
from tests.host.agents.crew import Crew, Turn


def waits_for_b(crew: Crew) -> Callable[[Turn], None]:
    """The root waits for `b`, which is at work until the wait has been ended."""

    def root(turn: Turn) -> None:
        if turn.number > 1:
            turn.finish()
            return
        try:
            turn.wait(turn.spawn("b"))
        finally:
            crew.released.set()

    return root


def stopping(stop: Callable[[Crew], None]) -> Crew:
    crew = Crew()

    def b(turn: Turn) -> None:
        stop(crew)
        crew.released.wait()

    crew.acts = {"root": waits_for_b(crew), "b": b}
    return crew


def canceled(crew: Crew) -> None:
    crew.run_state.cancel()


def defective(crew: Crew) -> None:
    crew.run_state.latch.record(HostDefect("sandbox", "it broke"))


STOPS = [
    pytest.param(
        canceled, "canceled", "refused: The wait was ended: this session is canceled.", id="canceled"
    ),
    pytest.param(
        defective, "internal_error", "io-error: The wait was ended: the run is over.", id="a defect"
    ),
]


@pytest.mark.parametrize(("stop", "status", "refusal"), STOPS)
def test_a_wait_is_ended_by_what_ends_the_run(
    stop: Callable[[Crew], None], status: str, refusal: str
) -> None:
    crew = stopping(stop)
    end = crew.run()

    assert end is not None
    assert end.status == status
    assert crew.refusals["root"] == [refusal]


def test_a_wait_is_ended_by_the_time_of_the_run() -> None:
    begun, told = threading.Event(), list[str]()

    def root(turn: Turn) -> None:
        id_ = turn.spawn("b")
        begun.wait()
        crew.clock.advance(3599.99)  # a hundredth of a second is left to wait
        try:
            turn.wait(id_)
        except Refusal as refused:
            told.append(f"{refused.code}: {refused.message}")
        crew.released.set()
        turn.finish()

    def b(turn: Turn) -> None:
        begun.set()
        crew.released.wait()

    crew = Crew({"root": root, "b": b}, ceilings=Ceilings(max_runtime_s=3600))
    end = crew.run()

    assert end is not None
    assert end.status == "completed"
    assert told == [
        "limit-exceeded: The wait was ended: the run's time is spent, limit 3600 s; end the session."
    ]


def test_an_agent_whose_spawner_ends_waits_no_longer() -> None:
    waiting, released = threading.Event(), threading.Event()

    def root(turn: Turn) -> None:
        turn.spawn("a")
        waiting.wait()
        turn.finish()

    def a(turn: Turn) -> None:
        id_ = turn.spawn("b")
        try:
            turn.wait(id_)
        finally:
            released.set()

    def b(turn: Turn) -> None:
        waiting.set()  # that it runs shows that the agent before it waits: there are two slots
        released.wait()

    crew = Crew({"root": root, "a": a, "b": b}, max_parallel=2)
    end = crew.run()

    assert end is not None
    assert end.status == "completed"
    assert crew.refusals["a"] == ["refused: The wait was ended: this session is canceled."]
    assert sorted(crew.ends()) == [("a", "canceled"), ("b", "canceled")]


def test_a_run_that_is_canceled_cancels_all_its_agents_each_when_its_turn_has_ended() -> None:
    everybody = threading.Barrier(9, action=lambda: crew.run_state.cancel())

    def root(turn: Turn) -> None:
        for _ in range(50):
            turn.spawn("a")
        everybody.wait()
        turn.wait()

    crew = Crew({"root": root, "a": lambda turn: bool(everybody.wait()) and None}, max_parallel=9)
    end = crew.run()

    assert end == AgentEnd(status="canceled")
    assert sorted(crew.ends()) == sorted(("a" if n == 1 else f"a-{n}", "canceled") for n in range(1, 51))
    assert crew.defects == []


def test_a_defect_of_one_agent_ends_all() -> None:
    def root(turn: Turn) -> None:
        turn.spawn("a")
        turn.wait()

    def a(turn: Turn) -> None:
        raise ValueError("broken")

    crew = Crew({"root": root, "a": a})
    end = crew.run()

    assert end is not None
    assert (end.status, end.error) == ("internal_error", "turn: turn 1 raised ValueError('broken')")
    assert crew.ends() == [("a", "internal_error")]


def test_a_root_that_cannot_be_built_ends_the_run_before_it_begins() -> None:
    crew = Crew(fails_to_build=frozenset({"root"}))

    assert crew.run() is None
    assert [str(defect) for defect in crew.defects] == ["workspace: root cannot be built"]


def test_a_record_that_cannot_be_written_ends_the_run_at_once() -> None:
    def root(turn: Turn) -> None:
        turn.spawn("a")
        turn.wait()

    crew = Crew({"root": root})
    crew.unwritable = "agent_ended"

    with pytest.raises(BaseExceptionGroup) as caught:
        crew.run()
    assert caught.group_contains(RecordUnwritable, depth=1)


def test_a_stop_of_the_whole_loop_ends_waits_and_lets_no_call_begin() -> None:
    """As an interrupt of a process without handlers is: the scope around the run is canceled."""
    waiting, released, told = threading.Event(), threading.Event(), list[str]()

    def tries(call: Callable[[], object]) -> None:
        with pytest.raises(Refusal) as caught:
            call()
        told.append(f"{caught.value.code}: {caught.value.message}")

    def root(turn: Turn) -> None:
        id_ = turn.spawn("a")
        waiting.set()
        try:
            tries(lambda: turn.wait(id_))
            tries(lambda: turn.spawn("b"))
            tries(lambda: turn.wait(id_))
        finally:
            released.set()

    def a(turn: Turn) -> None:
        waiting.wait()
        anyio.from_thread.run_sync(scopes[0].cancel)
        released.wait()

    async def main() -> None:
        with anyio.CancelScope() as scope:
            scopes.append(scope)
            await crew.run_async()

    scopes: list[anyio.CancelScope] = []
    crew = Crew({"root": root, "a": a})
    anyio.run(main)
    assert told == ["refused: The run is being stopped."] * 3
    assert sorted(crew.orders) == ["a", "root"]


def test_an_interrupt_in_the_loop_ends_waits_and_leaves_no_word_of_theirs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It cancels every task once, and what a task raises then is printed."""
    ended = threading.Event()
    told: list[str] = []

    def root(turn: Turn) -> None:
        try:
            turn.wait(turn.spawn("a"))
        except Refusal as refused:
            told.append(refused.message)
        ended.set()

    def interrupt() -> None:
        raise KeyboardInterrupt

    def a(turn: Turn) -> None:
        with suppress(KeyboardInterrupt):
            anyio.from_thread.run_sync(interrupt)

    crew = Crew({"root": root, "a": a}, max_parallel=1)  # so that the root waits when `a` runs
    with pytest.raises(KeyboardInterrupt):
        crew.run()
    ended.wait()
    assert told == ["The run is being stopped."]
    assert [record.getMessage() for record in caplog.records] == []
