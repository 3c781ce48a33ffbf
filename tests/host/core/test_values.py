"""Identifiers, usage and the machine's clock."""

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from host.core.clock import SystemClock
from host.core.ids import new_run_id
from host.core.messages import Reply, Usage, dollars

MOMENT = datetime(2026, 11, 30, 15, 24, 5, 999_999, tzinfo=UTC)


def test_a_run_id_sorts_by_its_start_and_is_unique_within_a_second() -> None:
    first, second = new_run_id(MOMENT), new_run_id(MOMENT)

    assert re.fullmatch(r"20261130-152405-[0-9a-f]{6}", first)
    assert first != second


def test_usage_adds_up() -> None:
    summed = Usage(input_tokens=1, output_tokens=2) + Usage(input_tokens=10)

    assert summed == Usage(input_tokens=11, output_tokens=2)
    assert Usage() == Usage(input_tokens=0, output_tokens=0)


@pytest.mark.parametrize(
    ("costs", "total"),
    [
        ((None, None), None),
        (("0.1", None), "0.1"),
        ((None, "0.2"), "0.2"),
        (("0.1", "0.2"), "0.3"),
        (("0", None), "0"),
    ],
)
def test_a_cost_that_is_not_known_adds_nothing(
    costs: tuple[str | None, str | None], total: str | None
) -> None:
    one, other = (Usage(cost=None if cost is None else Decimal(cost)) for cost in costs)

    assert (one + other).cost == (None if total is None else Decimal(total))


def test_a_cost_is_told_as_a_number() -> None:
    assert [dollars(cost) for cost in (None, Decimal("0.1") * 3, Decimal("1e-9"))] == [None, 0.3, 0.0]


def test_a_reply_is_whole_unless_it_says_otherwise() -> None:
    assert Reply(text="x") == Reply(text="x", finish_reason="stop", usage=Usage())


def test_the_systems_clock_tells_utc_and_never_goes_back() -> None:
    clock = SystemClock()
    before = clock.monotonic()

    assert clock.now().tzinfo is UTC
    assert clock.monotonic() >= before
