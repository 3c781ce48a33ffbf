"""What a mode is: it carries out one reply and says what became of it."""

from dataclasses import dataclass, field
from typing import Protocol

from host.turn.outcome import Fault
from host.turn.runner import Times


@dataclass(frozen=True, kw_only=True)
class Carried:
    """A reply that was carried out. `assistant_text` is what the window keeps of it, if anything."""

    assistant_text: str | None
    fault: Fault | None = None
    notices: tuple[tuple[str, str], ...] = ()
    times: Times = field(default_factory=Times)


class Mode(Protocol):
    """Carries out replies for one agent. Blocking; to be called from a thread."""

    def carry_out(self, reply_text: str, *, turn: int) -> Carried: ...

    def ended(self) -> None:
        """The session has ended: tells the operator what was still due and will not be done."""
        ...
