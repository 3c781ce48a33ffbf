"""When the two ends of a pipe look for each other's answers: as long as there is a processor for each, and
nobody else wants it.
"""

from contextlib import ExitStack

import pytest

from sandbox import looking
from sandbox.patience import Patience

# Processors, and whether the first, the second and the third exchange at once may look.
TABLE = [
    (1, [False, False, False]),
    (2, [True, False, False]),
    (3, [True, False, False]),
    (4, [True, True, False]),
]


# Seconds that yields took, and whether the last of them is one too many.
SHORT = 20e-6
LONG = 3e-3
YIELDS = [
    pytest.param([SHORT] * 2_000, False, id="short ones"),
    pytest.param([LONG], False, id="one long"),
    pytest.param([LONG, *[SHORT] * 100, LONG], True, id="another soon"),
    pytest.param([LONG, *[SHORT] * 1_000, LONG], False, id="another late"),
]


@pytest.fixture(autouse=True)
def nobody_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine was busy with before."""
    monkeypatch.setattr(looking, "_paused_until", 0.0)
    monkeypatch.setattr(looking, "_next_pause_s", 1.0)


@pytest.mark.parametrize(("processors", "expected"), TABLE)
def test_exchanges_look_while_there_are_processors(
    processors: int, expected: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "_processors", lambda: processors)

    with ExitStack() as stack:
        assert [stack.enter_context(looking.exchange()) for _ in expected] == expected
    with looking.exchange() as may_look:
        assert may_look == expected[0]


def test_an_exchange_that_fails_is_counted_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "_processors", lambda: 2)

    with pytest.raises(ZeroDivisionError), looking.exchange():
        _ = 1 / 0
    with looking.exchange() as may_look:
        assert may_look


@pytest.mark.parametrize(("yields", "expected"), YIELDS)
def test_yields_that_take_long_show_that_the_processor_is_wanted(yields: list[float], expected: bool) -> None:
    patience = Patience()

    assert [patience.is_spent(seconds) for seconds in yields][-1] is expected


def test_after_a_pause_nobody_looks_for_a_while(clock: "Clock") -> None:
    looking.pause()

    assert [looks_at(clock, 1000.0 + seconds) for seconds in (0.0, 0.9, 1.0)] == [False, False, True]


def test_each_pause_is_twice_as_long_until_one_has_looked_in_peace(clock: "Clock") -> None:
    for pause_s in (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 64.0):
        with looking.exchange() as may_look:
            assert may_look
            looking.pause()
        assert not looks_at(clock, clock.now_s + pause_s - 0.1)
        clock.now_s += 0.1

    with looking.exchange():
        pass
    looking.pause()
    assert looks_at(clock, clock.now_s + 1.0)


def looks_at(clock: "Clock", now_s: float) -> bool:
    clock.now_s = now_s
    with looking.exchange() as may_look:
        return may_look


class Clock:
    """Stands in for the monotonic one, which the module reads."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that a test moves, on a machine with processors to spare."""
    clock = Clock()
    monkeypatch.setattr(looking, "time", clock)
    monkeypatch.setattr(looking, "_processors", lambda: 8)
    return clock
