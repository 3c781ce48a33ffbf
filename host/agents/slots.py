"""The right to run: so many agents at a time have it, the others get it in the order in which they came."""

from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import anyio


class Slots:
    """Belongs to the event loop's thread. An agent that waits for others, or for a person, gives its slot
    back meanwhile, so that those who wait for one another cannot keep each other from running. Several of its
    calls may wait at once: its slot is free until the last of them goes on.
    """

    def __init__(self, most: int) -> None:
        self._free: Final = anyio.CapacityLimiter(most)
        self._taken: Final[set[str]] = set()
        self._waits: Final = Counter[str]()
        self._taking: Final = defaultdict[str, anyio.Lock](anyio.Lock)

    @asynccontextmanager
    async def taken(self, agent_id: str) -> AsyncIterator[None]:
        """A slot of the agent's for as long as the block runs."""
        await self._take(agent_id)
        try:
            yield
        finally:
            self._give_back(agent_id)
            self._taking.pop(agent_id, None)

    @asynccontextmanager
    async def given_back(self, agent_id: str) -> AsyncIterator[None]:
        """The agent's slot is free for as long as the block runs; afterwards it takes its turn anew, unless a
        stop of the whole run has ended the block, or another call of the agent waits still.
        """
        self.begin_wait(agent_id)
        try:
            yield
        except BaseException:
            self._waits[agent_id] -= 1
            raise
        await self.end_wait(agent_id)

    def begin_wait(self, agent_id: str) -> None:
        """Its slot is free from here on."""
        self._waits[agent_id] += 1
        self._give_back(agent_id)

    async def end_wait(self, agent_id: str) -> None:
        """It takes its turn anew, unless another call of it waits still."""
        self._waits[agent_id] -= 1
        await self._take(agent_id)

    async def _take(self, agent_id: str) -> None:
        async with self._taking[agent_id]:  # of several calls that go on at a time, one takes it for all
            if agent_id in self._taken or self._waits[agent_id]:
                return
            await self._free.acquire_on_behalf_of(agent_id)
            self._taken.add(agent_id)
            if self._waits[agent_id]:  # another one began to wait meanwhile
                self._give_back(agent_id)

    def _give_back(self, agent_id: str) -> None:
        """Nothing, where a stop of the whole run has kept the agent from taking one."""
        if agent_id in self._taken:
            self._taken.remove(agent_id)
            self._free.release_on_behalf_of(agent_id)
