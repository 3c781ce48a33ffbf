"""The head of a store, kept beside the key and not in the file: how far its chain had come.

It shows a file that was rolled back or made anew. A write leaves word of where it is going before it commits,
and of where it has come to after; so whenever a process is killed, the file is at one of the two.
"""

import fcntl
import hashlib
import hmac
import json
import os
import random
import threading
import time
from io import FileIO
from pathlib import Path
from typing import Final, NamedTuple

from host.core.envelope import Refused
from host.core.regular_files import open_regular
from host.records import codes
from host.records.identity import json_bytes
from host.records.integrity.files import sync_folder, write_all
from host.records.integrity.keys import Keys
from host.records.integrity.ledger import Tip

_LOOK_S: Final = 0.004
_MAX_BYTES: Final = 64 * 1024  # of which a path may have the most
HEAD_FAULTS: Final = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What `Head.read` raises for a head that gg did not write."""

NOWHERE: Final = Tip(-1, b"", -1)
"""Where no file is."""


class HeadState(NamedTuple):
    """Where the file is, or was before a write that may not have come to its end."""

    committed: Tip
    pending: Tip | None = None

    def allows(self, tip: Tip) -> bool:
        return tip in (self.committed, self.pending)


class Head:
    """The head of the store at one real path. Its methods raise `OSError` as the system does."""

    def __init__(self, keys: Keys, path: Path, *, wait_s: float) -> None:
        self._keys: Final = keys
        self._wait_s: Final = wait_s
        self._of: Final = os.fsencode(path.resolve()).decode("utf-8", "backslashreplace")
        name = hashlib.sha256(self._of.encode()).hexdigest()[:32]
        self._path: Final = keys.heads / f"{name}.json"
        self._lock_path: Final = keys.heads / f"{name}.lock"
        self._lock_file: FileIO | None = None

    def take(self) -> None:
        """Keeps other writers of the store away from file and head, until `let_go`.

        Raises `Refused` where another one has it for too long.
        """
        self.let_go()  # an interrupt may have come between a write and its end
        self._lock_path.parent.mkdir(mode=0o700, exist_ok=True)
        self._lock_file = open(self._lock_path, "ab", buffering=0, opener=_open_unlinked)  # noqa: SIM115
        until = time.monotonic() + self._wait_s
        try:
            while not _is_taken(self._lock_file):
                if time.monotonic() > until:
                    raise Refused.of(
                        codes.STORE,
                        "the store is being written by another process, and was for"
                        f" {self._wait_s:g} s; try again",
                    )
                threading.Event().wait(_LOOK_S * random.random())
        except BaseException:
            self.let_go()
            raise

    def let_go(self) -> None:
        if self._lock_file is not None:
            self._lock_file.close()

    def read(self) -> HeadState | None:
        """The head; `None` where the store has none. Raises one of `HEAD_FAULTS` for another's."""
        try:
            with open_regular(self._path) as file:
                data = file.read(_MAX_BYTES)
        except FileNotFoundError:
            return None
        said = json.loads(data)
        mac = said.pop("mac")
        if not hmac.compare_digest(mac.encode(), self._mac(said).encode()) or said["store"] != self._of:
            raise ValueError("the head was not written with this key for this file")
        pending = said["pending"]
        return HeadState(_tip(said["committed"]), _tip(pending) if pending else None)

    def write(self, state: HeadState) -> None:
        """On the disk when it returns, and as it was where it raises."""
        said: dict[str, object] = {
            "store": self._of,
            "committed": _said(state.committed),
            "pending": _said(state.pending) if state.pending else None,
        }
        beside = self._path.with_suffix(".new")
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            write_all(fd, json_bytes({**said, "mac": self._mac(said)}) + b"\n")
            os.fsync(fd)
        finally:
            os.close(fd)
        beside.replace(self._path)
        sync_folder(self._path.parent)

    def _mac(self, said: dict[str, object]) -> str:
        return self._keys.mac("head", json_bytes(said)).hex()


def _open_unlinked(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _is_taken(file: FileIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _said(tip: Tip) -> dict[str, object]:
    return {"n": tip.n, "mac": tip.mac.hex(), "rows": tip.rows}


def _tip(said: dict[str, object]) -> Tip:
    n, mac, rows = said["n"], said["mac"], said["rows"]
    if not isinstance(n, int) or not isinstance(rows, int) or not isinstance(mac, str):
        raise ValueError("the head is not of the form that gg writes")
    return Tip(n, bytes.fromhex(mac), rows)
