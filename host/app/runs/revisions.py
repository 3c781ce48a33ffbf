"""One memory of a run: as it is held, or as one of its revisions left it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from host.app.runs.errors import NotThere
from host.core.text import join_words, nearest, quoted
from host.events import MemoryRevision, MemoryState, RecordReader, StampedEvent

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
    """One revision, without its texts."""

    revision: int
    change: str
    author: str
    turn: int | None
    at: datetime
    len: int

    @classmethod
    def of(cls, event: MemoryRevision, at: datetime) -> "RevisionRow":
        return cls(
            revision=event.revision,
            change=event.change,
            author=event.author,
            turn=event.turn,
            at=at,
            len=event.len,
        )


@dataclass(frozen=True, kw_only=True)
class MemoryOfStore:
    """A memory in one store. `shown` is the revision that was asked for, or the latest.

    `held`: the latest revision is no deletion.
    """

    module_id: str
    strategy: str | None
    scope: str | None
    held: bool
    shown: MemoryRevision
    revisions: tuple[RevisionRow, ...]


def memories_named(events: Iterable[StampedEvent], name: MemoryName) -> tuple[MemoryOfStore, ...]:
    """The memory in each store that ever held it; keeps the texts of one revision. Raises `NotThere`."""
    stores: dict[str, _Store] = {}
    slugs: dict[str, None] = {}
    for stamped in events:
        event = stamped.event
        if isinstance(event, MemoryState):
            stores.setdefault(event.module_id, _Store()).state = event
        elif isinstance(event, MemoryRevision):
            slugs[event.name] = None
            if event.name == name.slug:
                stores.setdefault(event.module_id, _Store()).add(stamped.at, event, name.revision)
    if name.slug not in slugs:
        raise NotThere(_unknown_slug(name.slug, list(slugs)))
    found = {module_id: store for module_id, store in stores.items() if store.rows}
    shown = tuple(store.as_memory(module_id) for module_id, store in found.items() if store.shown)
    if not shown:
        last = max(store.rows[-1].revision for store in found.values())
        there = "there is revision 1 alone" if last == 1 else f"there are 1 to {last}"
        raise NotThere(f"{quoted(name.slug)} has no revision {name.revision}; {there}")
    return shown


def memory_slugs(record: Path) -> list[str]:
    """The slug of every memory that the run ever held. Raises `RecordError`."""
    events = RecordReader(record).events()
    return sorted({each.event.name for each in events if isinstance(each.event, MemoryRevision)})


@dataclass
class _Store:
    state: MemoryState | None = None
    rows: list[RevisionRow] = field(default_factory=list)
    shown: MemoryRevision | None = None

    def add(self, at: datetime, event: MemoryRevision, wanted: int | None) -> None:
        self.rows.append(RevisionRow.of(event, at))
        if wanted in (None, event.revision):
            self.shown = event

    def as_memory(self, module_id: str) -> MemoryOfStore:
        assert self.shown is not None, "asked for where there is one"
        return MemoryOfStore(
            module_id=module_id,
            strategy=self.state.strategy if self.state else None,
            scope=self.state.scope if self.state else None,
            held=self.rows[-1].change != "deleted",
            shown=self.shown,
            revisions=tuple(self.rows),
        )


def _unknown_slug(slug: str, known: list[str]) -> str:
    told = f"there is no memory {quoted(slug)}"
    if not known:
        return f"{told}; the run kept none"
    if near := nearest(slug, known, count=1):
        return f"{told}; did you mean {quoted(near[0])}?"
    shown = [quoted(name) for name in sorted(known)[:_MOST_NAMED]]
    more = [f"{len(known) - len(shown)} more"] if len(known) > len(shown) else []
    return f"{told}; the run kept {join_words([*shown, *more])}"
