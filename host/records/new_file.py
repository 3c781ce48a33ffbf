"""The file of a store before it is opened: made whole where there is none, left as it is where it is no
store's.
"""

import errno
import glob
import os
import secrets
import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from host.core.envelope import Refused
from host.records import codes, schema
from host.records.integrity.files import sync_folder

_NEW: Final = ".new"
_NO_LINKS: Final = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)


def make_new(path: Path) -> None:
    """Makes an empty store where no file is, that its owner alone may read, with the folders above it.

    It appears under its name whole: an empty file of that name was never gg's. Raises `OSError`.
    """
    if os.path.lexists(path):
        return
    if not path.parent.is_dir():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}{_NEW}")
    try:
        fd = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            _fill(beside)
            os.fsync(fd)
        finally:
            os.close(fd)
        _name(beside, path)
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            beside.with_name(beside.name + ending).unlink(missing_ok=True)
    sync_folder(path.parent)


def refuse_no_store(path: Path) -> None:
    """Refuses what is no store of a version that this gg reads. Not one byte of it is changed.

    Raises `Refused`, `OSError` or `sqlite3.Error`.
    """
    try:
        facts = path.stat()
    except FileNotFoundError:
        raise Refused.of(codes.STORE, f"the store {path} is a link to no file; remove the link") from None
    if not stat.S_ISREG(facts.st_mode):
        what = "a folder" if stat.S_ISDIR(facts.st_mode) else "no regular file"
        raise Refused.of(codes.STORE, f"the store {path} is {what}; name a file")
    if facts.st_size == 0:
        raise Refused.of(
            codes.STORE,
            f"the file {path} is empty, as if it was cut off; restore it from a copy, or remove it to begin"
            " anew",
        )
    if facts.st_nlink > 1 and _names_left(path) > 1:
        raise Refused.of(
            codes.STORE,
            f"the file {path} has several names, which do not share its write-ahead log; leave it"
            " one, and copy it instead",
        )
    # A look that takes no part in the file's use: a usual connection would empty a log that a crash left.
    log = path.with_name(path.name + "-wal")
    mode = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
    with closing(sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True, isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("BEGIN")
        if schema.version_of(connection) == len(schema.MIGRATIONS):
            schema.refuse_foreign_parts(connection)


def _names_left(path: Path) -> int:
    """How many names a file has, less one that was left where a process was killed while it made it."""
    for beside in path.parent.glob(f".{glob.escape(path.name)}.*{_NEW}"):
        with suppress(FileNotFoundError):
            if beside.samefile(path):
                beside.unlink()
    return path.stat().st_nlink


def _fill(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        schema.migrate(connection, 0)
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")


def _name(beside: Path, path: Path) -> None:
    """Gives the file its name, unless another process was first."""
    try:
        os.link(beside, path)
    except FileExistsError:
        pass
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if not os.path.lexists(path):
            beside.rename(path)
