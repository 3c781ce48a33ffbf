"""What no compaction helps against: a window that is full as it opens, or still is when it was rewritten."""

from host.context import Window
from host.turn.compaction.base import CompactionFailed
from host.turn.compaction.texts import does_not_fit, opens_full, still_full
from host.turn.compaction.trigger import Threshold


def refuse_full_opening(window: Window, threshold: Threshold) -> None:
    """Raises `CompactionFailed` for a window that would be full before its first turn."""
    tokens = window.tokens
    if tokens >= threshold.tokens:
        raise CompactionFailed(opens_full(tokens, threshold))


def refuse_full_window(window: Window, threshold: Threshold) -> None:
    """Raises `CompactionFailed` for a window that was rewritten and is full still."""
    tokens = window.tokens
    if tokens >= threshold.tokens:
        raise CompactionFailed(still_full(tokens, threshold))


def refuse_overfull_window(tokens: int, threshold: Threshold) -> None:
    """Raises `CompactionFailed` for a rewritten window that cannot be sent, since it takes so many tokens
    with the messages of the turn.
    """
    if tokens > threshold.context_window_tokens:
        raise CompactionFailed(does_not_fit(tokens, threshold))
