"""Those beside whom an agent runs, as its loop sees them."""

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Final, Protocol


class Company(Protocol):
    """What a loop asks of the team that its agent belongs to."""

    @property
    def is_canceled(self) -> bool:
        """Whether the agent is to end at its next boundary, though the run may go on."""
        ...

    @property
    def hands_over(self) -> bool:
        """Whether the turn that is under way has asked for a successor: nobody will read its window."""
        ...

    def at_work(self) -> AbstractAsyncContextManager[None]:
        """Held while the agent asks its model and carries out the reply; there are so many places."""
        ...

    def reply_failed(self) -> None:
        """The turn is an error: nothing that it has asked for is started."""
        ...

    async def turn_ended(self, turn: int, *, goes_on: bool) -> bool:
        """Starts what the turn has asked for, unless the agent does not go on; whether it was replaced.

        Raises `HostDefect` where what was asked for cannot be built.
        """
        ...


class Alone:
    """The company of an agent that has none."""

    is_canceled: Final = False
    hands_over: Final = False

    def at_work(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    def reply_failed(self) -> None:
        """It has asked for nothing."""

    async def turn_ended(self, turn: int, *, goes_on: bool) -> bool:
        return False
