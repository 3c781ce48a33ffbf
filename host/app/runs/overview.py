"""What a whole run came to, folded while its events are shown: its end, and the revisions of its memories.

Keeps no text but those of the memories that are held, however long the run was.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from host.app.runs.revisions import RevisionRow
from host.events import (
    FoldedMemory,
    MemoryFold,
    MemoryRevision,
    MemoryState,
    Mismatch,
    SessionSummary,
    StampedEvent,
)

_MOST_MISMATCHES: Final = 20


@dataclass(frozen=True, kw_only=True)
class StoreOverview:
    """A store: what it holds now, and the revisions of every memory that it ever held, by slug."""

    module_id: str
    state: MemoryState | None
    memories: Mapping[str, FoldedMemory]
    revisions: Mapping[str, tuple[RevisionRow, ...]]


class Overview:
    """Takes the events of a run one by one."""

    def __init__(self) -> None:
        self._fold: Final = MemoryFold(keeps_history=False)
        self._rows: Final[dict[str, dict[str, list[RevisionRow]]]] = {}
        self._mismatches: Final[list[Mismatch]] = []
        self.summary: SessionSummary | None = None
        self.events = 0

    def add(self, stamped: StampedEvent) -> None:
        self.events = stamped.seq
        self._mismatches.extend(self._fold.add(stamped)[: _MOST_MISMATCHES - len(self._mismatches)])
        if isinstance(stamped.event, SessionSummary):
            self.summary = stamped.event
        elif isinstance(stamped.event, MemoryRevision):
            memories = self._rows.setdefault(stamped.event.module_id, {})
            memories.setdefault(stamped.event.name, []).append(RevisionRow.of(stamped.event, stamped.at))

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """The first places where a snapshot of a store contradicts its revisions."""
        return tuple(self._mismatches)

    def stores(self) -> tuple[StoreOverview, ...]:
        return tuple(
            StoreOverview(
                module_id=module_id,
                state=store.state,
                memories=store.memories,
                revisions={name: tuple(rows) for name, rows in self._rows.get(module_id, {}).items()},
            )
            for module_id, store in self._fold.stores().items()
        )
