"""Finds a session record by what a person types: a path, an id, the beginning of one, or `last`."""

import os
from pathlib import Path
from typing import Final

from host.app.runs.errors import NotThere
from host.app.runs.listing import list_runs
from host.app.session import RUNS_FOLDER
from host.core.errors import system_reason
from host.core.text import nearest, quoted
from host.events import EVENTS_FILE, RecordUnreadable, is_record, read_events

LAST: Final = "last"
_MOST_NAMED: Final = 3


def find_record(name: str, *, runs: Path = RUNS_FOLDER) -> Path:
    """The directory of a record, or a file of events. A path that exists is meant before an id is.

    Raises `NotThere`.
    """
    if _exists(name):
        return _checked(Path(name))
    if name == LAST:
        return _newest(runs)
    if not name:
        raise NotThere(f"no record has an empty name; {_remedy(runs)}")
    if os.sep in name:
        raise NotThere(f"{quoted(name)} does not exist; {_remedy(runs)}")
    known = run_ids(runs)
    if name in known:
        return runs / name
    meant = [each for each in known if each.startswith(name)]
    if len(meant) > 1:
        shown = ", ".join(meant[:_MOST_NAMED]) + (", …" if len(meant) > _MOST_NAMED else "")
        raise NotThere(f"{quoted(name)} begins {len(meant)} ids: {shown}; write more of it")
    if not meant:
        near = nearest(name, known, count=1)
        told = f"did you mean {near[0]}?" if near else _remedy(runs)
        raise NotThere(f"there is no record {quoted(name)}; {told}")
    return runs / meant[0]


def run_ids(runs: Path = RUNS_FOLDER) -> list[str]:
    """The ids of all records of a folder, the latest first; none where it cannot be read."""
    try:
        names = sorted(os.listdir(runs), reverse=True)
    except OSError:
        return []
    return [name for name in names if is_record(runs / name)]


def _exists(name: str) -> bool:
    try:
        os.stat(name)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _unreadable(name, error) from error
    return True


def _checked(path: Path) -> Path:
    """The path, if it is that of a directory with events or of a file of them."""
    try:
        if path.is_dir():
            os.stat(path / EVENTS_FILE)
        elif not _holds_events(path):
            raise NotThere(
                f"{quoted(str(path))} is no session record: it is a file, and not one of events;"
                " name the directory of one"
            )
    except FileNotFoundError:
        told = f"is no session record: it holds no {EVENTS_FILE}"
        raise NotThere(f"{quoted(str(path))} {told}; {_remedy()}") from None
    except OSError as error:
        raise _unreadable(str(path), error) from error
    return path


def _holds_events(path: Path) -> bool:
    """An empty one may be the log of a run that has just begun."""
    try:
        read_events(path)
    except RecordUnreadable:
        return False
    return path.name == EVENTS_FILE or path.stat().st_size > 0


def _unreadable(name: str, error: OSError) -> NotThere:
    return NotThere(f"{quoted(name)} cannot be read: {system_reason(error)}")


def _newest(runs: Path) -> Path:
    newest = next((run.path for run in list_runs(runs) if run.kind == "run"), None)
    if newest is None:
        raise NotThere(f"there is no record under {runs} yet; gg run CONFIG makes one")
    return newest


def _remedy(runs: Path = RUNS_FOLDER) -> str:
    return f"gg runs lists the records under {runs}"
