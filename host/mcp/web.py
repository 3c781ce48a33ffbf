"""Clients over streamable HTTP: from this machine alone, with the token, and from no page of another site."""

import hmac
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import anyio
import uvicorn
from anyio.abc import SocketAttribute
from mcp.server.transport_security import TransportSecuritySettings

from host.core.errors import system_reason
from host.mcp.bounds import MAX_MESSAGE_BYTES, MAX_SESSIONS
from host.mcp.connections import BoundedConnection
from host.mcp.server import McpServer
from host.mcp.serving import CannotListen
from host.mcp.signals import stopped_by_signals

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PATH: Final = "/mcp"
_LEAVING_S: Final = 2  # for answers that are under way when the server ends
_AT_ONCE: Final = 128  # connections that are taken before any is looked at
_REFUSED: Final = b"the token is missing or wrong; send the header Authorization: Bearer TOKEN\n"


class TokenGuard:
    """Lets requests through that carry the token, whatever they are for."""

    def __init__(self, app: "ASGIApp", token: str) -> None:
        self._app: Final = app
        self._token: Final = token.encode("ascii")

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] != "http" or self._is_right(scope):
            await self._app(scope, receive, send)
            return
        headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": _REFUSED})

    def _is_right(self, scope: "Scope") -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        scheme, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token)


def listen(server: McpServer, *, host: str, port: int, token: str, listening: Callable[[str], None]) -> None:
    """Serves until a signal comes. `port` 0 is any that is free. Raises `CannotListen`."""
    anyio.run(_listen, server, host, port, token, listening)


async def _listen(
    server: McpServer, host: str, port: int, token: str, listening: Callable[[str], None]
) -> None:
    try:
        bound = await anyio.create_tcp_listener(local_host=host, local_port=port)
    except OSError as error:
        reason = system_reason(error)
        raise CannotListen(f"{host}:{port} cannot be listened on: {reason}; name another --port") from error
    async with bound:
        taken = bound.extra(SocketAttribute.local_port)
        web = _Web(_settings(_app(server, host, taken, token)))
        async with stopped_by_signals(web.stop):
            listening(f"http://{_in_url(host)}:{taken}{PATH}")
            await web.serve(sockets=[bound.listeners[0].extra(SocketAttribute.raw_socket)])


def _app(server: McpServer, host: str, port: int, token: str) -> TokenGuard:
    names = [f"{name}:{port}" for name in dict.fromkeys((_in_url(host), "127.0.0.1", "localhost", "[::1]"))]
    app = server.protocol.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_MESSAGE_BYTES,
        max_sessions=MAX_SESSIONS,
        transport_security=TransportSecuritySettings(
            allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
        ),
    )
    return TokenGuard(app, token)


def _settings(app: TokenGuard) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=BoundedConnection,
        backlog=_AT_ONCE,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_LEAVING_S,
    )


class _Web(uvicorn.Server):
    """One that leaves signals to whoever runs it."""

    def stop(self) -> None:
        """As for a signal: streams that are open see it there, and end."""
        self.handle_exit(signal.SIGTERM, None)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
