"""The record store of one run: opened once, shared by its agents, told at the end what they learned."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from host.app.agent_records import AgentRecords, Mask
from host.app.embedding import record_embedder
from host.app.promoting import Promotion, RunMemory, memories_of_run, promote
from host.app.record_home import init_keys, open_store
from host.core.clock import Clock
from host.core.envelope import Refused
from host.core.text import counted
from host.events import Event, OperatorLog, RecordKept, read_events
from host.launch import (
    AgentPlan,
    LaunchPlan,
    Problem,
    RecordsPlan,
    agents_by_id,
    capabilities_at,
    refusal,
    to_defects,
)
from host.records import RecordKind, Store


class RunRecords:
    """The store, and which agents use it. `told` is what there is to tell the operator as the run begins."""

    def __init__(self, store: Store, *, run: str, mask: Mask, told: Iterable[str] = ()) -> None:
        self._store: Final = store
        self._run: Final = run
        self._mask: Final = mask
        self.told: Final = tuple(told)
        self._agents: Final[dict[str, set[str]]] = defaultdict(set)

    def of(self, plan: AgentPlan, agent_id: str) -> AgentRecords | None:
        """What an agent that begins has of the store, if anything."""
        if plan.records is None:
            return None
        self._agents[plan.id].add(agent_id)
        return AgentRecords(
            self._store,
            run=self._run,
            agent_id=agent_id,
            top_k=plan.records.top_k,
            mask=self._mask,
            embedder=record_embedder() if plan.records.is_hybrid else None,
        )

    def promote(self, plan: LaunchPlan, events: Path) -> Iterator[Event]:
        """Makes records of the memories that the run's agents held last, as their plans say, and says of each
        what became of it. `events` is the file of all that happened. What is refused stops no other one.
        """
        for agent in plan.agents:
            if agent.records is None or not agent.records.promotions:
                continue
            held = memories_of_run(read_events(events), frozenset(self._agents[agent.id]))
            for memory in held:
                kind = _kind_of(memory, agent.records)
                if kind is not None:
                    yield from map(_told, promote(self._store, [memory], kind=kind, mask=self._mask))

    def close(self) -> None:
        """Lets go of the file. Harmless when repeated."""
        self._store.close()


def open_records(
    plan: LaunchPlan, environ: Mapping[str, str], undo: ExitStack, *, run: str, clock: Clock, mask: Mask
) -> RunRecords | None:
    """The store of this user, where an agent of the run has the capability. Its key is made where there is
    none; `undo` closes it. Raises `LaunchRefused` where it cannot be opened.
    """
    first = next((agent for agent in plan.agents if agent.records is not None), None)
    if first is None:
        return None
    try:
        folder, is_new = init_keys(environ)
        store = undo.enter_context(open_store(environ, clock=clock.now))
        told = [f"made a key for the record store, in {folder}"] if is_new else []
        return RunRecords(store, run=run, mask=mask, told=[*told, *_doubts(store)])
    except Refused as refused:
        agent = agents_by_id(plan.document)[first.id]
        path = next(capabilities_at(plan.document, agent, "records"))
        message = f"the record store cannot be used: {refused.code}: {refused.message}"
        problem = Problem(path=(*path, "id"), message=message, found="records")
        raise refusal(to_defects(plan.document, [problem])) from refused


def _doubts(store: Store) -> Iterator[str]:
    """What a first look into the file speaks against it."""
    found = store.recall(limit=1)
    for each in found.evidence:
        yield f"the record store: {each.detail}"
    if found.unreadable:
        were = "was" if found.unreadable == 1 else "were"
        yield (
            f"the record store: {counted(found.unreadable, 'record')} {were} changed outside gg, and not"
            " served; gg records verify says more"
        )


def _kind_of(memory: RunMemory, plan: RecordsPlan) -> RecordKind | None:
    """What a memory becomes: the first rule that takes it says so."""
    return next((rule.kind for rule in plan.promotions if rule.takes(memory.slug)), None)


def _told(promotion: Promotion) -> Event:
    memory, record, refused = promotion.memory, promotion.record, promotion.refused
    if record is not None:
        return RecordKept(
            id=record.id,
            kind=record.kind,
            existed=promotion.existed,
            memory=memory.slug,
            author=memory.agent_id,
        )
    text = f"the memory {memory.slug} was not kept as a record: {refused}"
    return OperatorLog(level="warn", text=text, source="host")
