"""Ends the program that runs from outside: somebody who waited for it does so no more."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["Stop"]


class Stop:
    """A request that programs end. Thread-safe.

    Once it was asked for, the program that runs with it ends, and so does each that begins, until `reset`.
    """

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._is_asked = False
        self._end: Callable[[], None] | None = None

    @property
    def is_asked(self) -> bool:
        return self._is_asked

    def ask(self) -> None:
        """Ends what runs. A call of the host's that the program waits in is completed first."""
        with self._lock:
            self._is_asked = True
            if self._end is not None:
                self._end()

    def reset(self) -> None:
        """From here on programs run again."""
        with self._lock:
            self._is_asked = False

    @contextmanager
    def ending(self, end: Callable[[], None]) -> Iterator[None]:
        """While the block runs, `end` is what ends its program; it is called at once where that is due."""
        with self._lock:
            self._end = end
            if self._is_asked:
                end()
        try:
            yield
        finally:
            with self._lock:
                self._end = None
