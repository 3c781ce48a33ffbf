"""What a tool is: something from outside that an agent is given, of Python or of an MCP server."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

LOCAL: Final = "local"
"""The namespace of Python functions."""


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """A picture or a resource of a result, shown as a view. Either `data` or `text` is set.

    `label` names it for the model; `data` are the bytes of a picture of the type `media_type`.
    """

    label: str
    media_type: str
    data: bytes | None = None
    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class ToolOutput:
    """What a call gave. `value` holds JSON values alone; its whole numbers may be of any size."""

    value: object
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One tool, under the name that its source has for it.

    Args:
        namespace: `LOCAL` for Python functions, else the name of the server in the configuration.
        description: as its source wrote it; the first line is its summary.
        parameters: JSON Schema of the one object of arguments.
        returns: JSON Schema of the value of its output; `None` where that is a text.
        bind: checks arguments and gives what `run` takes. Raises `Refusal` `invalid-argument`, naming the
            argument, what it got and what it wants.
        run: makes the call, in an event loop. Raises `Refusal`.
        timeout_s: how long a call may take, seconds.
        is_local: whether it runs in the run's own event loop, as a Python function does.
    """

    namespace: str
    name: str
    description: str
    parameters: Mapping[str, object]
    returns: Mapping[str, object] | None
    bind: Callable[[Mapping[str, object]], object]
    run: Callable[[object], Awaitable[ToolOutput]]
    timeout_s: float
    is_local: bool


@dataclass(frozen=True, kw_only=True)
class TypedTool:
    """A tool with its names and types.

    `identifier` is how a program calls it within its namespace, `native_name` how a reply does that calls
    tools. `signature` is TypeScript, such as `status(args: StatusArgs): Promise<string>`; `declarations` are
    the types that it names, each a whole declaration.
    """

    tool: Tool
    identifier: str
    native_name: str
    signature: str
    declarations: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Namespace:
    """The tools of one source, in its order."""

    name: str
    brief: str
    tools: tuple[TypedTool, ...]
