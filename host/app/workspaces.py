"""The directory that an agent's `files` calls work on: the operator's own, or a copy in the record."""

import shutil
import stat
from pathlib import Path

from host.core.errors import HostDefect
from host.launch import FilesPlan
from host.operations import OWN_FOLDER, Workspace


def open_workspace(files: FilesPlan, *, record: Path, agent_id: str) -> Workspace:
    """The workspace of an agent. A copy is made at `workspace/<agent>` in the record.

    Raises `HostDefect` naming what could not be copied.
    """
    if not files.copy:
        return Workspace(files.directory, writable=files.write, record=record)
    copy = record / "workspace" / agent_id
    _copy(files.directory, copy, leave_out=record.resolve())
    return Workspace(copy, writable=files.write)


def _copy(source: Path, target: Path, *, leave_out: Path) -> None:
    """Copies files and folders, and links as links. Pipes, sockets and devices stay out, and so do records:
    one that lies in the directory would be copied into itself.
    """

    def left_out(folder: str, names: list[str]) -> set[str]:
        paths = [Path(folder, name) for name in names]
        return {path.name for path in paths if path == leave_out or _is_no_data(path)}

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
