"""Holders, limits and drafts with as little said as a test needs."""

from collections.abc import Callable, Mapping

import pytest

from host.memories import (
    Access,
    Holder,
    MemoryDraft,
    MemoryLimits,
    MemoryRefusal,
    MemoryStore,
    Wanted,
    strategy_of,
)

CALLS: Mapping[str, str] = {
    "memories.write_memory": "memories.writeMemory",
    "memories.update_memory": "memories.updateMemory",
    "memories.create_memory": "memories.createMemory",
    "memories.read_memory": "memories.readMemory",
    "memories.edit_memory": "memories.editMemory",
    "memories.search_memories": "memories.searchMemories",
    "memories.delete_memory": "memories.deleteMemory",
}


def limits(**counts: int) -> MemoryLimits:
    """The limits given; the others are lifted."""
    lifted = dict.fromkeys(
        (
            "max_count",
            "max_len_per_memory",
            "max_total_len",
            "max_len_index",
            "max_len_description",
            "max_results",
        ),
        0,
    )
    return MemoryLimits(**lifted | counts)


def store_of(strategy: str, **counts: int) -> MemoryStore:
    return MemoryStore(number=1, strategy=strategy_of(strategy), limits=limits(**counts))


def holder_of(
    store: MemoryStore, *, agent_id: str = "root", access: Access = "write", withheld: tuple[str, ...] = ()
) -> Holder:
    """A holder that has the calls of the store's strategy, less those withheld."""
    offered = store.strategy.calls - {f"memories.{name}" for name in withheld}
    calls = {call: spelling for call, spelling in CALLS.items() if call in offered}
    return Holder(store, agent_id=agent_id, access=access, scope="isolated", calls=calls)


def wanted(
    agent_id: str, *, scope: str = "isolated", strategy: str = "markdown", profile: str = "", **counts: int
) -> Wanted:
    """An agent that wants memories; its profile, unless it is said, is that of its id without the number."""
    return Wanted(
        profile=profile or agent_id.rpartition("-")[0] or agent_id,
        agent_id=agent_id,
        strategy=strategy_of(strategy),
        scope=scope,
        limits=limits(**counts),
        calls={call: CALLS[call] for call in strategy_of(strategy).calls},
    )


def draft(name: str, body: str = "note", **fields: str | None) -> MemoryDraft:
    return MemoryDraft(**{"name": name, "description": "about", "body": body} | fields)


def refusal_of(act: Callable[[], object]) -> MemoryRefusal:
    with pytest.raises(MemoryRefusal) as caught:
        act()
    return caught.value
