"""Builds what keeps the window of one agent in bounds."""

from collections.abc import Callable, Mapping

from host.context import Window
from host.events import Event
from host.launch import AgentPlan, CompactionPlan
from host.memories import Holder
from host.turn import (
    AgentThread,
    Compaction,
    MemoryCompaction,
    OnDemand,
    SummaryCompaction,
    Threshold,
    Trimmed,
)


def compaction_of(
    plan: AgentPlan,
    *,
    window: Window,
    thread: AgentThread,
    holder: Holder | None,
    spellings: Mapping[str, str],
    emit: Callable[[Event], None],
    is_driven: bool,
) -> Compaction:
    """What the agent's plan names. Raises `HostDefect` for one that could not be satisfied."""
    if plan.compaction is None:
        return Trimmed(thread) if is_driven else OnDemand(thread)
    threshold = threshold_of(plan.compaction)
    if plan.compaction.strategy == "summary":
        return SummaryCompaction(window=window, thread=thread, threshold=threshold)
    assert holder is not None, "the launch refuses memory-compaction without memories"
    return MemoryCompaction(
        window=window,
        thread=thread,
        threshold=threshold,
        strategy=holder.strategy,
        spellings=spellings,
        memories=lambda: memories_held(holder),
        emit=emit,
    )


def threshold_of(plan: CompactionPlan) -> Threshold:
    """When the window is rewritten."""
    return Threshold(share=plan.threshold, context_window_tokens=plan.context_window_tokens)


def memories_held(holder: Holder | None) -> int:
    """How many memories an agent has."""
    return 0 if holder is None else holder.state().figures.count
