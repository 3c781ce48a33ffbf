"""How an agent waits for others, or for a person: without a slot, and never past what ends it."""

from collections.abc import Callable, Sequence
from typing import Final

import anyio

from host.agents.bell import Bell
from host.agents.posts import Awaited, Post, waits_for_itself
from host.agents.slots import Slots
from host.core.errors import Refusal
from host.turn import RunState


class Waiting:
    """Belongs to the event loop's thread."""

    def __init__(self, *, run: RunState, slots: Slots, bell: Bell) -> None:
        self._run: Final = run
        self._slots: Final = slots
        self._bell: Final = bell

    async def until_ended(self, post: Post, agent_id: str, targets: Sequence[Awaited]) -> None:
        """Returns when all of them have ended. Raises `Refusal` where they cannot, or something else ends the
        wait first.
        """
        if _have_ended(targets):
            return
        if waits_for_itself(post, targets):
            raise Refusal(
                "refused", "That wait would never end: what is waited for waits for you.", kind="circle"
            )
        post.waits_for = tuple(targets)
        try:
            await self.until_due(post, agent_id, lambda: _have_ended(targets))
        finally:
            post.waits_for = ()

    async def until_due(self, post: Post, agent_id: str, is_due: Callable[[], bool]) -> None:
        """Returns when it is due, which is looked at when the bell has rung. Raises `Refusal` where something
        else ends the wait first.
        """
        async with self._slots.given_back(agent_id):
            with self._bell.heard(), anyio.move_on_after(self._run.left_s):
                await self._bell.until(lambda: is_due() or self._is_over(post))
        if not is_due():
            raise self._ended_early(post)

    def _is_over(self, post: Post) -> bool:
        run = self._run
        return run.is_canceled or post.is_canceled or run.latch.defect is not None

    def _ended_early(self, post: Post) -> Refusal:
        if self._run.latch.defect is not None:
            return Refusal("io-error", "The wait was ended: the run is over.", kind="defect")
        if self._is_over(post):
            return Refusal("refused", "The wait was ended: this session is canceled.", kind="canceled")
        limit_s = self._run.ceilings.max_runtime_s
        return Refusal(
            "limit-exceeded",
            f"The wait was ended: the run's time is spent, limit {limit_s:g} s; end the session.",
            kind="run_time",
        )


def _have_ended(targets: Sequence[Awaited]) -> bool:
    return all(target.has_ended for target in targets)
