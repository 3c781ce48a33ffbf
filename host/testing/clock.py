"""A clock that moves when it is told to."""

from datetime import UTC, datetime, timedelta
from typing import Final

START: Final = datetime(2026, 1, 1, tzinfo=UTC)


class FakeClock:
    """Stands still at `start` and at 0 monotonic seconds until it is moved."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start.astimezone(UTC)
        self._monotonic_s = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic_s

    def advance(self, seconds: float) -> None:
        """Lets time pass. Raises `ValueError` for a negative one: monotonic time never goes back."""
        if seconds < 0:
            raise ValueError(f"time cannot go back by {-seconds} s; use set_wall() for the wall clock")
        self._monotonic_s += seconds
        self._now += timedelta(seconds=seconds)

    def set_wall(self, moment: datetime) -> None:
        """Sets the wall clock alone, as an operator or a time server does; it may go back."""
        self._now = moment.astimezone(UTC)
