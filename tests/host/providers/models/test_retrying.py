"""The policy of retries by itself: how long, how often, and when no more."""

from collections.abc import Callable

import anyio
import pytest

from host.core.errors import ProviderError, ProviderFailure
from host.providers.models.failures import Failure
from host.providers.models.retrying import Failed, Retrying

AGAIN: ProviderFailure = "model_retry_exhausted"


class Bench:
    """Attempts that fail as they are told to, and the waits between them."""

    def __init__(
        self,
        *failures: Failure,
        max_retries: int = 10,
        max_delay_s: float = 60,
        draw: float = 0.0,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        self.failures = list(failures)
        self.slices_s: list[float] = []
        self.notes: list[str] = []
        self.retrying = Retrying(
            who="m",
            max_retries=max_retries,
            max_delay_s=max_delay_s,
            note=self.note,
            is_over=is_over,
            sleep=self.sleep,
            draw=lambda: draw,
        )
        self.waits_s: list[float] = []

    def note(self, text: str) -> None:
        self.notes.append(text)
        self.waits_s.append(0.0)

    async def sleep(self, seconds: float) -> None:
        self.slices_s.append(seconds)
        self.waits_s[-1] += seconds

    async def attempt(self) -> str:
        if self.failures:
            raise Failed(self.failures.pop(0))
        return "done"

    def run(self) -> str:
        return anyio.run(lambda: self.retrying.run(self.attempt))


def again(text: str = "x", retry_after_s: float | None = None) -> Failure:
    return Failure(text=text, failure=AGAIN, retry_after_s=retry_after_s)


def test_the_waits_double_up_to_the_longest() -> None:
    bench = Bench(*[again()] * 8, max_delay_s=30)

    assert bench.run() == "done"
    assert bench.waits_s == pytest.approx([1, 2, 4, 8, 16, 30, 30, 30])


@pytest.mark.parametrize(("draw", "wait_s"), [(0.0, 8.0), (0.5, 7.0), (1.0, 6.0)])
def test_a_quarter_of_a_wait_is_drawn(draw: float, wait_s: float) -> None:
    bench = Bench(*[again()] * 4, draw=draw)
    bench.run()

    assert bench.waits_s[3] == pytest.approx(wait_s)


@pytest.mark.parametrize(
    ("asked_s", "draw", "wait_s"),
    [(0.0, 0.0, 1.0), (0.2, 1.0, 0.75), (5.0, 0.0, 5.0), (5.0, 1.0, 6.0), (120.0, 0.0, 120.0)],
)
def test_a_wait_that_is_asked_for_is_no_shorter(asked_s: float, draw: float, wait_s: float) -> None:
    """Whatever the longest wait is that gg would choose itself."""
    bench = Bench(again(retry_after_s=asked_s), draw=draw)
    bench.run()

    assert bench.waits_s == pytest.approx([wait_s])


def test_each_failure_is_told_before_its_wait() -> None:
    bench = Bench(again("HTTP 500: a"), again("HTTP 429: b", 3), max_retries=4)
    bench.run()

    assert bench.notes == [
        "m: HTTP 500: a; waiting 1.0 s, then attempt 2 of 5",
        "m: HTTP 429: b; waiting 3.0 s, then attempt 3 of 5",
    ]


@pytest.mark.parametrize(
    ("failure", "max_retries", "told"),
    [
        (again("x"), 0, "m: x; given up after one attempt"),
        (again("x", 3601), 9, "m: x; it asks to be left alone for 3,601 s"),
        (Failure(text="x", failure="model_rejected"), 9, "m: x"),
        (Failure(text="x", failure="model_auth"), 9, "m: x"),
    ],
)
def test_what_is_hopeless_is_given_up_at_once(failure: Failure, max_retries: int, told: str) -> None:
    bench = Bench(failure, max_retries=max_retries)

    with pytest.raises(ProviderError) as caught:
        bench.run()

    assert (str(caught.value), caught.value.failure) == (told, failure.failure)
    assert (bench.notes, bench.slices_s) == ([], [])


def test_a_run_that_is_to_end_waits_no_longer_than_a_second_more() -> None:
    bench = Bench(again(retry_after_s=600), is_over=lambda: len(bench.slices_s) >= 2)

    with pytest.raises(ProviderError, match="given up after one attempt"):
        bench.run()

    assert bench.slices_s == [1.0, 1.0]
