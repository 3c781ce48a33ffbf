"""What a server sends, on its way to the session.

What nobody asked for is counted and goes no further: a session starts a task for each notification, and a
server that sends many would keep the loop busy. Lists of tools are sifted.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, Self

import anyio
from mcp.client._transport import ReadStream as _ReadStream
from mcp.client._transport import WriteStream as _WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from mcp_types.methods import validate_server_result
from pydantic import ValidationError

from host.core.text import escape_line, shortened
from host.tools.servers.bounds import MAX_TOOLS, Flooded, Rate
from host.tools.servers.fate import Fate

Item = SessionMessage | Exception
ReadStream = _ReadStream[Item]
WriteStream = _WriteStream[SessionMessage]

_NAME_CHARS: Final = 100
_REQUEST_WEIGHT: Final = 25
"""Each request is answered: it counts for more than a notification does."""


class Incoming:
    """A stream around the stream of a transport. A server that floods it is cut off."""

    def __init__(self, inner: ReadStream, fate: Fate) -> None:
        self._inner: Final = inner
        self._fate: Final = fate
        self._rate: Final = Rate()
        self._sifting: tuple[str, dict[str, str]] | None = None
        self._has_listed = False
        self.list_changes = 0
        """How often the server said that its list of tools has changed."""

    @contextmanager
    def sifting(self, protocol_version: str) -> Iterator[dict[str, str]]:
        """Takes tools that are none out of the lists that come; gives their names, and why.

        The session would refuse the whole list for one of them.
        """
        malformed: dict[str, str] = {}
        self._sifting = protocol_version, malformed
        try:
            yield malformed
        finally:
            self._sifting = None
            self._has_listed = True

    async def receive(self) -> Item:
        """The next message that the session has to see."""
        while True:
            try:
                item = await self._inner.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError):
                self._fate.end("closed the connection")
                raise
            match item:
                case SessionMessage(message=JSONRPCNotification(method=method, params=params)):
                    self._count(1)
                    self._notice(method, params or {})
                    continue
                case SessionMessage(message=JSONRPCRequest()):
                    self._count(_REQUEST_WEIGHT)
                case SessionMessage(message=JSONRPCResponse(result={"tools": list()}) as message):
                    if self._sifting is not None:
                        message.result = _sifted(message.result, *self._sifting)
                case Exception():
                    self._count(1)
                    self._fate.stray(str(item))
                    continue
            return item

    def _count(self, messages: int) -> None:
        try:
            self._rate.count(anyio.current_time(), messages=messages)
        except Flooded as flood:
            self._fate.end(str(flood), cut=True)
            raise anyio.EndOfStream from flood

    def _notice(self, method: str, params: dict[str, Any]) -> None:
        match method:
            case "notifications/message":
                data = params.get("data")
                text = data if isinstance(data, str) else json.dumps(data)
                self._fate.log.write(f"{params.get('level', 'info')}: {text}")
            case "notifications/tools/list_changed":
                self.list_changes += 1
                if self._has_listed:
                    self._fate.log.write("has other tools now; this run keeps those that it began with")

    @property
    def last_context(self) -> object:
        """The session takes it from the stream that brings it, where there is one."""
        return getattr(self._inner, "last_context", None)

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


def _sifted(result: dict[str, Any], protocol_version: str, malformed: dict[str, str]) -> dict[str, Any]:
    sound = []
    for tool in result["tools"][: MAX_TOOLS + 1]:
        try:
            validate_server_result("tools/list", protocol_version, {**result, "tools": [tool]})
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(step) for step in found["loc"] if step not in ("tools", 0))
            told = f"{place}: {found['msg']}" if place else found["msg"]
            malformed[_name_of(tool)] = f"is not described as a tool has to be: {told}"
        else:
            sound.append(tool)
    return {**result, "tools": sound}


def _name_of(tool: object) -> str:
    name = tool.get("name") if isinstance(tool, dict) else None
    return escape_line(shortened(name, _NAME_CHARS)) if isinstance(name, str) and name else "(without a name)"
