"""How a thread that carries out a reply does something in the event loop, to which all of a team belongs."""

import math
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

import anyio
from anyio.from_thread import BlockingPortal

from host.core.errors import Refusal

T = TypeVar("T")


def in_loop(portal: BlockingPortal, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Returns or raises what it does. Raises `Refusal` where the run is stopped at once meanwhile.

    Any thread may do so but that of the loop, into which `portal` is the way.
    """

    async def unless_stopped() -> T | Refusal:
        # Given, not raised: nobody takes what a task raises in a loop that is shut down, and it would be
        # printed. The thread has its program to end, and can do nothing with a cancellation.
        if anyio.current_effective_deadline() == -math.inf:
            return run_stopped()  # a task that begins in a scope which was canceled is never told of it
        try:
            return await call()
        except anyio.get_cancelled_exc_class():
            return run_stopped()

    try:
        begun = portal.start_task_soon(unless_stopped)
    except RuntimeError as gone:  # the team has ended, or its loop has
        raise run_stopped() from gone
    try:
        result = begun.result()
    except CancelledError as stopped:
        raise run_stopped() from stopped
    if isinstance(result, Refusal):
        raise result
    return result


def run_stopped() -> Refusal:
    """Of a call that the stop of the whole run has cut short."""
    return Refusal("refused", "The run is being stopped.", kind="canceled")
