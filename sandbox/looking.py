"""Whether the ends of a pipe look for an answer for a moment before they sleep.

To be woken costs more than most answers take, so looking pays as long as there is a processor for each end.
Where there are more exchanges than that, it would take the processors from programs that have work. Where
other processes want them, whoever looks waits longer than one who sleeps and is woken first: that is noticed
by yields of the processor that take long, and nobody looks for a while.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["exchange", "pause"]

_LEAST_PAUSE_S: Final = 1.0
_MOST_PAUSE_S: Final = 64.0

_lock: Final = threading.Lock()
_under_way = 0
_paused_until = 0.0
_next_pause_s = _LEAST_PAUSE_S


def pause() -> None:
    """Exchanges that begin in the next second do not look; twice as long each time it is found too early."""
    global _paused_until, _next_pause_s
    with _lock:
        _paused_until = time.monotonic() + _next_pause_s
        _next_pause_s = min(2 * _next_pause_s, _MOST_PAUSE_S)


@contextmanager
def exchange() -> Iterator[bool]:
    """Counts one exchange of this process for as long as it lasts; says whether its two ends may look."""
    global _under_way, _next_pause_s
    with _lock:
        _under_way += 1
        may_look = 2 * _under_way <= _processors() and _is_over()
    try:
        yield may_look
    finally:
        with _lock:
            _under_way -= 1
            if may_look and _is_over():  # it looked, and nobody wanted the processor
                _next_pause_s = _LEAST_PAUSE_S


def _is_over() -> bool:
    return time.monotonic() >= _paused_until


def _processors() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
