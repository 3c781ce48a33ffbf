"""The memory calls as rows of the table."""

from collections.abc import Callable
from typing import Any, Final

from host.core.errors import ApiErrorCode
from host.memories import MAX_KEYWORDS
from host.operations.families.memories import calls, native_shapes, shapes
from host.operations.families.memories.recording import name_given, refusal_reporter
from host.operations.model import Family, Native, Operation
from host.operations.services import Caller

Failure = tuple[ApiErrorCode, str]


def _operation(name: str, run: Callable[[Caller, Any], object], **row: Any) -> Operation:  # noqa: ANN401
    operation_id = f"memories.{name}"

    def admit(caller: Caller, arguments_json: str) -> None:
        """Access is the holder's, and no call that it forbids is looked at any further."""
        if caller.holder is not None:
            caller.holder.refuse_read_only(operation_id, name_given(arguments_json) or "")

    return Operation(
        id=operation_id,
        capability="memories",
        run=run,
        admit=admit,
        note_refusal=refusal_reporter(operation_id),
        **row,
    )


_LIMITS: Final[Failure] = (
    "limit-exceeded",
    "a limit of the memories would be exceeded; the message names it and what helps",
)
_SHAPE: Final[Failure] = (
    "invalid-argument",
    "a field is empty, the slug is malformed, or the description is not one line",
)
_DUPLICATE: Final[Failure] = ("conflict", "a memory of that name exists")
_NOT_FOUND: Final[Failure] = ("not-found", "there is no such memory")
_STALE: Final[Failure] = ("conflict", "the memory has a newer revision than the one that is expected")
_A_MEMORY = '{ name: "csv", description: "Reading the exports.", body: "Column 3 is quoted." }'

FAMILY = Family(
    "memories",
    "Keeps notes that outlast the window, and code that later programs import.",
    (
        _operation(
            "write_memory",
            calls.write_memory,
            summary="Writes a new memory. It is in the window from then on, and its code loads at once.",
            arguments=shapes.MemoryWrite,
            takes="memory",
            result=shapes.MemoryUsage,
            failures=(
                _SHAPE,
                ("invalid-argument", "a half of its code does not compile; nothing is stored"),
                _DUPLICATE,
                _LIMITS,
            ),
            example=f"memories.writeMemory({_A_MEMORY});",
            native=Native(
                "write_memory",
                summary="Writes a new memory. It is in the window from then on, past every compaction.",
                arguments=native_shapes.WriteMemory,
                failures=(_SHAPE, _DUPLICATE, _LIMITS),
            ),
        ),
        _operation(
            "update_memory",
            calls.update_memory,
            summary="Replaces a memory: description, body and both code halves; an omitted one is cleared.",
            arguments=shapes.MemoryUpdate,
            takes="memory",
            result=shapes.MemoryUsage,
            failures=(
                _SHAPE,
                ("invalid-argument", "a half of its code does not compile; nothing is changed"),
                _NOT_FOUND,
                _STALE,
                _LIMITS,
            ),
            example=f"memories.updateMemory({_A_MEMORY});",
            native=Native(
                "update_memory",
                summary="Replaces a memory's description and its body.",
                arguments=native_shapes.UpdateMemory,
                failures=(_SHAPE, _NOT_FOUND, _STALE, _LIMITS),
            ),
        ),
        _operation(
            "create_memory",
            calls.create_memory,
            summary="Creates a memory. Its body and its code come when it is read.",
            arguments=shapes.MemoryCreate,
            takes="memory",
            result=shapes.MemoryUsage,
            failures=(_SHAPE, _DUPLICATE, _LIMITS),
            example=f"memories.createMemory({_A_MEMORY});",
            native=Native(
                "create_memory",
                summary="Creates a memory. Its contents come into the window when it is read.",
                arguments=native_shapes.CreateMemory,
                needs=lambda strategy: ("description",) if strategy.describes else (),
            ),
        ),
        _operation(
            "read_memory",
            calls.read_memory,
            summary="Reads a memory's body and loads its code; what does not compile is told after the body.",
            arguments=shapes.ReadArguments,
            result=str,
            failures=(_NOT_FOUND,),
            example='const body = memories.readMemory("csv");',
            native=Native("read_memory", summary="Reads the contents of a memory, whole.", is_capped=False),
        ),
        _operation(
            "edit_memory",
            calls.edit_memory,
            summary=(
                "Replaces the one place where a text stands in a memory's body; description and code stay. To"
                " append, give the last line and the same with more after it."
            ),
            arguments=shapes.MemoryEdit,
            takes="edit",
            result=shapes.MemoryUsage,
            failures=(
                ("not-found", "there is no such memory, or the text does not stand in its body"),
                ("conflict", "the text stands there several times"),
                _STALE,
                ("invalid-argument", "the text to replace is empty, or nothing of the body would be left"),
                _LIMITS,
            ),
            example='memories.editMemory({ name: "csv", search: "Column 3", replace: "Column 4" });',
            native=Native(
                "edit_memory",
                summary=(
                    "Replaces the one place where a text stands in a memory's contents. To append, give the"
                    " last line and the same with more after it."
                ),
                arguments=native_shapes.EditMemory,
            ),
        ),
        _operation(
            "delete_memory",
            calls.delete_memory,
            summary="Deletes a memory; its module is gone from the next program on.",
            arguments=shapes.DeleteArguments,
            options=("expected_revision",),
            result=shapes.MemoryUsage,
            failures=(_NOT_FOUND, _STALE),
            example='memories.deleteMemory("csv");',
            native=Native("delete_memory", summary="Deletes a memory."),
        ),
        _operation(
            "search_memories",
            calls.search_memories,
            summary=(
                "Finds the memories that hold any of the keywords: those that hold most of them first, then"
                " those that hold them most often."
            ),
            arguments=shapes.SearchArguments,
            result=shapes.MemoryHits,
            failures=(
                ("invalid-argument", "there is no keyword but blank ones"),
                ("limit-exceeded", f"there are over {MAX_KEYWORDS} keywords"),
            ),
            guest_result=(
                "Object.assign(result.hits.map((hit) => ({ ...hit, read: () => readMemory(hit.name) })),"
                " { total: result.total })"
            ),
            example='const bodies = memories.searchMemories(["csv"]).map((hit) => hit.read());',
            native=Native("search_memories", narrow="give keywords that fewer memories hold"),
        ),
    ),
)
