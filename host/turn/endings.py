"""The ending that a reply declares. It is a flag: a failure of the reply takes it back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from host.core.errors import HostError
from host.core.text import shortened
from host.events import Ending as EndingEvent
from host.operations import EndingKind

_NOTE_CHARS: Final = 200  # a program may declare an ending ten thousand times, each with megabytes


class AgentStopped(HostError):
    """What ends an agent in the middle of a turn, beside a provider that fails. It is told as a status."""


@dataclass(frozen=True)
class Ending:
    """How a session ended: the ending call, the text it was given, the changes that it requested."""

    kind: EndingKind
    summary: str = ""
    items: tuple[str, ...] = ()

    def as_event(self) -> EndingEvent:
        """It in the record."""
        return EndingEvent(kind=self.kind, summary=self.summary, items=self.items or None)


class EndingFlag:
    """Holds the latest ending declared this turn. `note` tells the operator of one replaced or revoked."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note: Final = note
        self._declared: Ending | None = None

    @property
    def declared(self) -> Ending | None:
        return self._declared

    def declare(self, kind: EndingKind, summary: str = "", items: tuple[str, ...] = ()) -> None:
        if self._declared is not None:
            shown = shortened(summary or "; ".join(items) or kind, _NOTE_CHARS)
            self._note(f"the ending was declared again; the latest counts: {shown}")
        self._declared = Ending(kind, summary, items)

    def revoke(self, why: str) -> bool:
        """Takes back what was declared; whether anything was."""
        was_declared = self._declared is not None
        if was_declared:
            self._note(f"the ending was revoked: {why}")
        self._declared = None
        return was_declared
