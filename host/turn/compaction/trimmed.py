"""The window of an agent that is driven from outside, which drops its oldest turns.

Whoever drives it has been shown each message when it was new, so nothing is lost to them; and nobody is there
to write a summary.
"""

from typing import Final

from host.turn.asking import Asking
from host.turn.compaction.on_demand import OnDemand
from host.turn.telling import Told
from host.turn.thread import AgentThread

MOST_TOKENS: Final = 200_000


class Trimmed(OnDemand):
    """Over `most_tokens`, an estimate, so many of the oldest turns are dropped that half of that is left."""

    def __init__(self, thread: AgentThread, *, most_tokens: int = MOST_TOKENS) -> None:
        super().__init__(thread)
        self._most_tokens: Final = most_tokens

    async def before_telling(self, told: Told, asking: Asking | None) -> None:
        await super().before_telling(told, asking)
        self._thread.trim(told.turn, most_tokens=self._most_tokens)
