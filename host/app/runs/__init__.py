"""The records of earlier runs: found, listed, looked into, removed."""

from host.app.runs.errors import NotThere
from host.app.runs.listing import FoundRun, list_runs, runs_folder, size_of
from host.app.runs.moment import Moment, moment_at
from host.app.runs.naming import LAST, find_record, run_ids
from host.app.runs.overview import Overview, StoreOverview
from host.app.runs.pruning import Pruned, prune
from host.app.runs.revisions import MemoryName, MemoryOfStore, RevisionRow, memories_named, memory_slugs

__all__ = [
    "LAST",
    "FoundRun",
    "MemoryName",
    "MemoryOfStore",
    "Moment",
    "NotThere",
    "Overview",
    "Pruned",
    "RevisionRow",
    "StoreOverview",
    "find_record",
    "list_runs",
    "memories_named",
    "memory_slugs",
    "moment_at",
    "prune",
    "run_ids",
    "runs_folder",
    "size_of",
]
