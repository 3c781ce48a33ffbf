"""A blocking function, called from an event loop in a thread that nothing has to wait for.

A thread of the loop's own pool would keep the process from ending until the function returns.
"""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from contextvars import Context, copy_context
from typing import TypeVar

import anyio
from anyio.from_thread import BlockingPortal

T = TypeVar("T")


def _outside_of_loops() -> Context:
    """The context of who calls, copied, less that a loop runs there: a function may run one in its thread.

    Whether one runs is noted by the package sniffio, where something has imported that.
    """
    context = copy_context()
    sniffio = sys.modules.get("sniffio")
    if sniffio is not None:
        context.run(sniffio.current_async_library_cvar.set, None)
    return context


async def call_in_thread(function: Callable[[], T], *, name: str = "gg-call") -> T:
    """Calls the function and returns or raises what it does. Canceled, it leaves the thread to itself.

    `name` is that of the thread.
    """
    ended: Future[T] = Future()
    async with BlockingPortal() as portal:
        has_ended = anyio.Event()
        context = _outside_of_loops()

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
