"""The entry point for clients of the Model Context Protocol, over stdio and over streamable HTTP.

    serve_stdio(Serving(plan=served_plan(None), folder=Path(".gg/mcp"), watch=watch, tell=tell))

The libraries that speak the protocol are imported when a server is started.
"""

from host.mcp.serving import McpNotInstalled, Serving, missing_package, serve_http, serve_stdio
from host.mcp.tokens import HttpToken, TokenUnusable, token_of

__all__ = [
    "HttpToken",
    "McpNotInstalled",
    "Serving",
    "TokenUnusable",
    "missing_package",
    "serve_http",
    "serve_stdio",
    "token_of",
]
