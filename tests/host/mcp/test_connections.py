"""Connections over HTTP: how many there may be, and how long one may wait before it asks."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
import uvicorn
from uvicorn.server import ServerState

from host.mcp import connections
from host.mcp.connections import BoundedConnection

Open = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n"


async def answers(scope: object, receive: object, send: Callable[[object], Awaitable[None]]) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def served(act: Callable[[Open], Awaitable[None]]) -> None:
    """Runs `act` beside a server, whose connections are left to it."""

    async def main() -> None:
        config = uvicorn.Config(answers, http=BoundedConnection, ws="none", log_config=None)
        state = ServerState()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: BoundedConnection(config, state, {}), "127.0.0.1", 0)
        writers: list[asyncio.StreamWriter] = []

        async def opened() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writers.append(writer)
            return reader, writer

        async with server:
            await act(opened)
            for writer in writers:
                writer.close()

    asyncio.run(main())


async def is_answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    writer.write(REQUEST + b"\r\n")
    try:
        return (await reader.readline()).startswith(b"HTTP/1.1 204")
    except ConnectionResetError:
        return False


def test_one_beyond_the_bound_is_closed_and_those_before_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 2)

    async def act(opened: Open) -> None:
        one, other = await opened(), await opened()
        assert await is_answered(*one)
        assert not await is_answered(*await opened())
        assert await is_answered(*other)
        one[1].close()
        await one[1].wait_closed()
        while not await is_answered(*await opened()):
            """Until the server has seen that the first one has gone."""

    served(act)


@pytest.mark.parametrize("sent", [b"", REQUEST])
def test_one_that_does_not_ask_in_time_is_closed(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(connections, "ASKING_S", 0.05)

    async def act(opened: Open) -> None:
        reader, writer = await opened()
        writer.write(sent)
        assert await reader.read() == b""

    served(act)
