"""How calls of tools reach Python functions and servers, and what they gave besides their values."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from typing import Final

import anyio
from anyio.from_thread import BlockingPortal

from host.agents import in_loop, run_stopped
from host.core.errors import Refusal
from host.tools import Attachment, Servers, Tool, ToolOutput


class AgentToolbox:
    """Calls the tools of one agent, from any thread but that of the run's event loop.

    Python functions run in that loop, of which `portal` is the way in; servers have one of their own.
    `left_s` says how much is left of the run's time.
    """

    def __init__(
        self, *, portal: BlockingPortal, servers: Servers | None, left_s: Callable[[], float | None]
    ) -> None:
        self._portal: Final = portal
        self._servers: Final = servers
        self._left_s: Final = left_s
        self._lock: Final = threading.Lock()
        self._kept: list[Attachment] = []

    def call(self, tool: Tool, bound: object) -> ToolOutput:
        if tool.is_local:
            return in_loop(self._portal, lambda: self._in_time(tool, bound))
        return self._from_server(tool, bound)

    def keep(self, attachments: tuple[Attachment, ...]) -> None:
        with self._lock:
            self._kept.extend(attachments)

    def take_kept(self) -> tuple[Attachment, ...]:
        with self._lock:
            kept, self._kept = self._kept, []
        return tuple(kept)

    async def _in_time(self, tool: Tool, bound: object) -> ToolOutput:
        with anyio.move_on_after(self._left_s()):
            return await tool.run(bound)
        raise _out_of_time()

    def _from_server(self, tool: Tool, bound: object) -> ToolOutput:
        """Waits in the thread that calls: two loops that wait for one another would do so for ever."""
        assert self._servers is not None, "a tool of a server has one"
        call = self._servers.begin(tool, bound)
        with self._canceled_with_the_run(call):
            try:
                return call.result(self._left_s())
            except TimeoutError as late:
                call.cancel()
                raise _out_of_time() from late
            except CancelledError as stopped:
                raise run_stopped() from stopped

    @contextmanager
    def _canceled_with_the_run(self, call: "Future[ToolOutput]") -> Iterator[None]:
        async def cancel_with_the_run() -> None:
            try:
                await anyio.sleep_forever()
            finally:
                call.cancel()  # nothing, where it has ended

        try:
            watch = self._portal.start_task_soon(cancel_with_the_run)
        except RuntimeError as gone:  # the run has ended, or its loop has
            call.cancel()
            raise run_stopped() from gone
        try:
            yield
        finally:
            watch.cancel()


def _out_of_time() -> Refusal:
    return Refusal("limit-exceeded", "The run's time was spent during the call.", kind="run_time")
