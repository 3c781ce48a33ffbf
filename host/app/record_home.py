"""Where the record store of this user is: its file, and the folder of its key."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import platformdirs

from host.records import KEY_FILE, Store, make_keys

HOME_VARIABLE: Final = "G6_HOME"
KEYS_VARIABLE: Final = "G6_KEYS"


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


def init_keys(environ: Mapping[str, str]) -> tuple[Path, bool]:
    """The folder of the key, made with a key where there was none; whether it was. Raises `Refused`."""
    folder = keys_folder(environ) or usual_keys_folder(environ)
    was_there = (folder / KEY_FILE).exists()
    make_keys(folder)
    return folder, not was_there


def open_store(environ: Mapping[str, str]) -> Store:
    """The store of this user. Raises `Refused`."""
    return Store(store_path(environ), keys=keys_folder(environ))
