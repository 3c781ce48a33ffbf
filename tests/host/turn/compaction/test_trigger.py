"""When a window is full, in figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.turn.compaction.trigger import Gauge, Threshold

# share, context window, the fewest tokens that are at the threshold
THRESHOLDS = [
    (0.85, 1_000, 850),
    (0.85, 999, 850),
    (0.07, 100, 7),
    (0.07, 101, 8),
    (0.29, 100, 29),
    (1.0, 1_000, 1_000),
    (1.0, 1, 1),
    (0.0001, 100, 1),
    (1e-300, 2**53, 1),
    (0.5, 2**53, 2**52),
]


@pytest.mark.parametrize(("share", "window", "tokens"), THRESHOLDS)
def test_the_threshold_is_the_first_whole_figure_at_the_share(share: float, window: int, tokens: int) -> None:
    assert Threshold(share=share, context_window_tokens=window).tokens == tokens


def test_a_threshold_is_told_with_what_it_comes_from() -> None:
    assert str(Threshold(share=0.85, context_window_tokens=12_000)) == (
        "10,200, 0.85 of a contextWindow of 12,000"
    )


# the estimate of the last request, what was billed for it, the estimate now, what the window is taken to hold
GAUGED = [
    (0, 0, 500, 500),
    (100, 0, 500, 500),
    (100, 90, 500, 500),
    (100, 100, 500, 500),
    (100, 160, 500, 560),
    (100, 160, 100, 160),
    (100, 160, 40, 100),
    (0, 160, 0, 160),
]


@pytest.mark.parametrize(("estimated", "billed", "now", "tokens"), GAUGED)
def test_what_was_billed_counts_where_it_is_more_than_the_estimate(
    estimated: int, billed: int, now: int, tokens: int
) -> None:
    gauge = Gauge()
    gauge.answered(estimated, billed)

    assert gauge.tokens(now) == tokens


TOKENS = st.integers(0, 2**40)


@given(estimated=TOKENS, billed=TOKENS, added=TOKENS)
def test_it_is_the_larger_of_the_estimate_and_the_bill_with_what_was_added(
    estimated: int, billed: int, added: int
) -> None:
    gauge = Gauge()
    gauge.answered(estimated, billed)

    assert gauge.tokens(estimated + added) == max(estimated + added, billed + added)


def test_the_latest_answer_counts_and_none_after_the_window_was_rewritten() -> None:
    gauge = Gauge()
    gauge.answered(100, 900)
    gauge.answered(200, 210)
    assert gauge.tokens(300) == 310
    gauge.rewritten()
    assert gauge.tokens(50) == 50
