"""A store of memories: contents behind one lock, under one strategy and its limits.

It lives in the host's memory alone. Who may write is no matter of the store; that belongs to its holders.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from host.memories.contents import Contents
from host.memories.limits import MemoryLimits, caps_of
from host.memories.strategies import Strategy


class MemoryStore:
    """One set of memories. `number` counts the stores of a run; `memories-1` is the first in its record."""

    def __init__(self, *, number: int, strategy: Strategy, limits: MemoryLimits) -> None:
        self.module_id: Final = f"memories-{number}"
        self.strategy: Final = strategy
        self.caps: Final = caps_of(limits, strategy.applies)
        self._contents: Final = Contents()
        self._lock: Final = threading.Lock()

    @contextmanager
    def exclusive(self) -> Iterator[Contents]:
        """The contents, for this block and no other thread: a check and its commit are one step."""
        with self._lock:
            yield self._contents
