"""MCP servers as sources of tools: processes over stdio and servers over streamable HTTP.

    with Servers.start([ServerSpec(name="git", command=("mcp-server-git",))], environ) as servers:
        status = servers.tools[0]
        output = servers.call(status, status.bind({"repo_path": "."}))

The libraries that speak with them are imported when the first one is started.
"""

from host.tools.servers.lines import LineCutter, LongLine
from host.tools.servers.servers import Servers
from host.tools.servers.spec import (
    ServerFailure,
    ServersFailed,
    ServersNotInstalled,
    ServerSpec,
    UnusableTool,
    missing_package,
    public_part,
)

__all__ = [
    "LineCutter",
    "LongLine",
    "ServerFailure",
    "ServerSpec",
    "Servers",
    "ServersFailed",
    "ServersNotInstalled",
    "UnusableTool",
    "missing_package",
    "public_part",
]
