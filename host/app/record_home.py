"""Where the record store of this user is: its file, and the folder of its key."""

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

import platformdirs

from host.records import KEY_FILE, Store, make_keys

HOME_VARIABLE: Final = "G6_HOME"
KEYS_VARIABLE: Final = "G6_KEYS"
SENSITIVE_VARIABLE: Final = "GG_SENSITIVE"
"""Set to 1, it lets what needs a person at a terminal be done without one."""
SERVER_VARIABLE: Final = "G6_MCP_SENSITIVE"
RECORD_VARIABLES: Final = frozenset({HOME_VARIABLE, KEYS_VARIABLE, SENSITIVE_VARIABLE, SERVER_VARIABLE})
"""None of them is for the commands of agents."""


def at_home(home: Path | None, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment of the store of another home, whose key is there too; `environ` without one."""
    return environ if home is None else {HOME_VARIABLE: str(home.absolute())}


def g6_home(environ: Mapping[str, str]) -> Path:
    """`$G6_HOME`, or the user's data directory of `g6`."""
    named = environ.get(HOME_VARIABLE, "")
    return Path(named).expanduser() if named.strip() else Path(platformdirs.user_data_dir("g6"))


def store_path(environ: Mapping[str, str]) -> Path:
    return g6_home(environ) / "memory" / "ctx_ace.db"


def keys_folder(environ: Mapping[str, str]) -> Path | None:
    """`$G6_KEYS`, or the folder under the home where it is there; `None` where integrity is by hash alone."""
    named = environ.get(KEYS_VARIABLE, "")
    if named.strip():
        return Path(named).expanduser()
    usual = usual_keys_folder(environ)
    return usual if usual.is_dir() else None


def usual_keys_folder(environ: Mapping[str, str]) -> Path:
    """Where `init_keys` makes a key."""
    return g6_home(environ) / "keys"


def store_folders(environ: Mapping[str, str]) -> tuple[Path, ...]:
    """The folders of the store and of its key, whether they are there or not."""
    usual = usual_keys_folder(environ)
    return tuple(dict.fromkeys((store_path(environ).parent, usual, keys_folder(environ) or usual)))


def init_keys(environ: Mapping[str, str]) -> tuple[Path, bool]:
    """The folder of the key, made with a key where there was none; whether it was. Raises `Refused`."""
    folder = keys_folder(environ) or usual_keys_folder(environ)
    was_there = (folder / KEY_FILE).exists()
    make_keys(folder)
    return folder, not was_there


def open_store(environ: Mapping[str, str], *, clock: Callable[[], datetime] | None = None) -> Store:
    """The store of this user; `clock` says the moment, the system's when absent. Raises `Refused`."""
    return Store(store_path(environ), keys=keys_folder(environ), clock=clock)


class HiddenFolders:
    """The folders of the store and its key, as far as they are there: commands of agents see none of them.

    A home that commands themselves work in is not hidden as a whole, but what gg keeps there is.
    """

    def __init__(self, environ: Mapping[str, str], *, commands_in: Path) -> None:
        self._environ: Final = environ
        self._commands_in: Final = (commands_in, Path(environ.get("HOME") or "/"))
        self._seen: Final[dict[Path, tuple[int, int]]] = {}
        self.now()

    def now(self) -> tuple[Path, ...]:
        """Where they are, none in another one. Raises `FolderMoved` for one that a command may have moved."""
        for path in self._wanted():
            if path not in self._seen and (place := _place(path)) is not None:
                self._seen[path] = place
        for path, place in self._seen.items():
            if _place(path) != place:
                raise FolderMoved(f"{path} was moved or removed while gg ran; put it back")
        return tuple(path for path in self._seen if not self._seen.keys() & set(path.parents))

    def _wanted(self) -> Iterator[Path]:
        home = Path(os.path.realpath(g6_home(self._environ)))
        works_inside = any(Path(os.path.realpath(each)).is_relative_to(home) for each in self._commands_in)
        keys = keys_folder(self._environ)
        folders = store_folders(self._environ) if works_inside else (home, *([keys] if keys else []))
        yield from (Path(os.path.realpath(folder)) for folder in folders)


class FolderMoved(Exception):
    """A folder that is to be hidden is no longer where it was."""


def _place(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
