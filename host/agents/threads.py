"""How a thread that carries out a reply does something in the event loop, to which all of a team belongs."""

import math
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import anyio
import anyio.from_thread

from host.core.errors import Refusal

T = TypeVar("T")


def in_loop(call: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Returns or raises what it does. Raises `Refusal` where the run is stopped at once meanwhile."""

    async def unless_stopped() -> T | Refusal:
        # Given, not raised: nobody takes what a task raises in a loop that is shut down, and it would be
        # printed. The thread has its program to end, and can do nothing with a cancellation.
        stopped = Refusal("refused", "The run is being stopped.", kind="canceled")
        if anyio.current_effective_deadline() == -math.inf:
            return stopped  # a task that begins in a scope which was canceled is never told of it
        try:
            return await call()
        except anyio.get_cancelled_exc_class():
            return stopped

    result = anyio.from_thread.run(unless_stopped)
    if isinstance(result, Refusal):
        raise result
    return result
