"""Servers over streamable HTTP on loopback, in a thread of the test's process."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import anyio.lowlevel
import uvicorn

ANY = {"type": "object", "additionalProperties": True}


@contextmanager
def serving(app: Any, *, path: str = "/mcp") -> Iterator[str]:  # noqa: ANN401 - an ASGI app
    """Serves the app and gives its URL."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)  # from here on connections wait until they are accepted
        config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}{path}"
        finally:
            server.should_exit = True
            thread.join()


class RawApp:
    """A server by hand, for what no library does. Each tool is named after what it does."""

    def __init__(self, *, token: str | None = None, sessions: bool = True) -> None:
        self.token = token
        self.has_sessions = sessions
        self.initialized = 0
        self.notified: list[dict[str, Any]] = []
        self.deleted: list[str] = []
        self.is_notified = threading.Event()
        """Set when a call was canceled."""

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:  # noqa: ANN401
        if scope["type"] == "lifespan":
            while (message := await receive())["type"] != "lifespan.shutdown":
                await send({"type": f"{message['type']}.complete"})
            await send({"type": "lifespan.shutdown.complete"})
            return
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        exchange = Exchange(receive, send)
        if self.token is not None and headers.get("authorization") != self.token:
            await exchange.answer(401, b"no token", "text/plain")
        elif scope["method"] == "DELETE":
            self.deleted.append(headers["mcp-session-id"])
            await exchange.answer(200, b"", "text/plain")
        elif scope["method"] == "GET":
            await exchange.answer(405, b"", "text/plain")
        else:
            await self._post(json.loads(await exchange.body()), headers, exchange)

    async def _post(self, message: dict[str, Any], headers: dict[str, str], exchange: "Exchange") -> None:
        method = message["method"]
        if method == "initialize":
            self.initialized += 1
            session = {"mcp-session-id": f"s{self.initialized}"} if self.has_sessions else {}
            result = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "raw", "version": "1"},
            }
            await exchange.result(message, result, session)
        elif self.has_sessions and headers.get("mcp-session-id") != f"s{self.initialized}":
            await exchange.answer(404, b"no such session", "text/plain")
        elif "id" not in message:
            self.notified.append(message)
            if method == "notifications/cancelled":
                self.is_notified.set()
            await exchange.answer(202, b"", "text/plain")
        elif method == "tools/list":
            tools = [{"name": name, "inputSchema": ANY} for name in TOOLS]
            await exchange.result(message, {"tools": tools})
        else:
            params = message["params"]
            await TOOLS[params["name"]](self, message, params.get("arguments", {}), exchange)


class Exchange:
    """A request and its response."""

    def __init__(self, receive: Any, send: Any) -> None:  # noqa: ANN401
        self.receive = receive
        self.send = send

    async def body(self) -> bytes:
        body, more = b"", True
        while more:
            message = await self.receive()
            body, more = body + message["body"], message["more_body"]
        return body

    async def start(self, status: int, content_type: str, headers: dict[str, str] | None = None) -> None:
        told = {"content-type": content_type, **(headers or {})}
        encoded = [(name.encode(), value.encode()) for name, value in told.items()]
        await self.send({"type": "http.response.start", "status": status, "headers": encoded})

    async def chunk(self, data: bytes, *, more: bool = True) -> None:
        await self.send({"type": "http.response.body", "body": data, "more_body": more})

    async def answer(
        self, status: int, body: bytes, content_type: str, headers: dict[str, str] | None = None
    ) -> None:
        await self.start(status, content_type, headers)
        await self.chunk(body, more=False)

    async def result(
        self, request: dict[str, Any], result: object, headers: dict[str, str] | None = None
    ) -> None:
        body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()
        await self.answer(200, body, "application/json", headers)

    async def gone(self) -> None:
        """Waits until the client has hung up."""
        while (await self.receive())["type"] != "http.disconnect":
            pass


Arguments = dict[str, Any]


def text_result(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


async def echo(app: RawApp, request: Arguments, arguments: Arguments, exchange: Exchange) -> None:
    await exchange.result(request, text_result(arguments["text"]))


async def body(app: RawApp, request: Arguments, arguments: Arguments, exchange: Exchange) -> None:
    """Answers with a status and a body as they are, `ID` standing for the number of the request."""
    text = arguments["body"].replace("ID", json.dumps(request["id"]))
    content_type = arguments.get("type", "application/json")
    await exchange.answer(arguments.get("status", 200), text.encode(), content_type, arguments.get("headers"))


async def hang(app: RawApp, request: Arguments, arguments: Arguments, exchange: Exchange) -> None:
    await exchange.gone()


async def endless_body(app: RawApp, request: Arguments, arguments: Arguments, exchange: Exchange) -> None:
    """Sends until the client hangs up."""
    await exchange.start(200, arguments["type"])
    await exchange.chunk(arguments["begin"].encode())
    again = arguments["again"].encode() * arguments.get("times", 1)
    async with anyio.create_task_group() as tasks:

        async def send() -> None:
            while True:
                await exchange.chunk(again)
                await anyio.lowlevel.checkpoint()

        tasks.start_soon(send)
        await exchange.gone()
        tasks.cancel_scope.cancel()


async def big_event(app: RawApp, request: Arguments, arguments: Arguments, exchange: Exchange) -> None:
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": text_result("x" * arguments["size"])}
    event = f"event: message\ndata: {json.dumps(answer)}\n\n"
    await exchange.answer(200, event.encode(), "text/event-stream")


async def forget(app: RawApp, request: Arguments, arguments: Arguments, exchange: Exchange) -> None:
    """The session is unknown from here on."""
    await exchange.result(request, text_result("who are you?"))
    app.initialized += 100


TOOLS = {tool.__name__: tool for tool in (echo, body, hang, endless_body, big_event, forget)}
