"""The compiler that the runs of one process share, from the first of them that begins to the last that ends.

Its processes are the largest part of what a run needs, and nothing of one run stays in them that another
could see: each compilation is given all its texts.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from runtime_js import Compiler

__all__ = ["shared_compiler"]

_LEAST_PROCESSES: Final = 2
_MOST_PROCESSES: Final = 8


@contextmanager
def shared_compiler() -> Iterator[Compiler]:
    """Gives the compiler; the last to leave ends its processes. Raises `ToolchainError`."""
    compiler = _SHARED.enter()
    try:
        yield compiler
    finally:
        _SHARED.leave()


class _Shared:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._compiler: Compiler | None = None

    def enter(self) -> Compiler:
        with self._lock:
            compiler = self._compiler = self._compiler or Compiler(processes=_processes())
            self._users += 1
            return compiler

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            unused = None if self._users else self._compiler
            if unused is not None:
                self._compiler = None
        if unused is not None:
            unused.close()

    def forget(self) -> None:
        """After a fork of the host the processes are the old one's; whoever begins here gets others."""
        self._lock = threading.Lock()
        self._users = 0
        self._compiler = None


def _processes() -> int:
    """Of each compiler: as many as can be at work, within reason."""
    return min(max(_LEAST_PROCESSES, os.cpu_count() or 1), _MOST_PROCESSES)


_SHARED: Final = _Shared()
os.register_at_fork(after_in_child=_SHARED.forget)
