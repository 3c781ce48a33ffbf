"""What a mode is: it carries out one reply and says what became of it."""

from dataclasses import dataclass, field
from typing import Protocol

from host.context import Entry
from host.core.messages import Reply, ToolSpec
from host.turn.outcome import Fault
from host.turn.runner import Times


@dataclass(frozen=True, kw_only=True)
class Carried:
    """A reply that was carried out. `kept` is what the window keeps of it: the model's own message, and the
    answers to the calls in it. Nothing is told of a reply of which nothing is kept.
    """

    kept: tuple[Entry, ...] = ()
    fault: Fault | None = None
    notices: tuple[tuple[str, str], ...] = ()
    times: Times = field(default_factory=Times)


class Mode(Protocol):
    """Carries out replies for one agent. Blocking; to be called from a thread."""

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """What the model is offered with every request."""
        ...

    @property
    def forced_tool(self) -> str:
        """The tool that it has to call; empty where it may choose."""
        ...

    def carry_out(self, reply: Reply, *, turn: int) -> Carried: ...

    def ended(self) -> None:
        """The session has ended: tells the operator what was still due and will not be done."""
        ...
