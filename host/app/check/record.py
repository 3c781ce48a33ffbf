"""The code memories that a session record holds at its end, as what a check takes."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from host.app.check.settings import DEFAULTS, CheckSettings, settings_by_profile
from host.app.check.targets import HeldMemory, Module, Target
from host.core.module_keys import Carrier, KeyTable
from host.events import (
    EVENTS_FILE,
    AgentSpawned,
    AgentSurface,
    CopyFold,
    FoldedMemory,
    FoldedStore,
    MemoryFold,
    MemoryRead,
    MemoryRevision,
    RecordReader,
    SkillRead,
    SkillText,
    StampedEvent,
)
from runtime_js import UnitKind

_HALVES: Final = frozenset({"code", "onUse"})


def leads_to_record(path: Path) -> bool:
    """Whether it is the directory of a session record, or the events of one."""
    return os.path.isfile(record_folder(path) / EVENTS_FILE)


def record_folder(path: Path) -> Path:
    """The directory of the record that `path` is, or is the events of."""
    return path.parent if path.name == EVENTS_FILE else path


def record_targets(path: Path) -> tuple[Target, ...]:
    """Both halves of each code memory, stores in the order in which they appeared, memories by slug.

    All modules of a store may import each other, and those of skills that were read. A half is checked as it
    was for the agent that wrote it. Raises `RecordError`.
    """
    reader = RecordReader(path)
    held = _HeldCode()
    for stamped in reader.events():
        held.add(stamped)
    settings = settings_by_profile(reader, held.surfaces)
    stores = [store for store in held.stores() if _has_code(store)]
    is_alone = len(stores) == 1
    return tuple(
        target for store in stores for target in _targets(path, store, held, settings, is_alone=is_alone)
    )


class _HeldCode:
    """Folds the stores, and beside them what the fold leaves out: keys, the profiles of authors, and what
    those of each profile could call, in `surfaces`.
    """

    def __init__(self) -> None:
        self._fold: Final = MemoryFold(keeps_history=False)
        self._copies: Final = CopyFold()
        self._profiles: Final[dict[str, str]] = {}
        self.surfaces: Final[dict[str, AgentSurface]] = {}
        self._was_read: Final[dict[str, dict[str, None]]] = {}
        self._had_code: Final[dict[str, dict[str, None]]] = {}
        self._skills: Final[dict[str, str]] = {}

    def add(self, stamped: StampedEvent) -> None:
        self._fold.add(stamped)
        for module_id in self._copies.add(stamped):
            original = self._copies.originals[module_id].module_id
            for names in (self._was_read, self._had_code):
                names[module_id] = dict(names.get(original, {}))
        match stamped.event:
            case AgentSpawned(profile=profile):
                self._profiles[stamped.agent_id] = profile
            case AgentSurface() as surface:
                self.surfaces[self._profiles.get(stamped.agent_id, stamped.agent_id)] = surface
            case MemoryRevision() as revision:
                if revision.code or revision.on_use:
                    self._had_code.setdefault(revision.module_id, {})[revision.name] = None
            case SkillRead(name=name, skill=SkillText(code=str(code))):
                self._skills[name] = code
            case MemoryRead(hit=True, module_id=module_id, name=name):
                if name in self._had_code.get(module_id, ()):
                    self._was_read.setdefault(module_id, {})[name] = None

    def stores(self) -> tuple[FoldedStore, ...]:
        return tuple(self._fold.stores().values())

    def keys(self, module_id: str) -> Mapping[str, str]:
        """Slug to key."""
        table = self._table(module_id)
        return {name: table.take(Carrier("memory", name)) for name in self._had_code.get(module_id, ())}

    def skills(self, module_id: str) -> Iterator[Module]:
        """The modules of skills, of which each has the key that it gets after the memories of a store."""
        table = self._table(module_id)
        for name, code in self._skills.items():
            key = table.take(Carrier("skill", name))
            yield Module(key=key, name=f"{key}.ts", source=code)

    def _table(self, module_id: str) -> KeyTable:
        """A key is given as code first loads: at a read where there are reads, else a write."""
        table = KeyTable()
        for name in (*self._was_read.get(module_id, ()), *self._had_code.get(module_id, ())):
            table.take(Carrier("memory", name))
        return table

    def profile(self, memory: FoldedMemory) -> str:
        """The profile of the agent that wrote the latest revision."""
        return self._profiles.get(memory.author, memory.author)


def _targets(
    path: Path, store: FoldedStore, held: _HeldCode, settings: Mapping[str, CheckSettings], *, is_alone: bool
) -> Iterator[Target]:
    keys = held.keys(store.module_id)
    memories = [memory for memory in store.memories.values() if memory.code or memory.on_use]
    modules = (
        *(
            Module(key=keys[memory.name], name=f"{keys[memory.name]}.ts", source=memory.code)
            for memory in memories
            if memory.code
        ),
        *held.skills(store.module_id),
    )
    for memory in memories:
        for kind, name, source in _halves(memory, keys[memory.name]):
            yield Target(
                name=name,
                kind=kind,
                source=source,
                key=keys[memory.name],
                modules=modules,
                settings=settings.get(held.profile(memory), DEFAULTS),
                memory=HeldMemory(
                    record=path,
                    store=store.module_id,
                    is_alone=is_alone,
                    slug=memory.name,
                    revision=memory.revision,
                    masked=not _HALVES.isdisjoint(memory.masked),
                ),
            )


def _has_code(store: FoldedStore) -> bool:
    return any(memory.code or memory.on_use for memory in store.memories.values())


def _halves(memory: FoldedMemory, key: str) -> Iterator[tuple[UnitKind, str, str]]:
    if memory.code:
        yield UnitKind.MODULE, f"{key}.ts", memory.code
    if memory.on_use:
        yield UnitKind.ON_USE, f"{key}.on-use.ts", memory.on_use
