"""The stores of one run: numbered as they are made, one for each profile that shares, bound by each agent."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from host.core.errors import HostDefect
from host.events import AgentModule, ModuleOrigin, StartKind
from host.memories.changes import Seat
from host.memories.holder import Access, Holder
from host.memories.limits import MemoryLimits
from host.memories.scopes import ORIGINS, Binding, binding_of
from host.memories.store import MemoryStore
from host.memories.strategies import Strategy


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """An agent that keeps memories, as its profile says.

    `calls` are those that it has if it may write; for one that may not they are taken as the reading ones.
    `must_write` is an agent that records its state there when its window is full.
    """

    profile: str
    agent_id: str
    strategy: Strategy
    scope: str
    limits: MemoryLimits
    calls: Mapping[str, str]
    fields: Mapping[str, str] | None = None
    must_write: bool = False


@dataclass(frozen=True, kw_only=True)
class Start:
    """How the agent was started.

    `offered` is the hold of its spawner, of the agent that it is a copy of, or of its predecessor where that
    is transferred; `None` where that agent keeps no memories.
    """

    kind: StartKind
    offered: Holder | None = None


@dataclass(frozen=True, kw_only=True)
class Bound:
    """What an agent has got. `told` is for a successor that could expect another store than it has got."""

    holder: Holder
    origin: ModuleOrigin
    told: str | None = None

    @property
    def row(self) -> AgentModule:
        """It in the record."""
        return AgentModule(
            kind="memories",
            module_id=self.holder.module_id,
            enabled=True,
            origin=self.origin,
            writable=self.holder.writable,
            scope=self.holder.scope,
        )


class StoreRegistry:
    """Thread-safe. A store stays as long as one of its holders, that of a profile as long as the run."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._count = 0
        self._by_profile: Final[dict[str, MemoryStore]] = {}

    def bind(self, want: Wanted, start: Start) -> Bound:
        """The store that the agent binds by its scope. The hold of a predecessor ends with it.

        Raises `HostDefect` for a store that is organized otherwise than the agent's profile says, unless it
        is a predecessor's: then the agent gets a store of its own. And for one that the agent may only read
        and has to write.
        """
        with self._lock:
            if start.kind == "successor" and start.offered is not None:
                start.offered.leave()
            return self._bound(want, start.kind, start.offered)

    def _bound(self, want: Wanted, kind: StartKind, offered: Holder | None) -> Bound:
        binding = binding_of(kind, want.scope)
        if binding.source == "profile":
            return self._of_profile(want, kind, offered)
        if binding.source == "new" or offered is None:
            return self._created(want)
        if offered.strategy is not want.strategy:
            if kind != "successor":
                raise _defect(want, kind, offered, f"organizes its memories as {want.strategy.name}")
            return self._created(want, told=_of_another_strategy(want, offered))
        if want.must_write and binding.access == "read":
            raise _defect(want, kind, offered, "compacts its window by memory-compaction and may only read")
        return self._handed(want, kind, offered, binding)

    def _created(self, want: Wanted, told: str | None = None) -> Bound:
        store = self._new_store(want)
        return Bound(holder=_holder(want, store, store.join(want.agent_id)), origin="created", told=told)

    def _of_profile(self, want: Wanted, kind: StartKind, offered: Holder | None) -> Bound:
        store = self._by_profile.get(want.profile)
        if store is None:
            store = self._by_profile[want.profile] = self._new_store(want)
        is_surprise = kind == "successor" and offered is not None and offered.store is not store
        return Bound(
            holder=_holder(want, store, store.join(want.agent_id, limits=want.limits)),
            origin="profile",
            told=_of_the_profile(want) if is_surprise else None,
        )

    def _handed(self, want: Wanted, kind: StartKind, offered: Holder, binding: Binding) -> Bound:
        store = offered.store
        if binding.source == "copy":
            store, seat = store.copy(self._next_number(), want.agent_id, of=offered.seat)
        elif kind == "successor":
            seat = store.join(want.agent_id, limits=want.limits)
        else:
            seat = store.join(want.agent_id, copy_of=offered.seat if kind == "fork" else None)
        return Bound(holder=_holder(want, store, seat, binding.access), origin=ORIGINS[kind])

    def _new_store(self, want: Wanted) -> MemoryStore:
        return MemoryStore(number=self._next_number(), strategy=want.strategy, limits=want.limits)

    def _next_number(self) -> int:
        self._count += 1
        return self._count


def _holder(want: Wanted, store: MemoryStore, seat: Seat, access: Access = "write") -> Holder:
    barred = frozenset[str]() if access == "write" else want.strategy.mutating
    return Holder(
        store,
        agent_id=want.agent_id,
        access=access,
        scope=want.scope,
        calls={call: spelling for call, spelling in want.calls.items() if call not in barred},
        fields=want.fields,
        seat=seat,
    )


def _of_another_strategy(want: Wanted, offered: Holder) -> str:
    return (
        f"Your memories start empty. Those of the agent before you are organized as `{offered.strategy.name}`"
        f" and yours as `{want.strategy.name}`, so they could not be handed over."
    )


def _of_the_profile(want: Wanted) -> str:
    return (
        f"Your memories are the ones that all agents of `{want.profile}` share. Those of the agent before you"
        " were not handed over."
    )


def _defect(want: Wanted, kind: StartKind, offered: Holder, clash: str) -> HostDefect:
    return HostDefect(
        "agents",
        f"{want.agent_id}, started as {kind} under scope {want.scope}, {clash};"
        f" {offered.module_id} is held by {offered.agent_id} and organized as {offered.strategy.name}",
        {"agent": want.agent_id, "module_id": offered.module_id},
    )
