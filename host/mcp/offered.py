"""A tool that the server offers, and the texts and pictures of its results."""

import base64
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types

from host.core.messages import Image
from host.core.text import join_words, quoted

Block = types.TextContent | types.ImageContent


@dataclass(frozen=True, kw_only=True)
class Offered:
    """`call` takes the arguments as they were sent. Raises `WrongArguments` for those that it cannot use."""

    tool: types.Tool
    call: Callable[[Mapping[str, Any]], Awaitable[types.CallToolResult]]


class WrongArguments(ValueError):
    """Arguments that a tool cannot use; the message is for whoever has sent them."""


def text_block(text: str) -> types.TextContent:
    """A text; a lone surrogate, which no JSON of UTF-8 can carry, is written as its escape."""
    return types.TextContent(type="text", text=encodable(text))


def image_block(image: Image) -> types.ImageContent:
    return types.ImageContent(
        type="image", data=base64.b64encode(image.data).decode("ascii"), mime_type=image.media_type
    )


def encodable(text: str) -> str:
    """The text with lone surrogates as their escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def failed(text: str) -> types.CallToolResult:
    """A call that failed, and why."""
    return types.CallToolResult(content=[text_block(text)], is_error=True)


def one_text(tool: str, arguments: Mapping[str, Any], name: str) -> str:
    """The one argument of a tool, a string. Raises `WrongArguments`."""
    unknown = [each for each in arguments if each != name]
    if unknown:
        raise WrongArguments(
            f"{tool} does not know {join_words(map(quoted, unknown))}; it takes {name} alone"
        )
    if not isinstance(arguments.get(name), str):
        raise WrongArguments(f"{tool} needs {name}, a string")
    return str(arguments[name])
