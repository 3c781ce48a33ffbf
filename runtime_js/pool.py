"""A few compiler processes, each lent to one thread at a time.

They are started when first needed. One that failed is ended, as is one that is worn out; the next loan starts
another in its stead.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, Protocol, TypeVar

__all__ = ["Pool", "Process"]


class Process(Protocol):
    """What a pool lends."""

    @property
    def worn_out(self) -> bool: ...

    def close(self) -> None: ...


P = TypeVar("P", bound=Process)


class Pool(Generic[P]):
    """Lends out at most `size` processes. Threads that find none wait for one."""

    def __init__(self, start: Callable[[], P], *, size: int) -> None:
        self._start: Final = start
        self._size: Final = size
        self._idle: Final[list[P]] = []
        self._count = 0  # idle, lent or being started
        self._changed: Final = threading.Condition()
        self._is_closed = False

    @contextmanager
    def lease(self, *, fresh: bool = False) -> Iterator[P]:
        """Lends one process, with `fresh` one that has done nothing yet. A body that raises ends it."""
        process = self._take(fresh=fresh) or self._started()
        try:
            yield process
        except BaseException:
            self._drop(process)
            raise
        if process.worn_out or not self._take_back(process):
            self._drop(process)

    def close(self) -> None:
        """Ends the idle processes, and those that are lent when they come back. No further loans."""
        with self._changed:
            self._is_closed = True
            idle, self._idle[:] = [*self._idle], []
            self._count -= len(idle)
            self._changed.notify_all()
        for process in idle:
            process.close()

    def _take(self, *, fresh: bool) -> P | None:
        """An idle process, or None where a new one has to be started in a place that is now taken."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._idle or self._count < self._size)
            if self._is_closed:
                raise RuntimeError("the compiler is closed")
            if self._idle and not fresh:
                return self._idle.pop()
            if self._count < self._size:
                self._count += 1
                return None
            replaced = self._idle.pop()
        replaced.close()
        return None

    def _take_back(self, process: P) -> bool:
        """Whether the pool has it again; under the lock, because `close` ends what is idle then."""
        with self._changed:
            if self._is_closed:
                return False
            self._idle.append(process)
            self._changed.notify()
            return True

    def _started(self) -> P:
        try:
            return self._start()
        except BaseException:
            self._leave()
            raise

    def _drop(self, process: P) -> None:
        process.close()
        self._leave()

    def _leave(self) -> None:
        with self._changed:
            self._count -= 1
            self._changed.notify()
