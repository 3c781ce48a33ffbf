"""A blocking function, called from an event loop in a thread that nothing has to wait for.

A thread of the loop's own pool would keep the process from ending until the function returns.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar

import anyio
from anyio.from_thread import BlockingPortal

T = TypeVar("T")


async def call_in_thread(function: Callable[[], T], *, name: str = "gg-call") -> T:
    """Calls the function and returns or raises what it does. Canceled, it leaves the thread to itself.

    `name` is that of the thread.
    """
    ended: Future[T] = Future()
    async with BlockingPortal() as portal:
        has_ended = anyio.Event()
        context = copy_context()

        def work() -> None:
            try:
                ended.set_result(context.run(function))
            except BaseException as error:
                ended.set_exception(error)
            with suppress(RuntimeError):  # nobody waits any more
                portal.start_task_soon(has_ended.set)

        threading.Thread(target=work, name=name, daemon=True).start()
        await has_ended.wait()
    return ended.result()
