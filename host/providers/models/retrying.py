"""Sends a request again that failed in a way another attempt might not: one policy, for every vendor."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import anyio

from host.core.errors import ProviderError
from host.providers.models.failures import Failure

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]
FIRST_DELAY_S: Final = 1.0
MAX_ASKED_DELAY_S: Final = 3600.0
"""A provider that asks to wait for longer is not waited for."""
_SLICE_S: Final = 1.0  # how soon it is noticed during a wait that the run is to end
_JITTER: Final = 0.25  # the share of a delay that is drawn, so that agents do not come back all at once


class Failed(Exception):
    """One attempt failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.text)
        self.failure: Final = failure


@dataclass(frozen=True, kw_only=True)
class Retrying:
    """Tries until an attempt succeeds, or there is no more sense in it.

    Args:
        who: the model, as messages name it.
        note: tells the operator of each attempt that failed.
        is_over: whether the run is to end, so that nothing more is tried.
        sleep: waits for so many seconds.
        draw: a number from 0 to 1, of which delays are made unequal.
    """

    who: str
    max_retries: int
    max_delay_s: float
    note: Callable[[str], None]
    is_over: Callable[[], bool]
    sleep: Sleep = anyio.sleep
    draw: Callable[[], float] = random.random

    async def run(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """What an attempt gives, which raises `Failed`. Raises `ProviderError`."""
        failed = 0
        while True:
            try:
                return await attempt()
            except Failed as error:
                failure = error.failure
            failed += 1
            self._refuse_hopeless(failure, failed)
            delay_s = self._delay_s(failed, failure)
            self.note(
                f"{self.who}: {failure.text}; waiting {delay_s:.1f} s,"
                f" then attempt {failed + 1} of {self.max_retries + 1}"
            )
            await self._wait(delay_s)
            if self.is_over():
                raise ProviderError(self._told(failure, failed), failure.failure)

    def _refuse_hopeless(self, failure: Failure, failed: int) -> None:
        if failure.failure != "model_retry_exhausted":
            raise ProviderError(f"{self.who}: {failure.text}", failure.failure)
        asked_s = failure.retry_after_s or 0.0
        if asked_s > MAX_ASKED_DELAY_S:
            told = f"{self.who}: {failure.text}; it asks to be left alone for {asked_s:,.0f} s"
            raise ProviderError(told, failure.failure)
        if failed > self.max_retries:
            raise ProviderError(self._told(failure, failed), failure.failure)

    def _told(self, failure: Failure, failed: int) -> str:
        attempts = f"after {failed} attempts" if failed > 1 else "after one attempt"
        return f"{self.who}: {failure.text}; given up {attempts}"

    def _delay_s(self, failed: int, failure: Failure) -> float:
        """The wait before the next attempt, when so many have failed."""
        whole_s = min(FIRST_DELAY_S * 2.0 ** min(failed - 1, 32), self.max_delay_s)
        delay_s = whole_s * (1 - _JITTER * self.draw())
        if failure.retry_after_s is None:
            return delay_s
        return max(delay_s, failure.retry_after_s + self.draw() * min(1.0, failure.retry_after_s))

    async def _wait(self, delay_s: float) -> None:
        left_s = delay_s
        while left_s > 0 and not self.is_over():
            await self.sleep(min(left_s, _SLICE_S))
            left_s -= _SLICE_S
