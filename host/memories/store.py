"""A store of memories: contents behind one lock, under one strategy and its limits.

It lives in the host's memory alone. Who may write is no matter of the store; that belongs to its holders.
"""

import threading
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Final

from host.memories.contents import Contents
from host.memories.limits import MemoryLimits, caps_of
from host.memories.search_index import SearchIndex
from host.memories.strategies import Strategy


class MemoryStore:
    """One set of memories. `number` counts the stores of a run; `memories-1` is the first in its record."""

    def __init__(self, *, number: int, strategy: Strategy, limits: MemoryLimits) -> None:
        self.module_id: Final = f"memories-{number}"
        self.strategy: Final = strategy
        self.caps: Final = caps_of(limits, strategy.applies)
        self._exclusive: Final = _Exclusive(Contents(SearchIndex() if strategy.searches else None))

    def exclusive(self) -> AbstractContextManager[Contents]:
        """The contents, for this block and no other thread: a check and its commit are one step."""
        return self._exclusive


class _Exclusive:
    """Entered by every call; a generator in its place would take longer than what is done inside."""

    def __init__(self, contents: Contents) -> None:
        self._contents: Final = contents
        self._lock: Final = threading.Lock()

    def __enter__(self) -> Contents:
        self._lock.acquire()
        return self._contents

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
