"""Tells a reply that pauses from one that is on its way: by every byte of it, also where none can be shown.

A vendor that has nothing to show yet, since a model thinks or a call is not whole, keeps the line alive with
bytes that mean nothing. So a pause is measured below the client, where that can be.
"""

from collections.abc import AsyncIterator
from contextvars import ContextVar
from typing import Final, cast

import anyio
import httpx2

_CURRENT: Final[ContextVar["Pulse | None"]] = ContextVar("gg_pulse", default=None)


class Pulse:
    """The pulse of one reply. `scope` is canceled when one that has begun pauses for longer than `idle_s`.

    What a reply begins with may take as long as a whole reply may: a model thinks first.
    """

    def __init__(self, idle_s: float) -> None:
        self.scope: Final = anyio.CancelScope()
        self._idle_s: Final = idle_s
        self._has_begun = False

    def begin(self) -> None:
        """Something of the reply is there."""
        self._has_begun = True
        self.beat()

    def beat(self) -> None:
        """Something has arrived."""
        if self._has_begun:
            self.scope.deadline = anyio.current_time() + self._idle_s

    def __enter__(self) -> "Pulse":
        self._token = _CURRENT.set(self)
        self.scope.__enter__()
        return self

    def __exit__(self, *raised: object) -> bool:
        _CURRENT.reset(self._token)
        return bool(self.scope.__exit__(*raised))  # type: ignore[arg-type]  # as it was handed over


async def watch(response: httpx2.Response) -> None:
    """A hook of an HTTP client: each piece of the response is a beat of the reply that it belongs to."""
    pulse = _CURRENT.get()
    if pulse is not None:
        response.stream = _Watched(cast(httpx2.AsyncByteStream, response.stream), pulse)


class _Watched(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, pulse: Pulse) -> None:
        self._stream: Final = stream
        self._pulse: Final = pulse

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._pulse.beat()
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
