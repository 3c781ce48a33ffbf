"""One connection to a server, from its start to its end."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from typing import Final

import anyio
import mcp_types as types
from mcp.client import ClientSession
from mcp.shared.exceptions import MCPError
from mcp_types import UNSUPPORTED_PROTOCOL_VERSION
from pydantic import TypeAdapter

from host.core.text import format_over
from host.tools.servers.bounds import MAX_MESSAGE_BYTES, MAX_PAGES, MAX_TOOLS
from host.tools.servers.fate import Fate, OperatorLog
from host.tools.servers.incoming import Incoming, ReadStream, WriteStream

Result = types.CallToolResult | types.InputRequiredResult
Opening = Callable[[Fate], AbstractAsyncContextManager[tuple[ReadStream, WriteStream]]]

_LISTINGS: Final = 3
_CLIENT: Final = types.Implementation(name="gg", version=version("gg"))
_RESULT: Final[TypeAdapter[Result]] = TypeAdapter(Result)


class Misbehaved(Exception):
    """A server does what the protocol does not have. The message completes a sentence about it."""


class Connection:
    """Runs until the server ends or `fate.end` is called.

    `settled` is set when it is known whether the server could be started; `failure` says why it could not.
    `finished` is set when nothing of it is left.
    """

    def __init__(self, opening: Opening, *, log: OperatorLog, start_timeout_s: float) -> None:
        self._opening: Final = opening
        self._start_timeout_s: Final = start_timeout_s
        self._session: ClientSession | None = None
        self.fate: Final = Fate(log)
        self.settled: Final = anyio.Event()
        self.finished: Final = anyio.Event()
        self.failure: Exception | None = None
        self.tools: tuple[types.Tool, ...] = ()
        self.malformed: Mapping[str, str] = {}
        """Tools that the protocol does not have so, by their names, and why."""

    @property
    def is_open(self) -> bool:
        return self._session is not None and not self.fate.ended.is_set()

    async def run(self) -> None:
        """Never raises: whatever a server does ends its own connection alone."""
        try:
            async with self._opening(self.fate) as (read, write), self._session_over(read, write) as session:
                self._session = session
                self.settled.set()
                await self.fate.ended.wait()
        except Exception as error:
            self.failure = error
        finally:
            self._session = None
            self.fate.end("failed")
            self.finished.set()
            self.settled.set()

    async def call(self, tool: str, arguments: Mapping[str, object]) -> Result:
        """Raises `MCPError` for an error and for a connection that ended, `ValidationError` for no result."""
        if self._session is None:
            raise MCPError(types.CONNECTION_CLOSED, "the connection has ended")
        # Not `call_tool`, which checks a result with a library that fetches what a schema refers to.
        params = types.CallToolRequestParams(name=tool, arguments=dict(arguments))
        return await self._session.send_request(types.CallToolRequest(params=params), _RESULT)

    @asynccontextmanager
    async def _session_over(self, read: ReadStream, write: WriteStream) -> AsyncIterator[ClientSession]:
        incoming = Incoming(read, self.fate)
        async with ClientSession(incoming, write, client_info=_CLIENT) as session:
            with anyio.fail_after(self._start_timeout_s):
                await _shake_hands(session)
                with incoming.sifting(session.protocol_version or "") as self.malformed:
                    self.tools = await _settled_list(session, incoming)
            yield session


async def _shake_hands(session: ClientSession) -> None:
    """The handshake that nearly all servers know; those that know none any more say so."""
    try:
        await session.initialize()
    except MCPError as error:
        if error.code != UNSUPPORTED_PROTOCOL_VERSION:
            raise
        await session.discover()


async def _settled_list(session: ClientSession, incoming: Incoming) -> tuple[types.Tool, ...]:
    """The list of tools; again where a server changes it as it starts, as some do."""
    tools: tuple[types.Tool, ...] = ()
    for _ in range(_LISTINGS):
        changes = incoming.list_changes
        tools = await _list_tools(session)
        if incoming.list_changes == changes:
            break
    return tools


async def _list_tools(session: ClientSession) -> tuple[types.Tool, ...]:
    capabilities = session.server_capabilities
    if capabilities is None or capabilities.tools is None:
        return ()
    tools: list[types.Tool] = []
    size_bytes = 0
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await session.list_tools(
            params=types.PaginatedRequestParams(cursor=cursor) if cursor is not None else None
        )
        tools += page.tools
        size_bytes += len(page.model_dump_json())
        if len(tools) > MAX_TOOLS:
            raise Misbehaved(f"offers more than {MAX_TOOLS:,} tools")
        if size_bytes > MAX_MESSAGE_BYTES:
            raise Misbehaved(f"tells too much of its tools: {format_over(size_bytes, MAX_MESSAGE_BYTES)}")
        cursor = page.next_cursor or None
        if cursor is None:
            return tuple(tools)
    raise Misbehaved(f"lists its tools on more than {MAX_PAGES} pages")
