"""A window that is rewritten where its agent asks for it, and never else."""

from typing import Final

from host.core.messages import Reply
from host.events import ApiCall
from host.operations import Operation
from host.turn.asking import Asking
from host.turn.modes import Carried
from host.turn.telling import Told
from host.turn.thread import AgentThread


class OnDemand:
    """The compaction of an agent without the capability."""

    def __init__(self, thread: AgentThread) -> None:
        self._thread: Final = thread

    def opened(self) -> None:
        """Whatever it opens with."""

    def resumed(self) -> None:
        """Whatever it goes on with."""

    def answered(self, reply: Reply) -> None:
        """Nothing is measured."""

    def gate(self, operation: Operation) -> None:
        """Nothing waits."""

    def called(self, call: ApiCall) -> None:
        """Nothing is counted."""

    def judged(self, carried: Carried) -> Carried:
        return carried

    async def before_telling(self, told: Told, asking: Asking | None) -> None:
        self._thread.compact_if_due(told.turn)

    def after_telling(self, turn: int) -> None:
        """It may grow."""
