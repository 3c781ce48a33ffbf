"""A sink that keeps events in memory."""

from typing import TypeVar

from host.events import Event

Kind = TypeVar("Kind", bound=Event)


class CapturedEvents:
    """Keeps every event that it is given, in order. Thread-safe: to append is one step."""

    def __init__(self) -> None:
        self._emitted: list[tuple[str, Event]] = []

    def emit(self, event: Event, *, agent_id: str) -> None:
        self._emitted.append((agent_id, event))

    @property
    def emitted(self) -> tuple[tuple[str, Event], ...]:
        """Agent and event, in order."""
        return tuple(self._emitted)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for _, event in self._emitted)

    @property
    def types(self) -> tuple[str, ...]:
        """The events' types as they stand in a record: `("prompt", "model_reply")`."""
        return tuple(event.type for event in self.events)

    def of(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """The events of one type, in order."""
        return tuple(event for event in self.events if isinstance(event, kind))

    def clear(self) -> None:
        """Forgets what was emitted so far."""
        self._emitted.clear()
