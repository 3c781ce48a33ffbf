"""What can be wrong with a session record, named by who owns the failure.

HostDefect
└── RecordUnwritable   gg's own: the run cannot be recorded, so it ends under `internal_error`
RecordError            the operator's: a record cannot be begun or read
├── RecordNotCreated   the directory for a new record cannot be used
├── RecordLocked       another process writes the record
├── RecordUnreadable   not a record, or damaged in the middle
└── RecordTooNew       written in a format that this gg does not know
"""

from pathlib import Path
from typing import Final

from host.core.errors import HostDefect, HostError


class RecordUnwritable(HostDefect):
    """A part of the record could not be written. What was written before stays whole; nothing follows it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__("record_unwritable", f"{path}: {reason}", {"path": str(path), "reason": reason})
        self.path: Final = path
        self.reason: Final = reason


class RecordError(HostError):
    """A record cannot be begun or read, for a reason that the operator can act on."""


class RecordNotCreated(RecordError):
    """The directory for a new record cannot be used. What was in it is untouched."""

    def __init__(self, directory: Path, reason: str) -> None:
        super().__init__(f"no session record can be begun in {directory}: {reason}")
        self.directory: Final = directory


class RecordLocked(RecordError):
    """Another process writes the record. It may be read meanwhile."""

    def __init__(self, directory: Path, pid: int | None) -> None:
        writer = "another process" if pid is None else f"process {pid}"
        super().__init__(
            f"{directory} is being written by {writer}; wait for it to end or choose another --out"
        )
        self.directory: Final = directory
        self.pid: Final = pid


class RecordUnreadable(RecordError):
    """What stands at `path` is no session record, or is damaged. `line`, from 1, names the one at fault."""

    def __init__(self, path: Path, reason: str, *, line: int | None = None) -> None:
        super().__init__(f"{path}{'' if line is None else f', line {line}'}: {reason}")
        self.path: Final = path
        self.line: Final = line


class RecordTooNew(RecordError):
    """The record was written by a newer gg, in a format whose meaning this one cannot know."""

    def __init__(self, path: Path, *, found: int, known: int) -> None:
        super().__init__(
            f"{path} has format version {found}, and this gg reads up to {known}; read it with a newer gg"
        )
        self.found: Final = found
        self.known: Final = known
