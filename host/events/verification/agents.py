"""Whether what the events say of the agents agrees: who began, what each held and did, how it ended."""

from collections.abc import Iterator
from typing import Final

from host.core.text import counted
from host.events.fold_agents import AgentFold
from host.events.fold_modules import Holding, ModuleFold
from host.events.record_reader import RecordReader
from host.events.stamped import StampedEvent
from host.events.types import (
    AgentEnded,
    AgentModules,
    AgentSpawned,
    AgentTransition,
    Defect,
    HandedModule,
    IssueState,
    MemoryRevision,
    MemoryState,
    OperatorLog,
    RecordKept,
    SessionSummary,
)
from host.events.verification.check import Check, Problems

_OF_ANOTHER: Final = ("inherited", "transferred")  # origins of a store that was there before
_SAME: Final = ("carried", "linked")  # dispositions that keep the store
_OTHER: Final = ("copied", "initialized")  # and those that give another
_OF_RUN: Final = (
    SessionSummary,
    Defect,
    OperatorLog,
    RecordKept,
)  # what may follow an agent's end on its stream


class AgentsCheck:
    """Agents are told of when they begin. Of one that was not, as in events alone, nothing is compared."""

    def __init__(self) -> None:
        self._fold: Final = ModuleFold()
        self._agents: Final = AgentFold()
        self._spawned: Final[set[str]] = set()
        self._ended: Final[set[str]] = set()
        self._is_over = False
        self._stores: Final[set[str]] = set()
        self._named: Final[dict[str, str]] = {}  # agents that an event names, and which does
        self._problems: Final = Problems()

    def add(self, stamped: StampedEvent) -> None:
        where = f"event {stamped.seq}"
        for problem in self._found(stamped):
            self._problems.add(f"{where}: {problem}")
        match stamped.event:
            case AgentSpawned():
                self._spawned.add(stamped.agent_id)
            case AgentEnded():
                self._ended.add(stamped.agent_id)
            case SessionSummary():
                self._is_over = True
            case AgentModules(modules=rows):
                self._stores.update(row.module_id for row in rows if row.module_id)
            case AgentTransition(to=follower):
                self._named[follower] = where
            case IssueState(worker=str(worker)):
                self._named[worker] = where
        self._fold.add(stamped)
        self._agents.add(stamped)

    def conclude(self, reader: RecordReader) -> Check:
        for agent_id, where in self._named.items():
            if agent_id not in self._spawned:
                self._problems.add(f"{where}: there is no agent {agent_id}")
        for agent_id in sorted(self._spawned - self._ended - {self._agents.root}):
            if self._is_over:
                self._problems.add(f"the run has ended, and {agent_id} has not")
        agents = counted(len(self._spawned), "agent")
        return self._problems.as_check("agents", f"{agents}, what each held, how it ended")

    def _found(self, stamped: StampedEvent) -> Iterator[str]:
        agent_id = stamped.agent_id
        if agent_id in self._ended and not isinstance(stamped.event, _OF_RUN):
            yield f"{stamped.event.type} comes after the end of {agent_id}"
        match stamped.event:
            case AgentSpawned(spawner=spawner):
                if agent_id in self._spawned:
                    yield f"{agent_id} began before"
                if spawner is not None and spawner not in self._spawned:
                    yield f"there is no agent {spawner}"
            case AgentModules() as event:
                yield from self._wrong_stores(event)
            case AgentTransition(modules=rows):
                yield from (told for row in rows if (told := _wrong_disposition(row)))
            case MemoryRevision() as revision:
                if agent_id in self._spawned and revision.author != agent_id:
                    yield f"author is {revision.author!r}, not {agent_id!r}"
                yield from self._wrong_hold(agent_id, revision.module_id, access="write")
            case MemoryState() as state:
                access = "write" if state.writable else "read"
                yield from self._wrong_hold(agent_id, state.module_id, access=access, scope=state.scope)
            case SessionSummary(agents=agents) if self._spawned and agents != len(self._spawned):
                yield f"agents is {agents}, not {len(self._spawned)}"

    def _wrong_stores(self, event: AgentModules) -> Iterator[str]:
        """A store that was made for the agent is new; one that was another\'s is not."""
        for row in event.modules:
            if row.module_id is None:
                continue
            if row.origin == "created" and row.module_id in self._stores:
                yield f"{row.module_id} was there before it was created"
            if row.origin in _OF_ANOTHER and row.module_id not in self._stores:
                yield f"{row.module_id} is {row.origin}, and was not there before"

    def _wrong_hold(
        self, agent_id: str, module_id: str, *, access: str, scope: str | None = None
    ) -> Iterator[str]:
        held = self._fold.held(agent_id)
        if held is None:
            return
        if _now(held) != module_id:
            yield f"{agent_id} holds {_now(held) or 'no store'}, not {module_id}"
            return
        if held.access != access:
            yield f"{agent_id} holds {module_id} to {held.access}, not to {access}"
        if scope is not None and held.scope != scope:
            yield f"{agent_id} holds {module_id} under {held.scope}, not under {scope}"


def _wrong_disposition(row: HandedModule) -> str | None:
    stays = row.from_id == row.to_id
    if (row.disposition in _SAME and not stays) or (row.disposition in _OTHER and stays):
        return f"{row.kind} are {row.disposition}, from {row.from_id} to {row.to_id}"
    return None


def _now(held: Holding) -> str | None:
    return held.module_id if held.until is None else None
