"""What a model is offered where its replies call tools: made from the table, for one agent."""

import json
from collections.abc import Mapping

from host.core.errors import ApiErrorCode
from host.core.messages import ToolSpec
from host.memories import Holder
from host.operations.dialects import MAX_ANSWER_BYTES
from host.operations.families.memories import limit_notes
from host.operations.grants import Grants
from host.operations.json_schema import object_schema
from host.operations.model import Native, Operation
from host.operations.native_binding import native_arguments


def tool_specs(grants: Grants, holder: Holder | None) -> tuple[ToolSpec, ...]:
    """The tools that an agent holds, in the order of the table.

    What `holder` bounds is told with the figures in force; what is lifted is not told.
    """
    notes = limit_notes(holder)
    return tuple(
        _spec(operation, operation.native, holder, notes)
        for operation in grants.operations.values()
        if operation.native is not None and grants.permits(operation.id)
    )


def tool_text(operation: Operation, native: Native, note: str = "") -> str:
    """What a tool does, which limits it meets, when it fails."""
    summary = native.summary or operation.summary
    fails = (f"Fails with `{code}` when {when}." for code, when in tool_failures(operation, native))
    return "\n".join([f"{summary} {note}".rstrip(), *fails])


def tool_failures(operation: Operation, native: Native) -> tuple[tuple[ApiErrorCode, str], ...]:
    """When a tool fails, and with which code."""
    failures = operation.failures if native.failures is None else native.failures
    if not native.narrow:
        return failures
    too_much = f"its answer is over {MAX_ANSWER_BYTES:,} bytes; {native.narrow}"
    return (*failures, ("limit-exceeded", too_much))


def tool_schema(operation: Operation, native: Native, holder: Holder | None = None) -> str:
    """The JSON Schema of a tool's arguments, as JSON text."""
    if native.schema:
        return native.schema
    needs = native.needs(holder.strategy) if native.needs and holder else ()
    return json.dumps(object_schema(native_arguments(operation), needs=needs), ensure_ascii=False)


def _spec(operation: Operation, native: Native, holder: Holder | None, notes: Mapping[str, str]) -> ToolSpec:
    return ToolSpec(
        name=native.name,
        description=tool_text(operation, native, notes.get(operation.id, "")),
        parameters=tool_schema(operation, native, holder),
    )
