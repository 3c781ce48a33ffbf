"""What the agents of a run share: time, cancellation, the refusal of work once the time is spent."""

from decimal import Decimal

import pytest

from host.core.errors import HostDefect, Refusal
from host.core.messages import Usage
from host.testing import CapturedEvents, FakeClock
from host.turn.ceilings import Breach, Ceilings
from host.turn.latch import Latch
from host.turn.run_state import RunState


def state(clock: FakeClock, max_runtime_s: float | None) -> RunState:
    return RunState(
        clock=clock,
        ceilings=Ceilings(max_runtime_s=max_runtime_s),
        latch=Latch(lambda defect: None),
        events=CapturedEvents(),
        flush=lambda: None,
        mask=str,
    )


def test_time_is_counted_from_the_start_of_the_run() -> None:
    clock = FakeClock()
    clock.advance(100)
    run = state(clock, 600)
    assert (run.elapsed_s, run.left_s, run.breach()) == (0, 600, None)

    clock.advance(599.5)
    assert (run.elapsed_s, run.left_s, run.breach()) == (599.5, 0.5, None)

    clock.advance(1)
    assert (run.left_s, run.breach()) == (0.0, Breach("timed_out", "maxRuntimeSecs", 600, 600.5))


def test_without_a_ceiling_there_is_no_end_to_the_time() -> None:
    clock = FakeClock()
    run = state(clock, None)
    clock.advance(1e9)

    assert (run.left_s, run.breach()) == (None, None)
    run.refuse_over_run_time()


def test_work_is_refused_once_the_time_is_spent() -> None:
    clock = FakeClock()
    run = state(clock, 600)
    run.refuse_over_run_time()
    clock.advance(600.04)

    with pytest.raises(Refusal) as caught:
        run.refuse_over_run_time()
    assert (caught.value.code, caught.value.message) == (
        "limit-exceeded",
        "Run time: 600.0 s used, limit 600 s; end the session.",
    )


def test_a_run_is_canceled_once_and_for_all() -> None:
    run = state(FakeClock(), None)
    assert not run.is_canceled

    run.cancel()
    run.cancel()
    assert run.is_canceled


def test_usage_starts_at_nothing() -> None:
    assert state(FakeClock(), None).usage == Usage()


def test_stops_are_told_as_they_come_to_whoever_waits_for_them() -> None:
    run, told = state(FakeClock(), None), list[tuple[bool, bool]]()

    def tell() -> None:
        told.append((run.is_canceled, run.latch.defect is not None))

    run.cancel()
    with run.stops_told_to(tell):
        run.latch.record(HostDefect("loop", "it broke"))
        run.cancel()
        run.cancel()
    run.cancel()
    run.latch.record(HostDefect("loop", "again"))

    assert told == [(True, True)] * 3


def test_money_that_is_spent_refuses_no_call() -> None:
    """Only asking a model costs any."""
    run = RunState(
        clock=FakeClock(),
        ceilings=Ceilings(max_cost=1),
        latch=Latch(lambda defect: None),
        events=CapturedEvents(),
        flush=lambda: None,
        mask=str,
    )
    run.usage += Usage(cost=Decimal("0.6"))
    assert run.breach() is None

    run.usage += Usage(cost=Decimal("0.4"))
    assert run.breach() == Breach("limit_exceeded", "maxCost", 1, 1)
    run.refuse_over_run_time()
