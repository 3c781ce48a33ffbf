"""Rebuilds every memory store from its revisions, and holds each snapshot against what was rebuilt.

Exactly up to masking: a masked text stands as it was masked, and what is measured of it comes from the
recorded length of the original. Exactly at each event, too, however many agents hold a store: mutations and
snapshots of one store are recorded in the order in which they happened.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from host.core.text import count_lines
from host.events.fold_copies import CopyFold
from host.events.fold_modules import MEMORIES, Holding
from host.events.folded_store import FoldedMemory, FoldedStore, HistoryEntry, Mismatch, StoreOriginal
from host.events.stamped import StampedEvent
from host.events.types import (
    AgentModules,
    AgentTransition,
    HandedModule,
    MemoryPeak,
    MemoryRevision,
    MemoryState,
)

Pair = tuple[str, object, object]
"""What is compared, as recorded and as folded."""

_EMPTY: Final = MemoryPeak(count=0, total_len=0, total_lines=0)
_INDEXED: Final = "markdown"  # the strategy that pins an index


@dataclass
class _Store:
    """A store while it is folded, its totals kept step by step. Memories stand by what tells their names
    apart: those of several may be masked alike.
    """

    memories: dict[str, FoldedMemory] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)
    history: list[HistoryEntry] = field(default_factory=list)
    totals: MemoryPeak = _EMPTY
    index_lines_len: int = 0
    peak: MemoryPeak = _EMPTY
    state: MemoryState | None = None
    copied_from: StoreOriginal | None = None
    is_written: bool = False

    @property
    def index_len(self) -> int:
        return self.index_lines_len + max(0, len(self.memories) - 1)

    def copy(self, copied: StoreOriginal) -> "_Store":
        """Another one of the same contents, revision numbers and peaks, from here on apart."""
        return _Store(
            memories=self.memories.copy(),
            revisions=self.revisions.copy(),
            totals=self.totals,
            index_lines_len=self.index_lines_len,
            peak=self.peak,
            copied_from=copied,
        )

    def put(self, key: str, memory: FoldedMemory | None) -> None:
        """Holds the memory in place of what was there; `None` takes it away."""
        before, after = self.memories.pop(key, None), memory
        if after is not None:
            self.memories[key] = after
        self.totals = MemoryPeak(
            count=len(self.memories),
            total_len=self.totals.total_len + (after.len if after else 0) - (before.len if before else 0),
            total_lines=self.totals.total_lines
            + (after.lines if after else 0)
            - (before.lines if before else 0),
        )
        self.index_lines_len += (after.index_len if after else 0) - (before.index_len if before else 0)
        self.peak = MemoryPeak(
            count=max(self.totals.count, self.peak.count),
            total_len=max(self.totals.total_len, self.peak.total_len),
            total_lines=max(self.totals.total_lines, self.peak.total_lines),
        )


class MemoryFold:
    """Takes events one by one; keeps what the stores hold and who holds them, and unless told otherwise what
    was done.
    """

    def __init__(self, *, keeps_history: bool = True) -> None:
        self._keeps_history: Final = keeps_history
        self._stores: Final[dict[str, _Store]] = {}
        self._copies: Final = CopyFold()

    def add(self, stamped: StampedEvent) -> tuple[Mismatch, ...]:
        """Takes the next event and says where it contradicts those before it. Other types change nothing."""
        for module_id in self._copies.add(stamped):
            original = self._copies.originals[module_id]
            self._stores[module_id] = self._stores.get(original.module_id, _Store()).copy(original)
        match stamped.event:
            case MemoryRevision() as revision:
                store = self._stores.setdefault(revision.module_id, _Store())
                found = _mismatches(
                    stamped.seq, revision.module_id, _revision_pairs(stamped, revision, store)
                )
                if self._keeps_history:
                    store.history.append(HistoryEntry(seq=stamped.seq, at=stamped.at, revision=revision))
                _apply(stamped, revision, store)
                return found
            case MemoryState() as state:
                store = self._stores.setdefault(state.module_id, _Store())
                store.state = state
                return _mismatches(stamped.seq, state.module_id, _state_pairs(stamped, state, store))
            case AgentModules(modules=rows):
                for row in rows:
                    if row.kind == MEMORIES and row.module_id is not None:
                        self._stores.setdefault(row.module_id, _Store())
            case AgentTransition(modules=handed):
                return tuple(self._wrong_copies(stamped, handed))
        return ()

    def stores(self) -> Mapping[str, FoldedStore]:
        """By id, in the order in which the stores first appeared."""
        holders: dict[str, list[Holding]] = {}
        for holding in self._copies.modules.holdings():
            holders.setdefault(holding.module_id, []).append(holding)
        return {
            module_id: _folded_store(module_id, store, tuple(holders.get(module_id, ())))
            for module_id, store in self._stores.items()
        }

    def _wrong_copies(self, stamped: StampedEvent, handed: tuple[HandedModule, ...]) -> Iterator[Mismatch]:
        for row in handed:
            if row.kind == MEMORIES and row.disposition == "copied" and row.to_id is not None:
                original = self._copies.originals.get(row.to_id)
                pair = ("copiedFrom", row.from_id, original.module_id if original else None)
                yield from _mismatches(stamped.seq, row.to_id, iter([pair]))


def fold_memories(events: Iterable[StampedEvent]) -> Mapping[str, FoldedStore]:
    """Every store that the events tell of, as it stands after the last of them."""
    fold = MemoryFold()
    for stamped in events:
        fold.add(stamped)
    return fold.stores()


def _folded_store(module_id: str, store: _Store, holders: tuple[Holding, ...]) -> FoldedStore:
    handed_on = [each for each in holders if each.origin == "transferred"]
    return FoldedStore(
        module_id=module_id,
        copied_from=store.copied_from,
        holders=holders,
        is_shared=len(holders) - len(handed_on) > 1,
        is_handed_on=bool(handed_on),
        is_written=store.is_written,
        memories=dict(_by_names(memory for _, memory in sorted(store.memories.items()))),
        history=tuple(store.history),
        peak=store.peak,
        state=store.state,
    )


def _apply(stamped: StampedEvent, revision: MemoryRevision, store: _Store) -> None:
    store.is_written = True
    key = stamped.told_apart("name", revision.name)
    store.revisions[key] = revision.revision
    store.put(key, None if revision.change == "deleted" else _folded(stamped, revision))


def _folded(stamped: StampedEvent, revision: MemoryRevision) -> FoldedMemory:
    return FoldedMemory(
        name=revision.name,
        description=revision.description,
        body=revision.body,
        code=revision.code,
        on_use=revision.on_use,
        len=revision.len,
        lines=revision.lines,
        revision=revision.revision,
        author=revision.author,
        name_len=_original_len(stamped, "name", revision.name),
        description_len=_original_len(stamped, "description", revision.description),
        masked=tuple(original.field for original in stamped.originals),
    )


def _revision_pairs(stamped: StampedEvent, revision: MemoryRevision, store: _Store) -> Iterator[Pair]:
    name, key = revision.name, stamped.told_apart("name", revision.name)
    held = key in store.memories
    yield f"{name}.revision", revision.revision, store.revisions.get(key, 0) + 1
    if (revision.change == "written") == held:
        yield f"{name}.change", revision.change, "updated" if held else "written"
    yield f"{name}.len", revision.len, _original_len(stamped, "body", revision.body)
    if not any(original.field == "body" for original in stamped.originals):  # a secret may span lines
        yield f"{name}.lines", revision.lines, count_lines(revision.body) if revision.body else 0


def _state_pairs(stamped: StampedEvent, state: MemoryState, store: _Store) -> Iterator[Pair]:
    held = {
        stamped.told_apart(f"memories[{place}].name", entry.name): entry
        for place, entry in enumerate(state.memories)
    }
    yield "count", state.count, store.totals.count
    yield "totalLen", state.total_len, store.totals.total_len
    yield "totalLines", state.total_lines, store.totals.total_lines
    yield "indexLen", state.index_len, store.index_len if state.strategy == _INDEXED else None
    yield "peak", state.peak, store.peak
    # Sorted on both sides: they stand in the order of the slugs before masking.
    yield "memories", sorted(each.name for each in held.values()), sorted(_names(store))
    for key, entry in held.items():
        if (memory := store.memories.get(key)) is not None:
            yield entry.name, entry, memory.as_entry()


def _mismatches(seq: int, module_id: str, pairs: Iterator[Pair]) -> tuple[Mismatch, ...]:
    return tuple(
        Mismatch(seq=seq, module_id=module_id, what=what, recorded=recorded, folded=folded)
        for what, recorded, folded in pairs
        if recorded != folded
    )


def _names(store: _Store) -> Iterator[str]:
    return (memory.name for memory in store.memories.values())


def _by_names(memories: Iterable[FoldedMemory]) -> Iterator[tuple[str, FoldedMemory]]:
    """Each with its name; of names that are masked alike the second is followed by `-2`, and so on."""
    met: Counter[str] = Counter()
    for memory in memories:
        met[memory.name] += 1
        yield memory.name if met[memory.name] == 1 else f"{memory.name}-{met[memory.name]}", memory


def _original_len(stamped: StampedEvent, place: str, text: str) -> int:
    return next((original.length for original in stamped.originals if original.field == place), len(text))
