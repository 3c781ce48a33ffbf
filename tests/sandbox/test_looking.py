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


# Seconds that yields took, and whether that is enough to give up.
YIELDS = [
    pytest.param([20e-6] * 100, False, id="short ones"),
    pytest.param([20e-6, 3e-3, 20e-6], False, id="one long"),
    pytest.param([3e-3, 20e-6, 3e-3], True, id="two long"),
]


@pytest.fixture(autouse=True)
def nobody_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine was busy with before."""
    monkeypatch.setattr(looking, "_paused_until", 0.0)


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


def test_after_a_pause_nobody_looks_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "_processors", lambda: 8)
    looking.pause()

    with looking.exchange() as may_look:
        assert not may_look
