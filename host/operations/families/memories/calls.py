"""What carries out the memory calls.

A write is checked, compiled and committed in that order, so a refused one leaves no trace. Under a strategy
whose memories are in the window from the moment they exist, the code loads on the write; otherwise on the
read.
"""

from collections.abc import Callable
from dataclasses import asdict
from typing import Protocol

from host.core.errors import Refusal
from host.memories import Holder, Memory, MemoryDraft, MemoryRefusal, Mutation
from host.operations.families.memories.halves import Halves, halves_of
from host.operations.families.memories.recording import report_read, report_revision, report_search
from host.operations.families.memories.shapes import (
    DeleteArguments,
    MemoryHit,
    MemoryHits,
    MemoryUsage,
    ReadArguments,
    SearchArguments,
)
from host.operations.services import Caller, PreparedHalves


class Draft(Protocol):
    """Arguments that give a whole memory, under whichever names."""

    def draft(self) -> MemoryDraft: ...


class Replacement(Draft, Protocol):
    """Arguments that give what is to stand in a memory's place."""

    @property
    def expected_revision(self) -> int | None: ...


class Edit(Protocol):
    """Arguments that give one place of a body, and what is to stand there."""

    @property
    def name(self) -> str: ...
    @property
    def search(self) -> str: ...
    @property
    def replace(self) -> str: ...
    @property
    def expected_revision(self) -> int | None: ...


def write_memory(caller: Caller, arguments: Draft) -> MemoryUsage:
    holder, halves = holder_of(caller), halves_of(caller)
    draft = holder.check_write(arguments.draft())
    prepared = halves.prepare_write(draft)
    usage = _committed(caller, lambda: holder.commit_write(draft, turn=caller.turn))
    _load(halves, prepared, draft)
    return usage


def update_memory(caller: Caller, arguments: Replacement) -> MemoryUsage:
    holder, halves, expected = holder_of(caller), halves_of(caller), arguments.expected_revision
    draft = holder.check_update(arguments.draft(), expected_revision=expected, keeps_code=halves.keeps_code)
    prepared = halves.prepare_write(draft)
    usage = _committed(
        caller,
        lambda: holder.commit_update(
            draft, expected_revision=expected, keeps_code=halves.keeps_code, turn=caller.turn
        ),
    )
    _load(halves, prepared, draft)
    return usage


def create_memory(caller: Caller, arguments: Draft) -> MemoryUsage:
    holder = holder_of(caller)
    draft = holder.check_write(arguments.draft())
    halves_of(caller).check(draft)
    return _committed(caller, lambda: holder.create(draft, turn=caller.turn))


def read_memory(caller: Caller, arguments: ReadArguments) -> str:
    holder, halves = holder_of(caller), halves_of(caller)
    try:
        memory = holder.read(arguments.name)
    except MemoryRefusal as refusal:
        if refusal.code == "not-found":
            halves.unload(arguments.name.strip())
            report_read(caller, holder, refusal.name, hit=False)
        raise
    prepared = halves.prepare_read(memory)
    report_read(caller, holder, memory.name, hit=True)
    _load(halves, prepared, memory)
    problems = prepared.problems if prepared else ""
    return f"{memory.body}\n\n----\n{problems}" if problems else memory.body


def edit_memory(caller: Caller, arguments: Edit) -> MemoryUsage:
    """The body alone: code that is loaded stays as it is."""
    holder = holder_of(caller)
    return _committed(
        caller,
        lambda: holder.edit(
            arguments.name,
            arguments.search,
            arguments.replace,
            expected_revision=arguments.expected_revision,
            turn=caller.turn,
        ),
    )


def delete_memory(caller: Caller, arguments: DeleteArguments) -> MemoryUsage:
    holder, name = holder_of(caller), arguments.name.strip()
    usage = _committed(
        caller,
        lambda: holder.delete(name, expected_revision=arguments.expected_revision, turn=caller.turn),
    )
    halves_of(caller).unload(name)
    return usage


def search_memories(caller: Caller, arguments: SearchArguments) -> MemoryHits:
    holder = holder_of(caller)
    found = holder.search(arguments.keywords)
    report_search(caller, holder, found)
    return MemoryHits(hits=[MemoryHit(**asdict(hit)) for hit in found.hits], total=found.total)


def holder_of(caller: Caller) -> Holder:
    """The memories of the agent that calls. Raises `Refusal` `unavailable` where it keeps none."""
    if caller.holder is None:
        raise Refusal("unavailable", "This agent keeps no memories.", kind="no_memories")
    return caller.holder


def _committed(caller: Caller, mutate: Callable[[], Mutation]) -> MemoryUsage:
    """Makes a mutation and records it, before another of its store can be recorded.

    The state that follows is reported once, when the program has ended.
    """
    holder = holder_of(caller)
    with holder.in_order():
        mutation = mutate()
        report_revision(caller, holder, mutation.revision)
    return MemoryUsage(**asdict(mutation.usage))


def _load(halves: Halves, prepared: PreparedHalves | None, memory: Memory | MemoryDraft) -> None:
    """Loads what was prepared of a memory; a module of code that it has no more is taken away."""
    if memory.code is None:
        halves.unload(memory.name)
    halves.load(prepared)
