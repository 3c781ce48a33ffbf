"""JSON objects in files: read whole, and replaced in one step, under a lock that every writer takes.

The kernel holds the lock for a process and drops it when the process ends, however it ends. The file
`<name>.lock` stays, and means nothing by itself.
"""

import fcntl
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from host.core.envelope import Refused
from host.core.regular_files import open_regular
from host.core.text import quoted

BOOK: Final = "G6_E_SKILLBOOK_FILE"
_SAFELY: Final = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_NEW_FILE: Final = 0o600
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class ReadJson:
    """What a file holds, and which bytes that were."""

    payload: Any
    sha256: str


def real_path(path: Path) -> Path:
    """Where the file stands that a path leads to: two names of one file have one lock."""
    return Path(os.path.realpath(path))


def read_json(path: Path) -> ReadJson | None:
    """What the file holds, `None` where there is none. Raises `Refused` where it cannot be read, or holds
    anything but JSON, each name of an object once.
    """
    try:
        with open_regular(path) as file:
            content = file.read()
    except FileNotFoundError:
        return None
    except IsADirectoryError as error:
        raise refusal(path, "is a directory; name a JSON file") from error
    except OSError as error:
        raise refusal(path, f"cannot be read: {error.strerror or error}") from error
    try:
        payload = json.loads(content.decode("utf-8"), object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise refusal(path, f"is no whole JSON, and stays as it is: {error}; mend it by hand") from error
    return ReadJson(payload, _sha256(content))


def write_json(path: Path, payload: object) -> str:
    """Puts the value in place of what the file holds, in one step; gives the hash of its bytes. A process
    that is killed on the way leaves the file as it was. Raises `Refused`.
    """
    text = json.dumps(payload, ensure_ascii=False, indent=2) + "\n"
    # Half a character, which UTF-8 cannot carry and JSON can.
    content = _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text).encode("utf-8")
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.unlink(missing_ok=True)  # left by a process that was killed
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFELY, _NEW_FILE)
        with open(fd, "wb") as file:
            os.fchmod(file.fileno(), _mode(path))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        _sync_directory(path.parent)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)  # the disk may be full
        raise refusal(path, f"cannot be written: {error.strerror or error}") from error
    return _sha256(content)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keeps every other writer of the file waiting. Makes its folder where there is none.

    Raises `Refused`.
    """
    beside = path.with_name(f"{path.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fd = os.open(beside, os.O_RDWR | os.O_CREAT | _SAFELY, _NEW_FILE)
    except OSError as error:
        raise refusal(path, f"cannot be locked: {error.strerror or error}") from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def refusal(path: Path, why: str) -> Refused:
    return Refused.of(BOOK, f"{quoted(str(path))} {why}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object. A name that stands in it twice, as after a merge by hand, would lose one of the values."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object has the name {quoted(twice)} twice")
    return found


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return _NEW_FILE


def _sync_directory(path: Path) -> None:
    """Has the disk keep the new name, so that a crash of the machine does not bring back the old content."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
