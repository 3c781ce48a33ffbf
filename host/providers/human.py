"""A person in the model's place."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from host.core.errors import PersonLeft
from host.core.messages import Reply, ToolCall
from host.core.threads import call_in_thread
from host.providers.base import ModelRequest


@dataclass(frozen=True, kw_only=True)
class TypedCall:
    """A call of a tool that a person asks for. `arguments` is JSON text."""

    name: str
    arguments: str


Ask = Callable[[ModelRequest], "str | tuple[TypedCall, ...] | None"]
"""Shows a person what a model would be sent, and gives what they answer, a text or calls of the tools that
are offered; `None` when they leave. Blocking.
"""


class HumanProvider:
    """Asks one person for each reply. Where a tool is forced, what they write is its argument."""

    def __init__(self, ask: Ask) -> None:
        self._ask: Final = ask
        self._asked = 0

    async def reply(self, request: ModelRequest) -> Reply:
        """Raises `PersonLeft`."""
        self._asked += 1
        written = await call_in_thread(lambda: self._ask(request))
        if written is None:
            raise PersonLeft("whoever wrote the replies has left")
        if isinstance(written, str):
            if not request.forced_tool:
                return Reply(text=written)
            arguments = json.dumps({_argument_of(request): written}, ensure_ascii=False)
            written = (TypedCall(name=request.forced_tool, arguments=arguments),)
        return Reply(
            tool_calls=tuple(
                ToolCall(id=f"call_{self._asked}_{place}", name=call.name, arguments=call.arguments)
                for place, call in enumerate(written, start=1)
            )
        )


def _argument_of(request: ModelRequest) -> str:
    """The one argument that the forced tool requires."""
    tool = next(tool for tool in request.tools if tool.name == request.forced_tool)
    (required,) = json.loads(tool.parameters)["required"]
    return str(required)
