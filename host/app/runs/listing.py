"""The records of a folder, as a list: read at their beginnings and ends, newest first."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from host.app.runs.errors import NotThere
from host.app.session import RUNS_FOLDER
from host.core.errors import system_reason
from host.core.text import quoted
from host.events import Glance, RecordError, RecordTooNew, Status, glance_at, is_record

Kind = Literal["run", "newer", "damaged", "foreign"]
"""A record; one in a format of a newer gg; one that cannot be read; something that is no record."""

RunStatus = Status | Literal["running", "cut off"]


@dataclass(frozen=True, kw_only=True)
class FoundRun:
    """What stands in a folder of records. Only a `run` has a `glance`; of the others `problem` says why.

    `since` is when it was begun, or last changed where that cannot be read.
    """

    path: Path
    kind: Kind
    since: datetime
    glance: Glance | None = None
    problem: str = ""

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def status(self) -> RunStatus | None:
        if self.glance is None:
            return None
        return self.glance.end.status or ("cut off" if self.glance.writer is None else "running")


def runs_folder(path: Path) -> Path:
    """The folder of records that is meant: `path`, or the one under it. That of gg's own may be absent.

    Raises `NotThere`.
    """
    if path == RUNS_FOLDER and not os.path.lexists(path):
        return path
    if not os.path.isdir(path):
        told = "is no directory" if os.path.lexists(path) else "does not exist"
        raise NotThere(f"{quoted(str(path))} {told}; name a folder of session records")
    if is_record(path):
        raise NotThere(f"{quoted(str(path))} is a session record itself; gg show shows it")
    below = path / RUNS_FOLDER
    return below if os.path.isdir(below) else path


def list_runs(folder: Path) -> list[FoundRun]:
    """Everything in the folder, the newest first, and last what is no record. Empty where it is absent.

    Raises `NotThere` where it cannot be read.
    """
    try:
        with os.scandir(folder) as entries:
            found = [_look(entry) for entry in entries]
    except FileNotFoundError:
        return []
    except OSError as error:
        told = system_reason(error)
        raise NotThere(f"{quoted(str(folder))} cannot be read: {told}") from error
    return sorted(found, key=lambda run: (run.kind != "foreign", run.since, run.id), reverse=True)


def size_of(directory: Path) -> int:
    """Bytes of all files below; what cannot be looked at counts nothing, and no link is followed."""
    return sum(_sizes(directory))


def _look(entry: os.DirEntry[str]) -> FoundRun:
    path = Path(entry.path)
    if not entry.is_dir(follow_symlinks=False):
        return _unread(entry, "foreign", "no folder")
    try:
        glance = glance_at(path)
    except RecordTooNew as error:
        told = f"format version {error.found}, and this gg reads up to {error.known}"
        return _unread(entry, "newer", told)
    except RecordError as error:
        told = str(error).removeprefix(f"{path}: ").removeprefix(f"{path}{os.sep}")
        return _unread(entry, "damaged" if is_record(path) else "foreign", told)
    except OSError as error:
        return _unread(entry, "foreign", system_reason(error))
    return FoundRun(path=path, kind="run", since=glance.created_at, glance=glance)


def _unread(entry: os.DirEntry[str], kind: Kind, problem: str) -> FoundRun:
    try:
        changed = entry.stat(follow_symlinks=False).st_mtime
    except OSError:  # it has just gone
        changed = 0
    since = datetime.fromtimestamp(changed, UTC)
    return FoundRun(path=Path(entry.path), kind=kind, since=since, problem=problem)


def _sizes(directory: Path) -> Iterator[int]:
    due = [str(directory)]
    while due:
        with suppress(OSError), os.scandir(due.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    due.append(entry.path)
                else:
                    yield entry.stat(follow_symlinks=False).st_size
