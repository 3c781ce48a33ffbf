"""How a thread that carries out a reply does something in the event loop, to which all of a team belongs."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import anyio.from_thread

from host.core.errors import Refusal

T = TypeVar("T")


def in_loop(call: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Returns or raises what it does. Raises `Refusal` where the run is stopped at once meanwhile."""

    async def unless_stopped() -> T | Refusal:
        try:
            return await call()
        except anyio.get_cancelled_exc_class():
            # Given, not raised: nobody takes what a task raises in a loop that is shut down, and it would be
            # printed. The thread has its program to end, and can do nothing with a cancellation.
            return Refusal("refused", "The run is being stopped.", kind="canceled")

    result = anyio.from_thread.run(unless_stopped)
    if isinstance(result, Refusal):
        raise result
    return result
