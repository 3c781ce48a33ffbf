"""How calls of tools reach Python functions and servers, and what they gave besides their values."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import anyio
from anyio.from_thread import BlockingPortal

from host.agents import in_loop
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
        return in_loop(self._portal, lambda: self._in_time(tool, bound))

    def keep(self, attachments: tuple[Attachment, ...]) -> None:
        with self._lock:
            self._kept.extend(attachments)

    def take_kept(self) -> tuple[Attachment, ...]:
        with self._lock:
            kept, self._kept = self._kept, []
        return tuple(kept)

    async def _in_time(self, tool: Tool, bound: object) -> ToolOutput:
        with anyio.move_on_after(self._left_s()):
            return await (tool.run(bound) if tool.is_local else self._from_server(tool, bound))
        raise Refusal("limit-exceeded", "The run's time was spent during the call.", kind="run_time")

    async def _from_server(self, tool: Tool, bound: object) -> ToolOutput:
        assert self._servers is not None, "a tool of a server has one"
        has_ended = anyio.Event()
        call = self._servers.begin(tool, bound)

        def tell(_: object) -> None:
            with suppress(RuntimeError):  # nobody waits any more
                self._portal.start_task_soon(has_ended.set)

        call.add_done_callback(tell)
        try:
            await has_ended.wait()
        finally:
            call.cancel()  # nothing, where it has ended
        return call.result()
