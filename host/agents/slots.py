"""The right to run: so many agents at a time have it, the others get it in the order in which they came."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import anyio


class Slots:
    """Belongs to the event loop's thread. An agent that waits for others gives its slot back meanwhile, so
    that those who wait for one another cannot keep each other from running.
    """

    def __init__(self, most: int) -> None:
        self._free: Final = anyio.CapacityLimiter(most)
        self._taken: Final[set[str]] = set()

    @asynccontextmanager
    async def taken(self, agent_id: str) -> AsyncIterator[None]:
        """A slot of the agent's for as long as the block runs."""
        await self._take(agent_id)
        try:
            yield
        finally:
            self._give_back(agent_id)

    @asynccontextmanager
    async def given_back(self, agent_id: str) -> AsyncIterator[None]:
        """The agent's slot is free for as long as the block runs; afterwards it takes its turn anew, unless a
        stop of the whole run has ended the block.
        """
        self._give_back(agent_id)
        yield
        await self._take(agent_id)

    async def _take(self, agent_id: str) -> None:
        await self._free.acquire_on_behalf_of(agent_id)
        self._taken.add(agent_id)

    def _give_back(self, agent_id: str) -> None:
        """Nothing, where a stop of the whole run has kept the agent from taking one."""
        if agent_id in self._taken:
            self._taken.remove(agent_id)
            self._free.release_on_behalf_of(agent_id)
