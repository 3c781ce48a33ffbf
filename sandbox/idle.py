"""Workers that wait for a program, of all pools of this process: each for its own pool, and together bounded.

Where many runs await their models at once, each would keep a worker meanwhile. Beyond the bound the one that
has waited longest is given up; its pool starts another when it needs one.
"""

import os
import threading
from collections import defaultdict
from typing import Final, Generic, TypeVar

__all__ = ["IdleWorkers", "most_idle"]

_MEMORY_SHARE: Final = 4  # of the machine's, for idle workers: a quarter
_WORKER_BYTES: Final = 8 * 2**20  # of an idle worker's memory, what it shares with no other
_LEAST: Final = 8

W = TypeVar("W")


class IdleWorkers(Generic[W]):
    """At most `most` workers. Thread-safe; nothing here starts or ends one."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self.forget()

    def put(self, owner: object, worker: W, *, last: bool = False) -> W | None:
        """Keeps `worker` for `owner`, to be taken first, or `last`. Gives the one that has to go for it."""
        with self._lock:
            own = self._of_owner[owner]
            own.insert(0 if last else len(own), worker)
            self._owners[worker] = owner
            if len(self._owners) <= self._most:
                return None
            longest = next(iter(self._owners))
            self._remove(longest)
            return longest

    def take(self, owner: object) -> W | None:
        """The owner's worker that is to be used next, if there is one."""
        with self._lock:
            own = self._of_owner.get(owner)
            worker = own[-1] if own else None
            if worker is not None:
                self._remove(worker)
            return worker

    def of(self, owner: object) -> tuple[W, ...]:
        """The owner's workers, the one to be used next last."""
        with self._lock:
            return tuple(self._of_owner.get(owner, ()))

    def forget(self) -> None:
        """After a fork of the host: the workers are the old one's."""
        self._lock = threading.Lock()
        self._of_owner: defaultdict[object, list[W]] = defaultdict(list)
        self._owners: dict[W, object] = {}  # in the order in which they came

    def _remove(self, worker: W) -> None:
        owner = self._owners.pop(worker)
        own = self._of_owner[owner]
        own.remove(worker)
        if not own:
            del self._of_owner[owner]


def most_idle() -> int:
    """As many as have a quarter of the machine's memory."""
    memory_bytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(_LEAST, memory_bytes // _MEMORY_SHARE // _WORKER_BYTES)
