"""Removes the oldest records of a folder, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from host.app.runs.listing import FoundRun, list_runs, size_of
from host.core.errors import system_reason
from host.events import RecordLocked, remove_record

Fate = Literal["removed", "kept", "failed"]
"""`kept`: on purpose, though it is older than those that were to be kept."""


@dataclass(frozen=True, kw_only=True)
class Pruned:
    """What became of one record. `bytes` are those of its files."""

    path: Path
    fate: Fate
    bytes: int = 0
    reason: str = ""


def prune(folder: Path, *, keep: int, dry_run: bool = False) -> Iterator[Pruned]:
    """Goes through the records beyond the `keep` newest, oldest first, and says of each what became of it.

    Raises `NotThere` where the folder cannot be read.
    """
    records = [run for run in list_runs(folder) if run.kind != "foreign"]
    for run in reversed(records[keep:]):
        yield _prune(run, dry_run=dry_run)


def _prune(run: FoundRun, *, dry_run: bool) -> Pruned:
    if run.kind == "newer":
        return Pruned(path=run.path, fate="kept", reason=run.problem)
    if run.status == "running":
        return Pruned(path=run.path, fate="kept", reason="it is being written")
    size = size_of(run.path)
    try:
        if not dry_run:
            remove_record(run.path)
    except RecordLocked:
        return Pruned(path=run.path, fate="kept", reason="it is being written")
    except (OSError, RecursionError) as error:
        reason = system_reason(error) if isinstance(error, OSError) else str(error)
        return Pruned(path=run.path, fate="failed", reason=reason)
    return Pruned(path=run.path, fate="removed", bytes=size)
