"""When a window is full: pure figures in tokens, estimated or billed."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from functools import cached_property


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """The share of a model's context window at which an agent's window is rewritten."""

    share: float
    context_window_tokens: int

    @cached_property
    def tokens(self) -> int:
        """The fewest tokens that are at the threshold or over it."""
        exact = Decimal(repr(self.share)) * self.context_window_tokens  # a float of 0.07 * 100 is over 7
        return int(exact.to_integral_value(ROUND_CEILING))

    def __str__(self) -> str:
        return f"{self.tokens:,}, {self.share:g} of a contextWindow of {self.context_window_tokens:,}"


class Gauge:
    """How full a window is: an estimate, corrected where a provider has billed more for it.

    What the estimate had missed in the last request is taken to be there still, so that what was added since,
    or taken out, counts by its estimate. A window that was rewritten is measured anew.
    """

    def __init__(self) -> None:
        self._missed_tokens = 0

    def answered(self, estimated_tokens: int, billed_tokens: int) -> None:
        """Takes what the window was estimated at when it was sent, and what was billed for it: 0 where that
        was not told.
        """
        if billed_tokens:
            self._missed_tokens = max(0, billed_tokens - estimated_tokens)

    def rewritten(self) -> None:
        self._missed_tokens = 0

    def tokens(self, estimated_tokens: int) -> int:
        """What a window that is estimated at so many now is taken to hold."""
        return estimated_tokens + self._missed_tokens
