"""Wakes whoever waits in the event loop for something that may have happened in any thread."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, Final

import anyio
import anyio.to_thread


class Bell:
    """Those who wait look again when they are woken. But for `ring`, all of it belongs to the loop's thread.

    A ring is a put into a queue, which a handler of signals may do wherever it has interrupted its thread. A
    thread brings it into the loop, one for all, as long as somebody is to hear it.

    Args:
        start: starts a task.
        limiter: the one of the thread.
    """

    def __init__(
        self,
        *,
        start: Callable[[Callable[[], Coroutine[Any, Any, None]]], object],
        limiter: anyio.CapacityLimiter,
    ) -> None:
        self._start: Final = start
        self._limiter: Final = limiter
        self._rings: Final[SimpleQueue[bool]] = SimpleQueue()
        self._rung = anyio.Event()
        self._hearers = 0

    def ring(self) -> None:
        """Wakes, soon, everybody who is to hear it. Thread-safe."""
        self._rings.put(True)

    def wake(self) -> None:
        """Wakes everybody, from within the loop."""
        self._rung.set()
        self._rung = anyio.Event()

    async def until(self, is_due: Callable[[], bool]) -> None:
        """Returns when it is due, which is looked at now and after each waking."""
        while not is_due():
            await self._rung.wait()

    @contextmanager
    def heard(self) -> Iterator[None]:
        """While the block runs, rings wake as well."""
        self._hearers += 1
        if self._hearers == 1:
            self._start(self._listen)
        try:
            yield
        finally:
            self._hearers -= 1
            if not self._hearers:
                self._rings.put(False)

    async def _listen(self) -> None:
        while await anyio.to_thread.run_sync(self._rings.get, limiter=self._limiter):
            self.wake()
