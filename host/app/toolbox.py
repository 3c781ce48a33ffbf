"""How calls of tools reach Python functions and servers, and what they gave besides their values."""

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Final, Protocol

import anyio
from anyio.from_thread import BlockingPortal

from host.core.errors import Refusal
from host.tools import Attachment, Tool, ToolOutput


class ToolServers(Protocol):
    """The servers of a run, in whose own loop their tools are called."""

    def call(self, tool: Tool, bound: object, *, left_s: float | None) -> ToolOutput:
        """Waits for the end of a call. Raises `Refusal`."""
        ...


class AgentToolbox:
    """Calls the tools of one agent, from any thread but that of the run's event loop.

    Python functions run in that loop, of which `portal` is the way in. `left_s` says how much is left of the
    run's time.
    """

    def __init__(
        self, *, portal: BlockingPortal, servers: ToolServers, left_s: Callable[[], float | None]
    ) -> None:
        self._portal: Final = portal
        self._servers: Final = servers
        self._left_s: Final = left_s
        self._lock: Final = threading.Lock()
        self._kept: list[Attachment] = []

    def call(self, tool: Tool, bound: object) -> ToolOutput:
        if not tool.is_local:
            return self._servers.call(tool, bound, left_s=self._left_s())
        try:
            call = self._portal.start_task_soon(self._unless_stopped, tool, bound, self._left_s())
        except RuntimeError as gone:  # the loop has ended
            raise _stopped() from gone
        try:
            result = call.result()
        except CancelledError as stopped:
            raise _stopped() from stopped
        if isinstance(result, Refusal):
            raise result
        return result

    def keep(self, attachments: tuple[Attachment, ...]) -> None:
        with self._lock:
            self._kept.extend(attachments)

    def take_kept(self) -> tuple[Attachment, ...]:
        with self._lock:
            kept, self._kept = self._kept, []
        return tuple(kept)

    async def _unless_stopped(self, tool: Tool, bound: object, left_s: float | None) -> ToolOutput | Refusal:
        # Given, not raised: what a task of the portal raises while the loop is shut down, nobody takes.
        try:
            with anyio.move_on_after(left_s):
                return await tool.run(bound)
        except Refusal as refused:
            return refused
        except anyio.get_cancelled_exc_class():
            return _stopped()
        return Refusal("limit-exceeded", "The run's time was spent during the call.", kind="run_time")


def _stopped() -> Refusal:
    return Refusal("refused", "The run is being stopped.", kind="canceled")
