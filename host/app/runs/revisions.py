"""One memory of a run: as it is held, or as one of its revisions left it."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from host.app.runs.errors import NotThere
from host.core.text import join_words, nearest, quoted
from host.events import CopyFold, EventPlace, MemoryRevision, MemoryState, RecordReader, StampedEvent

_MOST_NAMED: Final = 10
_REVISION: Final = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, kw_only=True)
class MemoryName:
    """A slug and, where one was written, the revision that is meant."""

    slug: str
    revision: int | None = None

    @classmethod
    def parse(cls, text: str) -> "MemoryName":
        """Reads `SLUG` or `SLUG@REV`. Raises `NotThere`."""
        slug, at, revision = text.rpartition("@")
        if not at:
            return cls(slug=text)
        if not (slug and _REVISION.fullmatch(revision)):
            raise NotThere(f"{quoted(text)} is no SLUG@REV: REV is a whole number from 1")
        return cls(slug=slug, revision=int(revision))


@dataclass(frozen=True, kw_only=True)
class RevisionRow:
    """One revision, without its texts, as the event `seq` has it."""

    seq: int
    revision: int
    change: str
    author: str
    turn: int | None
    at: datetime
    len: int

    @classmethod
    def of(cls, event: MemoryRevision, place: EventPlace) -> "RevisionRow":
        return cls(
            seq=place.seq,
            revision=event.revision,
            change=event.change,
            author=event.author,
            turn=event.turn,
            at=place.at,
            len=event.len,
        )


@dataclass(frozen=True, kw_only=True)
class MemoryOfStore:
    """A memory in one store. `shown` is the revision that was asked for, or the latest; those from before the
    store was copied are revisions of the original.

    `held`: the latest revision is no deletion. `holders` are the agents that hold the store or held it.
    """

    module_id: str
    holders: tuple[str, ...]
    strategy: str | None
    scope: str | None
    held: bool
    shown: MemoryRevision
    revisions: tuple[RevisionRow, ...]


def memories_named(
    events: Iterable[StampedEvent], name: MemoryName, agents: Container[str] | None = None
) -> tuple[MemoryOfStore, ...]:
    """The memory in each store that ever held it, or in those alone that one of `agents` holds or held.

    Keeps the texts of one revision of each. Raises `NotThere`.
    """
    stores, slugs = _Stores(name), dict[str, None]()
    for stamped in events:
        stores.add(stamped)
        if isinstance(stamped.event, MemoryRevision):
            slugs[stamped.event.name] = None
    found = stores.found(agents)
    if not found:
        raise NotThere(_of_others(name.slug) if name.slug in slugs else _unknown_slug(name.slug, list(slugs)))
    shown = tuple(memory for store in found if (memory := store.as_memory()))
    if not shown:
        last = max(store.rows[-1].revision for store in found)
        there = "there is revision 1 alone" if last == 1 else f"there are 1 to {last}"
        raise NotThere(f"{quoted(name.slug)} has no revision {name.revision}; {there}")
    return shown


def memory_slugs(record: Path) -> list[str]:
    """The slug of every memory that the run ever held. Raises `RecordError`."""
    events = RecordReader(record).events()
    return sorted({each.event.name for each in events if isinstance(each.event, MemoryRevision)})


@dataclass
class _Store:
    module_id: str
    holders: dict[str, None] = field(default_factory=dict)
    state: MemoryState | None = None
    rows: list[RevisionRow] = field(default_factory=list)
    shown: MemoryRevision | None = None

    def as_memory(self) -> MemoryOfStore | None:
        """The memory, where it has the revision that was asked for."""
        if self.shown is None:
            return None
        return MemoryOfStore(
            module_id=self.module_id,
            holders=tuple(self.holders),
            strategy=self.state.strategy if self.state else None,
            scope=self.state.scope if self.state else None,
            held=self.rows[-1].change != "deleted",
            shown=self.shown,
            revisions=tuple(self.rows),
        )


class _Stores:
    """What became of one memory in each store."""

    def __init__(self, name: MemoryName) -> None:
        self._name: Final = name
        self._copies: Final = CopyFold()
        self._stores: Final[dict[str, _Store]] = {}

    def add(self, stamped: StampedEvent) -> None:
        for module_id in self._copies.add(stamped):
            original = self._store(self._copies.originals[module_id].module_id)
            self._stores[module_id] = _Store(module_id, rows=list(original.rows), shown=original.shown)
        match stamped.event:
            case MemoryState() as state:
                self._store(state.module_id).state = state
            case MemoryRevision() as revision if revision.name == self._name.slug:
                store = self._store(revision.module_id)
                store.rows.append(RevisionRow.of(revision, stamped.place))
                if self._name.revision in (None, revision.revision):
                    store.shown = revision

    def found(self, agents: Container[str] | None) -> list[_Store]:
        """The stores that ever held it."""
        for holding in self._copies.modules.holdings():
            self._store(holding.module_id).holders[holding.agent_id] = None
        return [store for store in self._stores.values() if store.rows and _is_of(store, agents)]

    def _store(self, module_id: str) -> _Store:
        return self._stores.setdefault(module_id, _Store(module_id))


def _is_of(store: _Store, agents: Container[str] | None) -> bool:
    return agents is None or any(agent_id in agents for agent_id in store.holders)


def _of_others(slug: str) -> str:
    return f"no store of these agents ever held {quoted(slug)}; leave --agent out to look into all"


def _unknown_slug(slug: str, known: list[str]) -> str:
    told = f"there is no memory {quoted(slug)}"
    if not known:
        return f"{told}; the run kept none"
    if near := nearest(slug, known, count=1):
        return f"{told}; did you mean {quoted(near[0])}?"
    shown = [quoted(name) for name in sorted(known)[:_MOST_NAMED]]
    more = [f"{len(known) - len(shown)} more"] if len(known) > len(shown) else []
    return f"{told}; the run kept {join_words([*shown, *more])}"
