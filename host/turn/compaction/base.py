"""What the loop asks for wherever a window may have to be rewritten."""

from typing import Protocol

from host.core.messages import Reply
from host.events import ApiCall
from host.operations import Operation
from host.turn.asking import Asking
from host.turn.endings import AgentStopped
from host.turn.modes import Carried
from host.turn.telling import Told


class CompactionFailed(AgentStopped):
    """The window had to be rewritten and could not be. The run ends under `compaction_failed`."""


class Compaction(Protocol):
    """How the window of one agent is kept in bounds. In the order of a turn:"""

    def opened(self) -> None:
        """Before the first turn. Raises `CompactionFailed` for a window that opens full."""
        ...

    def resumed(self) -> None:
        """In place of `opened`, where the window goes on from that of another agent. Raises
        `CompactionFailed`.
        """
        ...

    def answered(self, reply: Reply) -> None:
        """The window as it stands was answered by this reply, which is not carried out yet."""
        ...

    def gate(self, operation: Operation) -> None:
        """Raises the `Refusal` of a call that has to wait for a compaction."""
        ...

    def called(self, call: ApiCall) -> None:
        """A call was answered."""
        ...

    def judged(self, carried: Carried) -> Carried:
        """What is kept and told of the turn that was carried out."""
        ...

    async def before_telling(self, told: Told, asking: Asking | None) -> None:
        """The messages of the turn are about to be appended.

        `asking` is absent where the session stops here. Raises `CompactionFailed`, and what `ask` raises.
        """
        ...

    def after_telling(self, turn: int) -> None:
        """They were appended, and another turn follows. Raises `CompactionFailed`."""
        ...
