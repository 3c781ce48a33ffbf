"""What a whole run came to, folded while its events are shown: its end, and the revisions of its memories.

Keeps no text but those of the memories that are held, however long the run was.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from host.app.runs.revisions import RevisionRow
from host.events import (
    FoldedStore,
    MemoryFold,
    MemoryRevision,
    Mismatch,
    SessionSummary,
    StampedEvent,
)

_MOST_MISMATCHES: Final = 20


@dataclass(frozen=True, kw_only=True)
class StoreOverview:
    """A store, and the revisions of every memory that it ever held, by slug: those of the store that it was
    copied from included.
    """

    store: FoldedStore
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
            memories.setdefault(stamped.event.name, []).append(RevisionRow.of(stamped.event, stamped.place))

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """The first places where a snapshot of a store contradicts its revisions."""
        return tuple(self._mismatches)

    def stores(self) -> tuple[StoreOverview, ...]:
        stores = self._fold.stores()
        return tuple(
            StoreOverview(store=store, revisions=self._revisions(store, stores)) for store in stores.values()
        )

    def _revisions(
        self, store: FoldedStore, stores: Mapping[str, FoldedStore]
    ) -> dict[str, tuple[RevisionRow, ...]]:
        found: dict[str, tuple[RevisionRow, ...]] = {}
        if (copied := store.copied_from) and copied.module_id in stores:
            of_original = self._revisions(stores[copied.module_id], stores)
            before = {
                name: tuple(row for row in rows if row.seq < copied.seq) for name, rows in of_original.items()
            }
            found = {name: rows for name, rows in before.items() if rows}
        for name, rows in self._rows.get(store.module_id, {}).items():
            found[name] = (*found.get(name, ()), *rows)
        return found
