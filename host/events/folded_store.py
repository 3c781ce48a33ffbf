"""A memory store as values: what its revisions come to, and where the record contradicts itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from host.events.fold_modules import Holding
from host.events.types import MemoryEntry, MemoryPeak, MemoryRevision, MemoryState


@dataclass(frozen=True, kw_only=True)
class FoldedMemory:
    """A memory as its latest revision left it, which was made by `author`.

    `description_len` is that of the text before masking; `masked` names the fields that were masked.
    """

    name: str
    description: str
    body: str
    code: str | None
    on_use: str | None
    len: int
    lines: int
    revision: int
    author: str
    name_len: int
    description_len: int
    masked: tuple[str, ...]

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
class StoreOriginal:
    """The store that another one was copied from, as it was before the event `seq`."""

    module_id: str
    seq: int


@dataclass(frozen=True, kw_only=True)
class FoldedStore:
    """A store: what it holds, by slug and in the order of slugs, who held it, and all that was done to it.

    `history` is in order, whoever did it; what was done before the store was copied is the original's.
    `is_shared`: several agents hold or held it, not counting those that it was handed on to by a transfer.
    """

    module_id: str
    copied_from: StoreOriginal | None
    holders: tuple[Holding, ...]
    is_shared: bool
    is_handed_on: bool
    is_written: bool
    memories: Mapping[str, FoldedMemory]
    history: tuple[HistoryEntry, ...]
    peak: MemoryPeak
    state: MemoryState | None
    """The latest snapshot, by whichever holder: strategy, limits."""


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
