"""When the two ends of a pipe look for each other's answers: as long as there is a processor for each."""

from contextlib import ExitStack

import pytest

from sandbox import looking

# Processors, and whether the first, the second and the third exchange at once may look.
TABLE = [
    (1, [False, False, False]),
    (2, [True, False, False]),
    (3, [True, False, False]),
    (4, [True, True, False]),
]


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
