"""Wakes whoever waits in the event loop for something that may have happened in any thread."""

from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

import anyio
import anyio.to_thread


class Bell:
    """Those who wait look again at each ring. But for `ring`, all of it belongs to the loop's thread.

    A ring is a put into a queue, which a handler of signals may do wherever it has interrupted its thread; a
    thread of the bell's own brings it into the loop. `limiter` is the one of that thread.
    """

    def __init__(self, limiter: anyio.CapacityLimiter) -> None:
        self._limiter: Final = limiter
        self._rings: Final[SimpleQueue[bool]] = SimpleQueue()
        self._rung = anyio.Event()

    def ring(self) -> None:
        """Wakes everybody soon. Thread-safe."""
        self._rings.put(True)

    def wake(self) -> None:
        """Wakes everybody, from within the loop."""
        self._rung.set()
        self._rung = anyio.Event()

    async def until(self, is_due: Callable[[], bool]) -> None:
        """Returns when it is due, which is looked at now and at each ring."""
        while not is_due():
            await self._rung.wait()

    async def listen(self) -> None:
        """Brings the rings into the loop until the bell is closed, which has to be done before it can end."""
        while await anyio.to_thread.run_sync(self._rings.get, limiter=self._limiter):
            self.wake()

    def close(self) -> None:
        self._rings.put(False)
