"""Connections of clients over HTTP: so many at a time, and none that never asks for anything.

Whoever reaches the address can open connections, with the token or without. What they can use up is bounded
here, so that the agent keeps files and processes for its own.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from host.mcp.bounds import ASKING_S, MAX_CONNECTIONS


class BoundedConnection(H11Protocol):
    """One beyond the bound is closed at once, and one whose first request is not there in time then."""

    _wait: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        else:
            self._wait = self.loop.call_later(ASKING_S, self._close_unasked)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._wait is not None:
            self._wait.cancel()
        super().connection_lost(exc)

    def _close_unasked(self) -> None:
        if self.cycle is None and self.conn.their_state is h11.IDLE:
            self.transport.abort()
