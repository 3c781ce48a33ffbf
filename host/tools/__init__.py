"""Tools from outside: typed Python functions and the tools of MCP servers, as modules for programs."""

from host.tools.model import Attachment, Namespace, Tool, ToolOutput, TypedTool

__all__ = ["Attachment", "Namespace", "Tool", "ToolOutput", "TypedTool"]
