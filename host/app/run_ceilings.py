"""The ceilings of a run, as its plan has them."""

from host.launch import RunLimits
from host.turn import Ceilings


def ceilings_of(limits: RunLimits) -> Ceilings:
    """What its agents are measured against."""
    return Ceilings(
        max_turns=limits.max_turns,
        max_runtime_s=limits.max_runtime_s,
        max_consecutive_errors=limits.max_consecutive_errors,
        max_error_rate=limits.error_rate.share if limits.error_rate else None,
        error_rate_window=limits.error_rate.window if limits.error_rate else None,
        max_cost=limits.max_cost,
    )
