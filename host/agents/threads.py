"""How a thread that carries out a reply does something in the event loop, to which all of a team belongs."""

from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

import anyio.from_thread

from host.core.errors import Refusal

T = TypeVar("T")


def in_loop(call: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Returns or raises what it does. Raises `Refusal` where the run is stopped at once meanwhile."""
    try:
        return anyio.from_thread.run(call)
    except CancelledError:
        raise Refusal("refused", "The run is being stopped.", kind="canceled") from None
