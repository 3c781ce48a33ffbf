"""When a reply counts as pausing: never before its beginning, and never while bytes arrive."""

import math
from collections.abc import AsyncIterator

import anyio
import httpx2
import pytest

from host.providers.models.pulse import Pulse, watch


class Recorder(Pulse):
    def __init__(self) -> None:
        super().__init__(60)
        self.beats = 0

    def beat(self) -> None:
        self.beats += 1
        super().beat()


class Pieces(httpx2.AsyncByteStream):
    def __init__(self) -> None:
        self.is_closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in (b"a", b"b", b"c"):
            yield piece

    async def aclose(self) -> None:
        self.is_closed = True


def test_each_piece_of_a_response_is_a_beat() -> None:
    pieces = Pieces()
    response = httpx2.Response(200, stream=pieces)

    async def read() -> int:
        with Recorder() as pulse:
            await watch(response)
            assert await response.aread() == b"abc"
            return pulse.beats

    assert anyio.run(read) == 3
    assert pieces.is_closed


def test_a_response_that_belongs_to_no_reply_is_left_alone() -> None:
    pieces = Pieces()
    response = httpx2.Response(200, stream=pieces)

    async def look() -> object:
        with Pulse(60):
            pass
        await watch(response)
        return response.stream

    assert anyio.run(look) is pieces


def test_nothing_is_late_before_the_beginning() -> None:
    async def deadlines() -> list[float]:
        with Pulse(60) as pulse:
            seen = [pulse.scope.deadline]
            pulse.beat()
            seen.append(pulse.scope.deadline)
            pulse.begin()
            return [*seen, pulse.scope.deadline - anyio.current_time()]

    before, beaten, begun = anyio.run(deadlines)

    assert (before, beaten) == (math.inf, math.inf)
    assert begun == pytest.approx(60, abs=5)


def test_a_pause_cancels_what_is_awaited() -> None:
    async def wait() -> bool:
        with Pulse(0.001) as pulse:
            pulse.begin()
            await anyio.Event().wait()
        return pulse.scope.cancelled_caught

    assert anyio.run(wait)
