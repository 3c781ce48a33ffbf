"""The ceilings of a run and of its agents, as pure judgements. A limit that is not written is not armed."""

from collections import deque
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

CeilingStatus = Literal["exhausted", "timed_out", "limit_exceeded"]


@dataclass(frozen=True, kw_only=True)
class Ceilings:
    """What ends a run early. `error_rate` and `error_rate_window` are armed together. `max_cost` is in US
    dollars.
    """

    max_turns: int | None = None
    max_runtime_s: float | None = None
    max_consecutive_errors: int | None = None
    max_error_rate: float | None = None
    error_rate_window: int | None = None
    max_cost: float | None = None


@dataclass(frozen=True)
class Breach:
    """A ceiling that was reached, under the configuration's own name."""

    status: CeilingStatus
    limit: str
    threshold: float
    observed: float


@dataclass
class TurnCount:
    """One agent's turns and error turns. A fault of gg's own is a turn and no error."""

    window: int | None = None
    turns: int = 0
    errors: int = 0
    consecutive_errors: int = 0
    by_type: dict[str, int] = field(default_factory=dict)
    _recent: deque[bool] = field(default_factory=deque)

    def add(self, error_type: str | None) -> None:
        """Counts a turn; `error_type` is that of an error turn."""
        self.turns += 1
        if error_type is None:
            self.consecutive_errors = 0
        else:
            self.errors += 1
            self.consecutive_errors += 1
            self.by_type[error_type] = self.by_type.get(error_type, 0) + 1
        if self.window is not None:
            self._recent.append(error_type is not None)
            while len(self._recent) > self.window:
                self._recent.popleft()

    def add_fatal(self) -> None:
        self.turns += 1
        self.consecutive_errors = 0

    @property
    def error_rate(self) -> float | None:
        """The share of error turns in the last window, once the window is full."""
        if self.window is None or len(self._recent) < self.window:
            return None
        return sum(self._recent) / self.window


def breach_of_agent(ceilings: Ceilings, count: TurnCount) -> Breach | None:
    """The ceiling that an agent has reached at a turn boundary, the more telling first."""
    most_errors = ceilings.max_consecutive_errors
    if most_errors is not None and count.consecutive_errors >= most_errors:
        return Breach("limit_exceeded", "maxConsecutiveErrors", most_errors, count.consecutive_errors)
    rate = count.error_rate
    if ceilings.max_error_rate is not None and rate is not None and rate > ceilings.max_error_rate:
        return Breach("limit_exceeded", "maxErrorRate", ceilings.max_error_rate, rate)
    if ceilings.max_turns is not None and count.turns >= ceilings.max_turns:
        return Breach("exhausted", "maxTurns", ceilings.max_turns, count.turns)
    return None


def breach_of_run(ceilings: Ceilings, elapsed_s: float, cost: Decimal | None = None) -> Breach | None:
    """Whether the run's time is spent, or its money; what has no known cost has cost nothing."""
    return breach_of_time(ceilings, elapsed_s) or _breach_of_cost(ceilings, cost)


def breach_of_time(ceilings: Ceilings, elapsed_s: float) -> Breach | None:
    """Whether the run's time is spent."""
    if ceilings.max_runtime_s is not None and elapsed_s >= ceilings.max_runtime_s:
        return Breach("timed_out", "maxRuntimeSecs", ceilings.max_runtime_s, round(elapsed_s, 3))
    return None


def _breach_of_cost(ceilings: Ceilings, cost: Decimal | None) -> Breach | None:
    if ceilings.max_cost is not None and cost is not None and cost >= Decimal(str(ceilings.max_cost)):
        return Breach("limit_exceeded", "maxCost", ceilings.max_cost, float(cost))
    return None
