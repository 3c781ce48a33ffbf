"""The public doubles keep their contracts."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from host.core.clock import Clock
from host.events import EventSink, Notice, OperatorLog
from host.testing import CapturedEvents, FakeClock

NOTICE = Notice(kind="k", text="n")
LINE = OperatorLog(level="warn", text="l", source="host")


def test_a_clock_stands_still_until_it_is_moved() -> None:
    clock: Clock = FakeClock()

    assert (clock.now(), clock.monotonic()) == (datetime(2026, 1, 1, tzinfo=UTC), 0.0)
    assert (clock.now(), clock.monotonic()) == (datetime(2026, 1, 1, tzinfo=UTC), 0.0)


def test_both_clocks_move_together() -> None:
    clock = FakeClock(datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))))
    clock.advance(90.5)

    assert (clock.now(), clock.monotonic()) == (datetime(2026, 1, 1, 0, 1, 30, 500_000, tzinfo=UTC), 90.5)
    assert clock.now().tzinfo is UTC


def test_the_wall_clock_may_go_back_and_the_other_may_not() -> None:
    clock = FakeClock()
    clock.advance(5)
    clock.set_wall(datetime(2025, 1, 1, tzinfo=UTC))

    assert (clock.now(), clock.monotonic()) == (datetime(2025, 1, 1, tzinfo=UTC), 5)
    with pytest.raises(
        ValueError, match=r"^time cannot go back by 1 s; use set_wall\(\) for the wall clock$"
    ):
        clock.advance(-1)


def test_events_are_kept_in_order_with_their_agents() -> None:
    captured = CapturedEvents()
    sink: EventSink = captured
    sink.emit(NOTICE, agent_id="a")
    sink.emit(LINE, agent_id="b")

    assert captured.emitted == (("a", NOTICE), ("b", LINE))
    assert captured.events == (NOTICE, LINE)
    assert captured.types == ("notice", "operator_log")
    assert captured.of(OperatorLog) == (LINE,)

    captured.clear()
    assert captured.emitted == ()
