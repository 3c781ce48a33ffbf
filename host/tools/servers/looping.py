"""An event loop in a thread of its own, which other threads have work done in."""

import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Final, TypeVar

import anyio
from anyio.abc import TaskGroup
from anyio.from_thread import BlockingPortal

T = TypeVar("T")


class LoopThread:
    """A daemon thread: a process that ends does not wait for it.

    What runs in `tasks` runs until the loop is stopped.
    """

    def __init__(self, name: str) -> None:
        started: Future[tuple[BlockingPortal, TaskGroup]] = Future()

        async def serve() -> None:
            async with anyio.create_task_group() as tasks:
                async with BlockingPortal() as portal:
                    started.set_result((portal, tasks))
                    await portal.sleep_until_stopped()
                tasks.cancel_scope.cancel()

        def work() -> None:
            try:
                anyio.run(serve)
            except BaseException as error:
                if started.done():
                    raise
                started.set_exception(error)

        self._thread: Final = threading.Thread(target=work, name=name, daemon=True)
        self._thread.start()
        self._portal, self.tasks = started.result()

    def begin(self, function: Callable[[], Awaitable[T]]) -> "Future[T]":
        """Awaits what the function gives, in the loop; canceling the future cancels that.

        Raises `RuntimeError` when the loop was stopped.
        """
        return self._portal.start_task_soon(function)

    def stop(self, *, patience_s: float) -> None:
        """Ends the loop; a loop that does not end in time is left to end with the process."""
        try:
            self._portal.call(self._portal.stop, True)
        except RuntimeError:
            return  # it was stopped before
        self._thread.join(patience_s)
