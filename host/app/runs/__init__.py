"""The records of earlier runs: found, listed, looked into, removed."""

from host.app.runs.agents import agent_ids, check_agents, is_held_by, only_of
from host.app.runs.errors import NotThere
from host.app.runs.listing import FoundRun, list_runs, runs_folder, size_of
from host.app.runs.moment import Moment, agent_of_turn, moment_at, windows_at
from host.app.runs.naming import LAST, find_record, run_ids
from host.app.runs.overview import Overview, StoreOverview
from host.app.runs.pruning import Pruned, prune
from host.app.runs.request_window import BandUse, RequestWindow, WindowChange, WindowMessage
from host.app.runs.revisions import MemoryName, MemoryOfStore, RevisionRow, memories_named, memory_slugs
from host.app.runs.window_fold import WindowFold
from host.app.runs.window_totals import AgentTotal, BandTotal, WindowReport, WindowTotals

__all__ = [
    "LAST",
    "AgentTotal",
    "BandTotal",
    "BandUse",
    "FoundRun",
    "MemoryName",
    "MemoryOfStore",
    "Moment",
    "NotThere",
    "Overview",
    "Pruned",
    "RequestWindow",
    "RevisionRow",
    "StoreOverview",
    "WindowChange",
    "WindowFold",
    "WindowMessage",
    "WindowReport",
    "WindowTotals",
    "agent_ids",
    "agent_of_turn",
    "check_agents",
    "find_record",
    "is_held_by",
    "list_runs",
    "memories_named",
    "memory_slugs",
    "moment_at",
    "only_of",
    "prune",
    "run_ids",
    "runs_folder",
    "size_of",
    "windows_at",
]
