"""Which stores began as copies of others, from the events alone."""

from collections.abc import Iterator
from typing import Final

from host.events.fold_modules import MEMORIES, ModuleFold
from host.events.folded_store import StoreOriginal
from host.events.stamped import StampedEvent
from host.events.types import AgentModules, AgentSpawned, AgentTransition


class CopyFold:
    """Takes events one by one. A store is a copy from where the record first tells of it: as an agent is said
    to be copied, or as the fork tells what it holds.
    """

    def __init__(self) -> None:
        self.modules: Final = ModuleFold()
        self.originals: Final[dict[str, StoreOriginal]] = {}
        """By the id of the copy."""
        self._spawners: Final[dict[str, str]] = {}
        self._known: Final[set[str]] = set()

    def add(self, stamped: StampedEvent) -> tuple[str, ...]:
        """Takes the next event; the ids of stores that are copies, as their originals are before it."""
        copies: tuple[str, ...] = ()
        match stamped.event:
            case AgentSpawned(spawner=str(spawner)):
                self._spawners[stamped.agent_id] = spawner
            case AgentModules() as event:
                copies = tuple(self._held(stamped, event))
            case AgentTransition() as event:
                copies = tuple(self._handed(stamped, event))
        self.modules.add(stamped)
        return copies

    def _held(self, stamped: StampedEvent, event: AgentModules) -> Iterator[str]:
        """A fork's own store, where nothing told of it before, is a copy of what its forker holds."""
        for row in event.modules:
            if row.kind != MEMORIES or row.module_id is None or row.module_id in self._known:
                continue
            self._known.add(row.module_id)
            forker = self._spawners.get(stamped.agent_id, "") if row.origin == "forked" else ""
            if held := self.modules.held(forker, MEMORIES):
                self.originals[row.module_id] = StoreOriginal(module_id=held.module_id, seq=stamped.seq)
                yield row.module_id

    def _handed(self, stamped: StampedEvent, event: AgentTransition) -> Iterator[str]:
        for row in event.modules:
            if row.kind != MEMORIES or row.disposition != "copied" or not (row.from_id and row.to_id):
                continue
            if row.to_id not in self._known:
                self._known.add(row.to_id)
                self.originals[row.to_id] = StoreOriginal(module_id=row.from_id, seq=stamped.seq)
                yield row.to_id
