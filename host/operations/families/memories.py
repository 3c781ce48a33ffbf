"""The memories family: an agent's own notes, and the code they carry.

A write is checked, compiled and committed in that order, so a refused one leaves no trace. Under a strategy
whose memories are in the window from the moment they exist, the code loads on the write; otherwise on the
read.
"""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from pydantic import Field

from host.core.errors import Refusal
from host.events import MemoryCaps, MemoryPeak, MemoryRead, MemoryRevision, MemoryState
from host.events import MemoryRefusal as MemoryRefused
from host.memories import Holder, MemoryDraft, MemoryRefusal, Mutation
from host.operations.model import Arguments, Family, Native, Operation, Result
from host.operations.services import Caller, CodeHalves, PreparedHalves

_SLUG = "The memory's slug: 1 to 64 of letters, digits, `-`, `_` and `.`."
_DESCRIPTION = "One line that says what the memory is about."
_BODY = "The note itself."
_CODE = "A TypeScript module that later programs import by the slug in camel case."
_ON_USE = (
    "A script that runs after each use's program has ended; the SDK is in scope in it without an import."
)
_EXPECTED = "Refuses the call as a `conflict` when the memory has a newer revision."


class MemoryWrite(Arguments):
    """A memory to write: a note, and optionally code."""

    name: str = Field(description=_SLUG)
    description: str = Field(description=_DESCRIPTION)
    body: str = Field(description=_BODY)
    code: str | None = Field(default=None, description=_CODE)
    on_use: str | None = Field(default=None, description=_ON_USE)


class MemoryUpdate(MemoryWrite):
    """A memory to replace whole; a half of its code that is omitted is cleared."""

    expected_revision: int | None = Field(default=None, ge=1, description=_EXPECTED)


class ReadMemoryArguments(Arguments):
    name: str = Field(description=_SLUG)


class DeleteMemoryArguments(Arguments):
    name: str = Field(description=_SLUG)
    expected_revision: int | None = Field(default=None, ge=1, description=_EXPECTED)


class MemoryUsage(Result):
    """How full the set of memories is after a call. A maximum that is absent is lifted."""

    count: int = Field(description="Memories held.")
    max_count: int | None = Field(default=None, description="How many may be held.")
    total_chars: int = Field(description="Characters of all bodies together.")
    max_total_chars: int | None = Field(default=None, description="How many characters all bodies may have.")
    index_chars: int | None = Field(default=None, description="Characters of the pinned index.")
    max_index_chars: int | None = Field(default=None, description="How many characters the index may have.")
    revision: int = Field(description="The revision that the call made, counted per slug.")


def _write_memory(caller: Caller, arguments: MemoryWrite) -> MemoryUsage:
    holder = _holder(caller)
    draft = holder.check_write(_draft(arguments))
    prepared = _prepare(caller, draft)
    return _loaded(caller, prepared, draft, holder.commit_write(draft, turn=caller.turn))


def _update_memory(caller: Caller, arguments: MemoryUpdate) -> MemoryUsage:
    holder, expected = _holder(caller), arguments.expected_revision
    draft = holder.check_update(_draft(arguments), expected_revision=expected)
    prepared = _prepare(caller, draft)
    mutation = holder.commit_update(draft, expected_revision=expected, turn=caller.turn)
    return _loaded(caller, prepared, draft, mutation)


def _prepare(caller: Caller, draft: MemoryDraft) -> PreparedHalves:
    _code(caller).refuse_over_use_limit(draft.on_use)
    _code(caller).refuse_deep_nesting(draft.name, draft.code, draft.on_use)
    prepared = _code(caller).prepare(draft.name, draft.code, draft.on_use)
    if prepared.problems:
        raise Refusal("invalid-argument", prepared.problems, kind="code_does_not_compile")
    return prepared


def _loaded(caller: Caller, prepared: PreparedHalves, draft: MemoryDraft, mutation: Mutation) -> MemoryUsage:
    usage = _committed(caller, mutation)
    if draft.code is None:
        _code(caller).unload(draft.name)
    _code(caller).load(prepared)
    return usage


def _create_memory(caller: Caller, arguments: MemoryWrite) -> MemoryUsage:
    holder = _holder(caller)
    draft = holder.check_write(_draft(arguments))
    _code(caller).refuse_deep_nesting(draft.name, draft.code, draft.on_use)
    return _committed(caller, holder.create(draft, turn=caller.turn))


def _read_memory(caller: Caller, arguments: ReadMemoryArguments) -> str:
    holder = _holder(caller)
    try:
        memory = holder.read(arguments.name)
    except MemoryRefusal as refusal:
        if refusal.code == "not-found":
            _note_read(caller, holder, refusal.name, hit=False)
        raise
    if not (memory.code or memory.on_use):
        _note_read(caller, holder, memory.name, hit=True)
        return memory.body
    _code(caller).refuse_over_use_limit(memory.on_use)
    prepared = _code(caller).prepare(memory.name, memory.code, memory.on_use)
    _note_read(caller, holder, memory.name, hit=True)
    _code(caller).load(prepared)
    return f"{memory.body}\n\n----\n{prepared.problems}" if prepared.problems else memory.body


def _delete_memory(caller: Caller, arguments: DeleteMemoryArguments) -> MemoryUsage:
    mutation = _holder(caller).delete(
        arguments.name, expected_revision=arguments.expected_revision, turn=caller.turn
    )
    _code(caller).unload(mutation.revision.name)
    return _committed(caller, mutation)


def _note_read(caller: Caller, holder: Holder, name: str, *, hit: bool) -> None:
    caller.emit(MemoryRead(module_id=holder.module_id, name=name, hit=hit, turn=caller.turn))


def _draft(arguments: MemoryWrite) -> MemoryDraft:
    return MemoryDraft(
        name=arguments.name,
        description=arguments.description,
        body=arguments.body,
        code=arguments.code,
        on_use=arguments.on_use,
    )


def _code(caller: Caller) -> CodeHalves:
    assert caller.code is not None, "only programs give a memory code, or use it"
    return caller.code


def _holder(caller: Caller) -> Holder:
    if caller.holder is None:
        raise Refusal("unavailable", "This agent keeps no memories.", kind="no_memories")
    return caller.holder


def _committed(caller: Caller, mutation: Mutation) -> MemoryUsage:
    """Records a mutation; the state that follows it is reported once, when the program has ended."""
    holder, revision, usage = _holder(caller), mutation.revision, mutation.usage
    caller.emit(
        MemoryRevision(
            module_id=holder.module_id,
            name=revision.name,
            revision=revision.revision,
            change=revision.change,
            op=revision.op,
            description=revision.description,
            body=revision.body,
            code=revision.code,
            on_use=revision.on_use,
            len=revision.chars,
            lines=revision.lines,
            author=revision.author,
            turn=caller.turn,
        )
    )
    return MemoryUsage(**asdict(usage))


def memory_state_event(holder: Holder) -> MemoryState:
    """A store as one holder sees it, as the event that reports it."""
    state = holder.state()
    return MemoryState(
        module_id=state.module_id,
        strategy=state.strategy,
        memories=tuple(memory.entry for memory in state.memories),
        count=state.figures.count,
        total_len=state.figures.total_chars,
        total_lines=state.figures.total_lines,
        index_len=state.figures.index_chars,
        peak=MemoryPeak(
            count=state.peak.count, total_len=state.peak.total_chars, total_lines=state.peak.total_lines
        ),
        caps=MemoryCaps(**asdict(state.caps)),
        scope=state.scope,
        writable=state.writable,
    )


def _recorded(operation_id: str, run: Callable[[Caller, Any], object]) -> Callable[[Caller, Any], object]:
    """The same call, with each refusal recorded as an event of its own."""

    def recorded(caller: Caller, arguments: Any) -> object:  # noqa: ANN401  (each call has its own arguments)
        try:
            return run(caller, arguments)
        except Refusal as refusal:
            if caller.holder is not None:
                caller.emit(_refused(caller.holder, operation_id, arguments.name, refusal, caller.turn))
            raise

    return recorded


def _refused(holder: Holder, operation_id: str, given: str, refusal: Refusal, turn: int) -> MemoryRefused:
    of_store = refusal if isinstance(refusal, MemoryRefusal) else None
    return MemoryRefused(
        module_id=holder.module_id,
        call=operation_id,
        name=of_store.name if of_store else given.strip(),
        code=refusal.code,
        kind=refusal.kind,
        message=refusal.message,
        figure=of_store.figure if of_store else None,
        limit=of_store.limit if of_store else None,
        turn=turn,
    )


def _operation(name: str, run: Callable[[Caller, Any], object], **row: Any) -> Operation:  # noqa: ANN401
    operation_id = f"memories.{name}"
    return Operation(id=operation_id, capability="memories", run=_recorded(operation_id, run), **row)


_LIMITS = ("limit-exceeded", "a limit of the memories would be exceeded; the message names it and what helps")
_SHAPE = ("invalid-argument", "a field is empty, the slug is malformed, or the description is not one line")
_NOT_FOUND = ("not-found", "there is no such memory")
_STALE = ("conflict", "`expectedRevision` is older than the memory's revision")
_A_MEMORY = '{ name: "csv", description: "Reading the exports.", body: "Column 3 is quoted." }'

FAMILY = Family(
    "memories",
    "Keeps notes that outlast the window, and code that later programs import.",
    (
        _operation(
            "write_memory",
            _write_memory,
            summary="Writes a new memory. It is in the window from then on, and its code loads at once.",
            arguments=MemoryWrite,
            takes="memory",
            result=MemoryUsage,
            failures=(
                _SHAPE,
                ("invalid-argument", "a half of its code does not compile; nothing is stored"),
                ("conflict", "a memory of that name exists"),
                _LIMITS,
            ),
            example=f"memories.writeMemory({_A_MEMORY});",
            native=Native("write_memory"),
        ),
        _operation(
            "update_memory",
            _update_memory,
            summary="Replaces a memory: description, body and both code halves; an omitted one is cleared.",
            arguments=MemoryUpdate,
            takes="memory",
            result=MemoryUsage,
            failures=(
                _SHAPE,
                ("invalid-argument", "a half of its code does not compile; nothing is changed"),
                _NOT_FOUND,
                _STALE,
                _LIMITS,
            ),
            example=f"memories.updateMemory({_A_MEMORY});",
            native=Native("update_memory"),
        ),
        _operation(
            "create_memory",
            _create_memory,
            summary="Creates a memory. Its body and its code come when it is read.",
            arguments=MemoryWrite,
            takes="memory",
            result=MemoryUsage,
            failures=(_SHAPE, ("conflict", "a memory of that name exists"), _LIMITS),
            example=f"memories.createMemory({_A_MEMORY});",
            native=Native("create_memory"),
        ),
        _operation(
            "read_memory",
            _read_memory,
            summary="Reads a memory's body and loads its code; what does not compile is told after the body.",
            arguments=ReadMemoryArguments,
            result=str,
            failures=(_NOT_FOUND,),
            example='const body = memories.readMemory("csv");',
            native=Native("read_memory", narrow=""),
        ),
        _operation(
            "delete_memory",
            _delete_memory,
            summary="Deletes a memory; its module is gone from the next program on.",
            arguments=DeleteMemoryArguments,
            options=("expected_revision",),
            result=MemoryUsage,
            failures=(_NOT_FOUND, _STALE),
            example='memories.deleteMemory("csv");',
            native=Native("delete_memory"),
        ),
    ),
)
