"""The ceilings at their boundaries: just under, just at, just over."""

from decimal import Decimal

import pytest

from host.turn.ceilings import Breach, Ceilings, TurnCount, breach_of_agent, breach_of_run

OK, THROW, CALL = None, "program_throw", "program_api_error"


def counted(turns: list[str | None], window: int | None = None) -> TurnCount:
    count = TurnCount(window=window)
    for error_type in turns:
        count.add(error_type)
    return count


COUNTS = [
    pytest.param([], (0, 0, 0, {}), id="no turn"),
    pytest.param([OK], (1, 0, 0, {}), id="progress"),
    pytest.param([THROW], (1, 1, 1, {THROW: 1}), id="an error"),
    pytest.param([THROW, CALL, THROW], (3, 3, 3, {THROW: 2, CALL: 1}), id="errors in a row"),
    pytest.param([THROW, OK, CALL], (3, 2, 1, {THROW: 1, CALL: 1}), id="progress ends the row"),
]


@pytest.mark.parametrize(("turns", "expected"), COUNTS)
def test_turns_are_counted(turns: list[str | None], expected: tuple[int, int, int, dict[str, int]]) -> None:
    count = counted(turns)

    assert (count.turns, count.errors, count.consecutive_errors, count.by_type) == expected


def test_a_fault_of_ggs_own_is_a_turn_and_no_error() -> None:
    count = counted([THROW, THROW], window=2)
    count.add_fatal()

    assert (count.turns, count.errors, count.consecutive_errors, count.error_rate) == (3, 2, 0, 1.0)


RATES = [
    pytest.param([], None, None, id="no window"),
    pytest.param([THROW] * 3, None, None, id="errors without a window"),
    pytest.param([THROW] * 3, 4, None, id="a window that is not full"),
    pytest.param([THROW] * 4, 4, 1.0, id="a window that is full"),
    pytest.param([OK, OK, THROW, OK], 4, 0.25, id="one of four"),
    pytest.param([THROW, OK, OK, OK, OK], 4, 0.0, id="what left the window counts no more"),
    pytest.param([OK], 1, 0.0, id="a window of one"),
]


@pytest.mark.parametrize(("turns", "window", "expected"), RATES)
def test_the_error_rate_of_the_last_turns(
    turns: list[str | None], window: int | None, expected: float | None
) -> None:
    assert counted(turns, window).error_rate == expected


RATE = Ceilings(max_error_rate=0.5, error_rate_window=4)
AGENTS = [
    pytest.param(Ceilings(), [THROW] * 100, None, id="nothing is armed"),
    pytest.param(Ceilings(max_turns=2), [OK], None, id="turns: under"),
    pytest.param(Ceilings(max_turns=2), [OK] * 2, Breach("exhausted", "maxTurns", 2, 2), id="turns: at"),
    pytest.param(Ceilings(max_turns=0), [], Breach("exhausted", "maxTurns", 0, 0), id="turns: none allowed"),
    pytest.param(Ceilings(max_consecutive_errors=2), [THROW], None, id="errors in a row: under"),
    pytest.param(
        Ceilings(max_consecutive_errors=2),
        [THROW, CALL],
        Breach("limit_exceeded", "maxConsecutiveErrors", 2, 2),
        id="errors in a row: at",
    ),
    pytest.param(Ceilings(max_consecutive_errors=2), [THROW, OK, THROW], None, id="errors not in a row"),
    pytest.param(RATE, [THROW] * 3, None, id="rate: fewer turns than the window"),
    pytest.param(RATE, [THROW, THROW, OK, OK], None, id="rate: at"),
    pytest.param(
        RATE,
        [THROW, OK, THROW, THROW],
        Breach("limit_exceeded", "maxErrorRate", 0.5, 0.75),
        id="rate: above",
    ),
    pytest.param(
        Ceilings(max_turns=4, max_consecutive_errors=4, max_error_rate=0.5, error_rate_window=4),
        [THROW] * 4,
        Breach("limit_exceeded", "maxConsecutiveErrors", 4, 4),
        id="all at once: errors in a row tell most",
    ),
    pytest.param(
        Ceilings(max_turns=4, max_error_rate=0.5, error_rate_window=4),
        [THROW] * 4,
        Breach("limit_exceeded", "maxErrorRate", 0.5, 1.0),
        id="both: the rate before the turns",
    ),
]


@pytest.mark.parametrize(("ceilings", "turns", "expected"), AGENTS)
def test_the_ceiling_that_an_agent_has_reached(
    ceilings: Ceilings, turns: list[str | None], expected: Breach | None
) -> None:
    assert breach_of_agent(ceilings, counted(turns, ceilings.error_rate_window)) == expected


RUNS = [
    pytest.param(None, 1e9, None, id="not armed"),
    pytest.param(600.0, 599.9999, None, id="under"),
    pytest.param(600.0, 600.0, Breach("timed_out", "maxRuntimeSecs", 600.0, 600.0), id="at"),
    pytest.param(600.0, 601.23456, Breach("timed_out", "maxRuntimeSecs", 600.0, 601.235), id="over"),
]


@pytest.mark.parametrize(("limit", "elapsed_s", "expected"), RUNS)
def test_the_time_of_a_run(limit: float | None, elapsed_s: float, expected: Breach | None) -> None:
    assert breach_of_run(Ceilings(max_runtime_s=limit), elapsed_s) == expected


COSTS = [
    pytest.param(None, None, id="no cost is known"),
    pytest.param(Decimal("0.29"), None, id="under"),
    pytest.param(Decimal("0.1") * 3, 0.3, id="at, to the cent"),
    pytest.param(Decimal("0.31"), 0.31, id="over"),
]


@pytest.mark.parametrize(("cost", "observed"), COSTS)
def test_the_money_of_a_run(cost: Decimal | None, observed: float | None) -> None:
    breach = None if observed is None else Breach("limit_exceeded", "maxCost", 0.3, observed)

    assert breach_of_run(Ceilings(max_cost=0.3), 5, cost) == breach
    assert breach_of_run(Ceilings(), 5, cost) is None


def test_time_is_told_before_money() -> None:
    breach = breach_of_run(Ceilings(max_cost=1, max_runtime_s=1), 2, Decimal(2))

    assert breach == Breach("timed_out", "maxRuntimeSecs", 1, 2)
