"""Promotion: memories of a run become records, which outlive it."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from host.core.envelope import Refused
from host.events import CopyFold, MemoryRevision, StampedEvent
from host.records import Record, Store

Mask = Callable[[str], str]


@dataclass(frozen=True, kw_only=True)
class RunMemory:
    """A memory as it is held. `agent_id` and `turn` are of its last revision; one that the host made has no
    turn.
    """

    run: str
    agent_id: str
    turn: int | None
    slug: str
    description: str
    body: str


@dataclass(frozen=True, kw_only=True)
class Promotion:
    """What became of one memory: a record, kept now or before (`existed`), or a refusal."""

    memory: RunMemory
    record: Record | None = None
    existed: bool = False
    refused: Refused | None = None


def promoted_text(description: str, body: str) -> str:
    """The description, an empty line and the body; one alone where the other is blank."""
    return "\n\n".join(part for part in (description.strip(), body.strip()) if part)


def promotion_arguments(
    memory: RunMemory, *, kind: str = "note", tags: Sequence[str] = (), mask: Mask
) -> dict[str, object]:
    """What `Store.put` is given. The writer is the agent, the source the turn in which it wrote; `mask` takes
    secrets out of the text.
    """
    turn = "" if memory.turn is None else f"#{memory.turn}"
    return {
        "text": mask(promoted_text(memory.description, memory.body)),
        "written_by": f"agent:{memory.run}/{memory.agent_id}",
        "source": f"run:{memory.run}{turn}",
        "kind": kind,
        "tags": list(tags),
    }


def promote(
    store: Store, memories: Iterable[RunMemory], *, kind: str = "note", tags: Sequence[str] = (), mask: Mask
) -> Iterator[Promotion]:
    """Puts each memory, and says of each what became of it as soon as it is known. What is refused, such as a
    text that is too long, stops no other one.
    """
    for memory in memories:
        arguments = promotion_arguments(memory, kind=kind, tags=tags, mask=mask)
        try:
            record, envelope = store.put(**arguments)  # type: ignore[arg-type]
        except Refused as refused:
            yield Promotion(memory=memory, refused=refused)
        else:
            yield Promotion(memory=memory, record=record, existed=bool(envelope.fields["existed"]))


def memories_of_run(
    events: Iterable[StampedEvent], agents: Container[str] | None = None
) -> tuple[RunMemory, ...]:
    """The memories that the run's stores hold after the last event, of all stores or of those that one of
    `agents` holds or held. A memory that a store has from the one it was copied from is there once.
    """
    stores = _Stores()
    for stamped in events:
        stores.add(stamped)
    return tuple(stores.held(agents))


class _Stores:
    """The last revision of each memory in each store."""

    def __init__(self) -> None:
        self._copies: Final = CopyFold()
        self._stores: Final[dict[str, dict[str, tuple[StampedEvent, MemoryRevision]]]] = {}

    def add(self, stamped: StampedEvent) -> None:
        for module_id in self._copies.add(stamped):
            original = self._copies.originals[module_id].module_id
            self._stores[module_id] = dict(self._stores.get(original, {}))
        if isinstance(stamped.event, MemoryRevision):
            store = self._stores.setdefault(stamped.event.module_id, {})
            store.pop(stamped.told_apart("name", stamped.event.name), None)
            if stamped.event.change != "deleted":
                store[stamped.told_apart("name", stamped.event.name)] = (stamped, stamped.event)

    def held(self, agents: Container[str] | None) -> Iterator[RunMemory]:
        holdings = self._copies.modules.holdings()
        wanted = {each.module_id for each in holdings if agents is None or each.agent_id in agents}
        seen: set[int] = set()
        for module_id, memories in self._stores.items():
            if agents is not None and module_id not in wanted:
                continue
            for _, (stamped, revision) in sorted(memories.items()):
                if stamped.seq not in seen:
                    seen.add(stamped.seq)
                    yield RunMemory(
                        run=stamped.run,
                        agent_id=revision.author,
                        turn=revision.turn,
                        slug=revision.name,
                        description=revision.description,
                        body=revision.body,
                    )
