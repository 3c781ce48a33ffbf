"""The head of a store, kept beside the key and not in the file: how far its chain had come.

It shows a file that was rolled back or made anew. A write leaves word of where it is going before it commits,
and of where it has come to after; so whenever a process is killed, the file is at one of the two.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from host.core.envelope import Refused
from host.records import codes
from host.records.identity import json_bytes
from host.records.integrity.keys import Keys
from host.records.integrity.ledger import Tip

_WAIT_S: Final = 5.0
_LOOK_S: Final = 0.005
HEAD_FAULTS: Final = (ValueError, KeyError, TypeError, AttributeError)
"""What `Head.read` raises for a head that gg did not write."""


class HeadState(NamedTuple):
    """Where the file is, or was before a write that may not have come to its end."""

    committed: Tip
    pending: Tip | None = None

    def allows(self, tip: Tip) -> bool:
        return tip in (self.committed, self.pending)


class Head:
    """The head of the store at one real path. Its methods raise `OSError` as the system does."""

    def __init__(self, keys: Keys, path: Path) -> None:
        self._keys: Final = keys
        self._of: Final = str(path.resolve())
        name = hashlib.sha256(self._of.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._folder: Final = keys.folder / "heads"
        self._path: Final = self._folder / f"{name}.json"
        self._lock_path: Final = self._folder / f"{name}.lock"

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps other writers of the store away from file and head, and waits 5 s for one."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        fd = os.open(self._lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            _take(fd)
            yield
        finally:
            os.close(fd)

    def read(self) -> HeadState | None:
        """The head; `None` where the store has none. Raises one of `HEAD_FAULTS` for another's."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return None
        said = json.loads(data)
        mac = said.pop("mac")
        if mac != self._mac(said) or said["store"] != self._of:
            raise ValueError("the head was not written with this key for this file")
        pending = said["pending"]
        return HeadState(_tip(said["committed"]), _tip(pending) if pending else None)

    def write(self, state: HeadState) -> None:
        """On the disk when it returns."""
        said: dict[str, object] = {
            "store": self._of,
            "committed": _said(state.committed),
            "pending": _said(state.pending) if state.pending else None,
        }
        beside = self._path.with_suffix(".new")
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            os.write(fd, json_bytes({**said, "mac": self._mac(said)}) + b"\n")
            os.fsync(fd)
        finally:
            os.close(fd)
        beside.replace(self._path)
        self._sync_folder()

    def _sync_folder(self) -> None:
        fd = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def _mac(self, said: dict[str, object]) -> str:
        return self._keys.mac("head", json_bytes(said)).hex()


def _take(fd: int) -> None:
    until = time.monotonic() + _WAIT_S
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise Refused.of(
                    codes.STORE, "the store is being written by another process, and was for 5 s; try again"
                ) from None
            threading.Event().wait(_LOOK_S)
        else:
            return


def _said(tip: Tip) -> dict[str, object]:
    return {"n": tip.n, "mac": tip.mac.hex(), "rows": tip.rows}


def _tip(said: dict[str, object]) -> Tip:
    n, mac, rows = said["n"], said["mac"], said["rows"]
    if not isinstance(n, int) or not isinstance(rows, int) or not isinstance(mac, str):
        raise ValueError("the head is not of the form that gg writes")
    return Tip(n, bytes.fromhex(mac), rows)
