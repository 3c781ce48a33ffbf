"""Whether the ends of a pipe look for an answer for a moment before they sleep.

To be woken costs more than most answers take, so looking pays as long as there is a processor for each end.
Where there are more exchanges than that, it would take the processors from programs that have work.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["LOOK_S", "exchange"]

LOOK_S: Final = 60e-6  # about what it takes to put a thread to sleep and wake it

_lock: Final = threading.Lock()
_under_way = 0


@contextmanager
def exchange() -> Iterator[bool]:
    """Counts one exchange of this process for as long as it lasts; says whether its two ends may look."""
    global _under_way
    with _lock:
        _under_way += 1
        may_look = 2 * _under_way <= _processors()
    try:
        yield may_look
    finally:
        with _lock:
            _under_way -= 1


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
