"""Rebuilds every memory store from its revisions, and holds each snapshot against what was rebuilt.

Exactly up to masking: a masked text stands as it was masked, and what is measured of it comes from the
recorded length of the original.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from host.core.text import count_lines
from host.events.stamped import StampedEvent
from host.events.types import MemoryEntry, MemoryPeak, MemoryRevision, MemoryState

Pair = tuple[str, object, object]
"""What is compared, as recorded and as folded."""

_EMPTY: Final = MemoryPeak(count=0, total_len=0, total_lines=0)
_INDEXED: Final = "markdown"  # the strategy that pins an index


@dataclass(frozen=True, kw_only=True)
class FoldedMemory:
    """A memory as its latest revision left it. `description_len` is that of the text before masking."""

    name: str
    description: str
    body: str
    code: str | None
    on_use: str | None
    len: int
    lines: int
    revision: int
    name_len: int
    description_len: int

    @property
    def index_len(self) -> int:
        """Code points of ``- `slug` — description``, or of ``- `slug` `` where there is no description."""
        return self.name_len + 4 + (self.description_len + 3 if self.description_len else 0)

    def as_entry(self) -> MemoryEntry:
        """The memory as a snapshot has it."""
        return MemoryEntry(
            name=self.name,
            description=self.description,
            len=self.len,
            lines=self.lines,
            code=self.code is not None,
            on_use=self.on_use is not None,
        )


@dataclass(frozen=True, kw_only=True)
class HistoryEntry:
    """One mutation and when it happened."""

    seq: int
    at: datetime
    revision: MemoryRevision


@dataclass(frozen=True, kw_only=True)
class FoldedStore:
    """A store: what it holds, by slug and in the order of slugs, and all that was done to it, in order."""

    module_id: str
    memories: Mapping[str, FoldedMemory]
    history: tuple[HistoryEntry, ...]
    peak: MemoryPeak
    state: MemoryState | None
    """The latest snapshot: strategy, limits, scope."""


@dataclass(frozen=True, kw_only=True)
class Mismatch:
    """What an event says and what the fold of the events before it says instead."""

    seq: int
    module_id: str
    what: str
    recorded: object
    folded: object

    def __str__(self) -> str:
        return (
            f"event {self.seq}, store {self.module_id}: {self.what} is {self.recorded!r}, not {self.folded!r}"
        )


@dataclass
class _Store:
    """A store while it is folded, its totals kept step by step."""

    memories: dict[str, FoldedMemory] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)
    history: list[HistoryEntry] = field(default_factory=list)
    totals: MemoryPeak = _EMPTY
    index_lines_len: int = 0
    peak: MemoryPeak = _EMPTY
    state: MemoryState | None = None

    @property
    def index_len(self) -> int:
        return self.index_lines_len + max(0, len(self.memories) - 1)

    def put(self, name: str, memory: FoldedMemory | None) -> None:
        """Holds the memory under its name in place of what was there; `None` takes it away."""
        before, after = self.memories.pop(name, None), memory
        if after is not None:
            self.memories[name] = after
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
    """Takes events one by one; keeps what the stores hold, and unless told otherwise what was done."""

    def __init__(self, *, keeps_history: bool = True) -> None:
        self._keeps_history: Final = keeps_history
        self._stores: Final[dict[str, _Store]] = {}

    def add(self, stamped: StampedEvent) -> tuple[Mismatch, ...]:
        """Takes the next event and says where it contradicts those before it. Other types change nothing."""
        match stamped.event:
            case MemoryRevision() as revision:
                store = self._stores.setdefault(revision.module_id, _Store())
                pairs = _revision_pairs(stamped, revision, store)
                found = _mismatches(stamped.seq, revision.module_id, pairs)
                if self._keeps_history:
                    store.history.append(HistoryEntry(seq=stamped.seq, at=stamped.at, revision=revision))
                _apply(stamped, revision, store)
                return found
            case MemoryState() as state:
                store = self._stores.setdefault(state.module_id, _Store())
                store.state = state
                return _mismatches(stamped.seq, state.module_id, _state_pairs(state, store))
            case _:
                return ()

    def stores(self) -> Mapping[str, FoldedStore]:
        """By id, in the order in which the stores first appeared."""
        return {
            module_id: FoldedStore(
                module_id=module_id,
                memories=dict(sorted(store.memories.items())),
                history=tuple(store.history),
                peak=store.peak,
                state=store.state,
            )
            for module_id, store in self._stores.items()
        }


def fold_memories(events: Iterable[StampedEvent]) -> Mapping[str, FoldedStore]:
    """Every store that the events tell of, as it stands after the last of them."""
    fold = MemoryFold()
    for stamped in events:
        fold.add(stamped)
    return fold.stores()


def _apply(stamped: StampedEvent, revision: MemoryRevision, store: _Store) -> None:
    store.revisions[revision.name] = revision.revision
    store.put(revision.name, None if revision.change == "deleted" else _folded(stamped, revision))


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
        name_len=_original_len(stamped, "name", revision.name),
        description_len=_original_len(stamped, "description", revision.description),
    )


def _revision_pairs(stamped: StampedEvent, revision: MemoryRevision, store: _Store) -> Iterator[Pair]:
    name = revision.name
    held = name in store.memories
    yield f"{name}.revision", revision.revision, store.revisions.get(name, 0) + 1
    if (revision.change == "written") == held:
        yield f"{name}.change", revision.change, "updated" if held else "written"
    yield f"{name}.len", revision.len, _original_len(stamped, "body", revision.body)
    if not any(original.field == "body" for original in stamped.originals):  # a secret may span lines
        yield f"{name}.lines", revision.lines, count_lines(revision.body) if revision.body else 0


def _state_pairs(state: MemoryState, store: _Store) -> Iterator[Pair]:
    yield "count", state.count, store.totals.count
    yield "totalLen", state.total_len, store.totals.total_len
    yield "totalLines", state.total_lines, store.totals.total_lines
    yield "indexLen", state.index_len, store.index_len if state.strategy == _INDEXED else None
    yield "peak", state.peak, store.peak
    # Sorted on both sides: they stand in the order of the slugs before masking.
    yield "memories", sorted(entry.name for entry in state.memories), sorted(store.memories)
    for entry in state.memories:
        if (memory := store.memories.get(entry.name)) is not None:
            yield entry.name, entry, memory.as_entry()


def _mismatches(seq: int, module_id: str, pairs: Iterator[Pair]) -> tuple[Mismatch, ...]:
    return tuple(
        Mismatch(seq=seq, module_id=module_id, what=what, recorded=recorded, folded=folded)
        for what, recorded, folded in pairs
        if recorded != folded
    )


def _original_len(stamped: StampedEvent, place: str, text: str) -> int:
    return next((original.length for original in stamped.originals if original.field == place), len(text))
