"""Tools from outside: typed Python functions and the tools of MCP servers, as modules for programs."""

from host.tools.declarations import described, failures, render_namespaces, summary
from host.tools.model import LOCAL, Attachment, Namespace, Tool, ToolOutput, TypedTool
from host.tools.naming import NamedTool, NameProblem, Names, ToolSource, name_tools
from host.tools.python_failures import ToolFailure
from host.tools.python_functions import python_tool
from host.tools.python_signature import NotATool
from host.tools.servers import (
    LineCutter,
    LongLine,
    ServerFailure,
    Servers,
    ServersFailed,
    ServersNotInstalled,
    ServerSpec,
    UnusableTool,
    missing_package,
    public_part,
)
from host.tools.tool_pages import render_namespace_page, render_page
from host.tools.typed_tools import TypedTools, UntypedTool, type_tools

__all__ = [
    "LOCAL",
    "Attachment",
    "LineCutter",
    "LongLine",
    "NameProblem",
    "NamedTool",
    "Names",
    "Namespace",
    "NotATool",
    "ServerFailure",
    "ServerSpec",
    "Servers",
    "ServersFailed",
    "ServersNotInstalled",
    "Tool",
    "ToolFailure",
    "ToolOutput",
    "ToolSource",
    "TypedTool",
    "TypedTools",
    "UntypedTool",
    "UnusableTool",
    "described",
    "failures",
    "missing_package",
    "name_tools",
    "public_part",
    "python_tool",
    "render_namespace_page",
    "render_namespaces",
    "render_page",
    "summary",
    "type_tools",
]
