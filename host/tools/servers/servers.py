"""All servers of a run, in an event loop of their own; for callers in any other thread."""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from host.core.errors import Refusal
from host.tools.model import Tool, ToolOutput
from host.tools.servers.looping import LoopThread
from host.tools.servers.spec import (
    ServersFailed,
    ServersNotInstalled,
    ServerSpec,
    UnusableTool,
    missing_package,
)

if TYPE_CHECKING:
    from host.tools.servers.group import Group

_STOP_S: Final = 10.0
# Of the libraries that speak with servers: what they have to say, the operator is told by gg.
_LOGGERS: Final = ("mcp", "client", "httpx2", "httpcore2")


class Servers:
    """Running servers and their tools. Made by `start`; a context manager that closes."""

    def __init__(self, loop: LoopThread, group: "Group") -> None:
        self._loop: Final = loop
        self._group: Final = group
        self._closing: Final = threading.Lock()
        self._is_closed = False
        self.tools: Final[tuple[Tool, ...]] = group.tools
        """Of each server in turn, in its order."""
        self.unusable: Final[tuple[UnusableTool, ...]] = group.unusable

    @classmethod
    def start(
        cls,
        specs: Iterable[ServerSpec],
        environ: Mapping[str, str],
        *,
        on_log: Callable[[str, str], None] = lambda server, line: None,
    ) -> Self:
        """Starts all of them at once and waits until each has told its tools. Blocks; needs no event loop.

        Args:
            environ: the environment that the named variables, and `PATH` and the like, are taken from.
            on_log: is called with the name of a server and a line for the operator: what it writes to its
                stderr, what it logs, that it was started again. In a thread of its own; must not raise.

        Raises:
            ServersFailed: some could not be started; none is left.
            ServersNotInstalled: a library is missing.
        """
        group_of = _group_type()
        loop = LoopThread("gg-servers")
        try:
            group = loop.begin(
                partial(group_of.start, loop.tasks, tuple(specs), dict(environ), on_log)
            ).result()
        except BaseException:
            loop.stop(patience_s=_STOP_S)
            raise
        if group.failures:
            loop.stop(patience_s=_STOP_S)
            raise ServersFailed(group.failures)
        return cls(loop, group)

    def begin(self, tool: Tool, bound: object) -> "Future[ToolOutput]":
        """Calls a tool with what its `bind` gave; canceling the future cancels the call.

        The future raises `Refusal`.
        """
        try:
            return self._loop.begin(partial(tool.run, bound))
        except RuntimeError:
            refused: Future[ToolOutput] = Future()
            told = f"{tool.namespace}.{tool.name} cannot be called any more: the servers are stopped."
            refused.set_exception(Refusal("io-error", told, kind="tool"))
            return refused

    def call(self, tool: Tool, bound: object) -> ToolOutput:
        """The same, and waits for it; the tool's own time-out ends the waiting. Raises `Refusal`."""
        return self.begin(tool, bound).result()

    def close(self) -> None:
        """Ends every server and whatever is being called. Takes ten seconds at most; does nothing twice."""
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                try:
                    self._loop.begin(self._group.stop).result(_STOP_S)
                finally:
                    self._loop.stop(patience_s=_STOP_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _group_type() -> "type[Group]":
    """Imported when a server is really used: the libraries take most of a second."""
    if (package := missing_package()) is not None:
        raise ServersNotInstalled(package)
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(handler, logging.NullHandler) for handler in logger.handlers):
            logger.addHandler(logging.NullHandler())
    from host.tools.servers.group import Group

    return Group
