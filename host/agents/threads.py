"""How a thread that carries out a reply does something in the event loop, to which all of a team belongs."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import anyio.from_thread

from host.core.errors import Refusal

T = TypeVar("T")


def in_loop(call: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Returns or raises what it does. Raises `Refusal` where the run is stopped at once meanwhile."""

    async def unless_stopped() -> T:
        try:
            return await call()
        except anyio.get_cancelled_exc_class():  # of no use to the thread, which has its program to end
            raise Refusal("refused", "The run is being stopped.", kind="canceled") from None

    return anyio.from_thread.run(unless_stopped)
