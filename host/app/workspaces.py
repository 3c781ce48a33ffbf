"""The directories that the `files` calls of agents work on: the operator's own, or copies in the record."""

import shutil
import stat
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from host.core.errors import HostDefect
from host.launch import FilesPlan
from host.operations import OWN_FOLDER, Workspace


class Workspaces:
    """Those of one run. Agents that name the same directory work side by side, in it or in its one copy.

    Thread-safe. A copy is made at `workspace/<agent>` in the record, for the first agent that wants it.
    """

    def __init__(self, record: Path, *, store_folders: Sequence[Path] = ()) -> None:
        self._record: Final = record
        self._store_folders: Final = tuple(store_folders)
        self._lock: Final = threading.Lock()
        self._copies: Final[dict[Path, Path]] = {}

    def open(self, files: FilesPlan, *, agent_id: str) -> Workspace:
        """The workspace of an agent. Raises `HostDefect` naming what could not be copied."""
        directory = self.directory(files, agent_id=agent_id)
        return Workspace(
            directory,
            writable=files.write,
            record=None if files.copy else self._record,
            store_folders=self._store_folders,
        )

    def directory(self, files: FilesPlan, *, agent_id: str) -> Path:
        """Where that is. Raises as `open` does."""
        return self._copy(files.directory, agent_id) if files.copy else files.directory

    def _copy(self, directory: Path, agent_id: str) -> Path:
        place = directory.resolve()  # one, however each agent spells it
        with self._lock:
            if place not in self._copies:
                copy = self._record / "workspace" / agent_id
                _copy(directory, copy, leave_out=[self._record, *self._store_folders])
                self._copies[place] = copy
            return self._copies[place]


def _copy(source: Path, target: Path, *, leave_out: Iterable[Path]) -> None:
    """Copies files and folders, and links as links. Pipes, sockets and devices stay out, and so do the record
    store and records: one that lies in the directory would be copied into itself.
    """
    ours = {path.resolve() for path in leave_out}

    def left_out(folder: str, names: list[str]) -> set[str]:
        paths = [Path(folder, name) for name in names]
        return {path.name for path in paths if path in ours or _is_no_data(path)}

    try:
        target.parent.mkdir(mode=0o700, exist_ok=True)
        shutil.copytree(source, target, symlinks=True, ignore=left_out)
    except shutil.Error as error:
        failed, _, reason = error.args[0][0]
        raise HostDefect("workspace", f"{failed} cannot be copied into the record: {reason}") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise HostDefect("workspace", f"{source} cannot be copied into the record: {reason}") from error


def _is_no_data(path: Path) -> bool:
    mode = path.lstat().st_mode
    if stat.S_ISDIR(mode):
        return path.name == OWN_FOLDER
    return not (stat.S_ISREG(mode) or stat.S_ISLNK(mode))
