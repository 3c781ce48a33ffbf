"""MCP servers for tests: the commands that start them, and their tools by name."""

import sys
from pathlib import Path
from typing import Final

from host.tools.model import Tool, ToolOutput
from host.tools.servers import Servers, ServerSpec

HERE: Final = Path(__file__).parent
ENVIRON: Final = {"PATH": "/usr/bin:/bin"}


def raw_command(*arguments: str) -> tuple[str, ...]:
    """The command of the misbehaving server."""
    return (sys.executable, "-I", "-S", str(HERE / "raw.py"), *arguments)


def raw_spec(
    *arguments: str, name: str = "raw", start_timeout_s: float = 30.0, timeout_s: float = 60.0
) -> ServerSpec:
    """The misbehaving server; it serves at once unless the arguments say otherwise."""
    command = raw_command(*(arguments or ("serve",)))
    return ServerSpec(name=name, command=command, start_timeout_s=start_timeout_s, timeout_s=timeout_s)


def good_spec() -> ServerSpec:
    """The well-behaved server over stdio."""
    return ServerSpec(name="good", command=(sys.executable, "-I", str(HERE / "good.py")))


def tool_of(servers: Servers, name: str, *, server: str | None = None) -> Tool:
    """The tool of that name, of the first server or of the one that is named."""
    return next(tool for tool in servers.tools if tool.name == name and server in (None, tool.namespace))


def call(servers: Servers, name: str, server: str | None = None, **arguments: object) -> ToolOutput:
    """Checks the arguments and makes the call."""
    tool = tool_of(servers, name, server=server)
    return servers.call(tool, tool.bind(arguments))
