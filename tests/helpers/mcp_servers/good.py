"""A well-behaved server, written with the official SDK."""

import base64
import sys
from typing import Any

import mcp_types as types
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

server = MCPServer("good")


class Sum(BaseModel):
    total: int
    parts: list[int]


@server.tool()
def add(a: int, b: int = 0) -> Sum:
    """Adds two numbers.

    The second may be left out.
    """
    return Sum(total=a + b, parts=[a, b])


@server.tool(structured_output=False)
def repeat(text: str, times: int) -> str:
    """Repeats a text."""
    return text * times


@server.tool(structured_output=False)
def picture() -> list[Any]:
    """Two pictures with a text between them."""
    return [Image(data=PICTURE, format="png"), "between", Image(data=PICTURE, format="png")]


@server.tool(structured_output=False)
def documents() -> list[types.ContentBlock]:
    """A resource of text, one of bytes, a link and a sound."""
    return [
        types.EmbeddedResource(
            type="resource",
            resource=types.TextResourceContents(uri="notes://a", mime_type="text/markdown", text="# A"),
        ),
        types.EmbeddedResource(
            type="resource",
            resource=types.BlobResourceContents(
                uri="data://b", mime_type="application/zip", blob=base64.b64encode(b"PK\x03\x04\x00").decode()
            ),
        ),
        types.ResourceLink(
            type="resource_link", uri="file:///c.csv", name="c", description="Numbers", mime_type="text/csv"
        ),
        types.AudioContent(type="audio", data=base64.b64encode(b"RIFF").decode(), mime_type="audio/wav"),
    ]


@server.tool(structured_output=False)
def fail(text: str) -> str:
    """Fails."""
    raise ToolError(text)


@server.tool(structured_output=False)
def meet(pipe: str, mode: str) -> str:
    """Opens a named pipe to read or to write: each of two calls waits for the other."""
    with open(pipe, mode):
        return f"opened to {mode}"


@server.tool(structured_output=False)
async def confide(context: Context) -> str:
    """Tells the operator something, and asks the client for what it does not give."""
    sys.stderr.write("a line on stderr\n")
    sys.stderr.flush()
    await context.session.send_log_message("warning", "a message of the log")
    try:
        await context.session.list_roots()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "it has roots"


if __name__ == "__main__":
    server.run()
