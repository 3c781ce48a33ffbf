"""Lets a signal wake the event loop of the main thread, whenever it comes in.

A handler runs between two bytecodes. Where a signal comes in after the last of them and before the loop has
gone to sleep, or another thread is given it, nothing wakes the loop, and the handler waits until something
else does. A byte in a pipe that the loop looks at wakes it in each case.
"""

import os
import signal
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio

_CHUNK_BYTES = 4096


@asynccontextmanager
async def woken_by_signals() -> AsyncIterator[None]:
    """For as long as the block runs; elsewhere than in the main thread, which alone runs handlers, nothing.

    What the block raises leaves it in an `ExceptionGroup`.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _wakeup_pipe() as readable:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_drain, readable)
            yield
            tasks.cancel_scope.cancel()


@contextmanager
def _wakeup_pipe() -> Iterator[int]:
    """The end of a pipe that holds a byte for each signal."""
    readable, writable = os.pipe()
    try:
        os.set_blocking(readable, False)
        os.set_blocking(writable, False)
        before = signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
        try:
            yield readable
        finally:
            signal.set_wakeup_fd(before)
    finally:
        os.close(readable)
        os.close(writable)


async def _drain(readable: int) -> None:
    while True:
        await anyio.wait_readable(readable)
        os.read(readable, _CHUNK_BYTES)
