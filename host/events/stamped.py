"""An event with the place that the log gave it, and who may emit and receive one."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from host.events.types import Event


@dataclass(frozen=True, slots=True)
class Original:
    """What a masked text was: where it stands, its length in code points, and its hash.

    `sha256` is taken over UTF-8 in which a lone surrogate is encoded like any other code point.
    """

    field: str
    length: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPlace:
    """Where an event stands in the record, and when it was written."""

    seq: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StampedEvent:
    """An event as it stands in the record, masked.

    `seq` counts from 1 without a gap over all agents of the run and is the order of events; `at` is the wall
    clock, which may jump, also backwards.
    """

    seq: int
    at: datetime
    run: str
    agent_id: str
    event: Event
    originals: tuple[Original, ...] = ()

    @property
    def masked(self) -> bool:
        """Whether a text of the event was masked."""
        return bool(self.originals)

    def told_apart(self, field: str, text: str) -> str:
        """The text of a field, followed by the hash of what it was where it is masked: others may be masked
        alike.
        """
        original = next((each for each in self.originals if each.field == field), None)
        return text if original is None else f"{text} {original.sha256}"

    @property
    def place(self) -> EventPlace:
        return EventPlace(seq=self.seq, at=self.at)


Subscriber = Callable[[StampedEvent], None]


class EventSink(Protocol):
    """Where events go. An implementation may be called from any thread."""

    def emit(self, event: Event, *, agent_id: str) -> None:
        """Takes an event of the agent. Raises `RecordUnwritable` where it cannot be kept."""
        ...
