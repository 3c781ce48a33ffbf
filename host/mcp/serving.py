"""Starts what is served, and the transport in front of it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from host.app import (
    SERVER_VARIABLE,
    RecordBlock,
    Service,
    SkillSessions,
    environment,
    masker_from_environment,
)
from host.core.errors import HostError
from host.events import StampedEvent
from host.launch import LaunchPlan
from host.mcp.library_logs import told_of_libraries

_PACKAGES: Final = ("mcp", "uvicorn")


class McpNotInstalled(HostError):
    """The libraries that speak the protocol are not installed."""

    def __init__(self, missing: str) -> None:
        super().__init__(f"gg mcp needs the package {missing}, which is not installed: pip install 'gg[mcp]'")


class CannotListen(HostError):
    """The address that a server was to listen on cannot be had."""


@dataclass(frozen=True, kw_only=True)
class Serving:
    """What is served.

    Args:
        plan: makes the plan of the agent; called once stdout is the protocol's alone.
        folder: of the agent's records.
        skillbook: the book's file.
        skillbook_root: the folder in which clients may name books; none where they may name none.
        skillbook_scope: whose skills clients are given, besides those for everywhere.
        watch: is told each event of its runs.
        tell: is told, in a line, what an operator has to know besides.
    """

    plan: Callable[[], LaunchPlan]
    folder: Path
    skillbook: Path
    skillbook_root: Path | None = None
    skillbook_scope: str | None = None
    watch: Callable[[StampedEvent], None]
    tell: Callable[[str], None]

    def records(self) -> AbstractContextManager[RecordBlock]:
        """The record store of the user."""
        return closing(RecordBlock(environment(), self.tell))

    def skills(self) -> SkillSessions:
        """The skillbook."""
        environ = environment()
        return SkillSessions(
            self.skillbook,
            root=self.skillbook_root,
            scope=self.skillbook_scope,
            listed=environ.get(SERVER_VARIABLE, ""),
            tell=self.tell,
            mask=masker_from_environment().mask,
        )

    def start(self) -> Service:
        """The agent, ready for its first call."""
        return Service(self.plan(), self.folder, watch=self.watch, tell=self.tell)


def missing_package() -> str | None:
    """The first of the libraries that is not installed."""
    return next((package for package in _PACKAGES if find_spec(package) is None), None)


def serve_stdio(serving: Serving) -> None:
    """Serves the client at the other end of stdin and stdout until it closes stdin, or a signal comes.

    Raises `McpNotInstalled`, and what the start of the agent raises.
    """
    _refuse_missing()
    from host.mcp.server import McpServer
    from host.mcp.stdio import Wire, speak

    with (
        Wire.claimed() as wire,
        told_of_libraries(serving.tell),
        serving.records() as records,
        serving.start() as service,
    ):
        speak(McpServer(service, records, serving.skills(), tell=serving.tell), wire)


def serve_http(
    serving: Serving, *, host: str, port: int, token: str, listening: Callable[[str], None]
) -> None:
    """Serves clients that have the token until a signal comes. `listening` is told the URL.

    Raises as `serve_stdio`, and `CannotListen`.
    """
    _refuse_missing()
    from host.mcp.server import McpServer
    from host.mcp.web import listen

    with told_of_libraries(serving.tell), serving.records() as records, serving.start() as service:
        server = McpServer(service, records, serving.skills(), tell=serving.tell)
        listen(server, host=host, port=port, token=token, listening=listening)


def _refuse_missing() -> None:
    missing = missing_package()
    if missing is not None:
        raise McpNotInstalled(missing)
