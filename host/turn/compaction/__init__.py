"""A window that is nearly full is rewritten: on a summary, or on what the agent recorded in its memories."""

from host.turn.compaction.base import Compaction, CompactionFailed
from host.turn.compaction.memories import MemoryCompaction
from host.turn.compaction.on_demand import OnDemand
from host.turn.compaction.summary import SummaryCompaction
from host.turn.compaction.trigger import Threshold
from host.turn.compaction.trimmed import Trimmed

__all__ = [
    "Compaction",
    "CompactionFailed",
    "MemoryCompaction",
    "OnDemand",
    "SummaryCompaction",
    "Threshold",
    "Trimmed",
]
