"""`docs/operations.md`: the reference of all operations, for people."""

from collections.abc import Iterator

from host.operations.declarations import family_models, interface, signature
from host.operations.model import Family, Operation
from host.operations.native import tool_failures
from host.operations.pages import argument_lines, tool_argument_lines


def render_operations(families: tuple[Family, ...]) -> str:
    """The reference of all operations as Markdown."""
    parts = []
    for family in families:
        parts.append(f"## {family.name}\n\n{family.brief}")
        parts += [_operation_section(operation) for operation in family.operations]
        types = [interface(model) for model in family_models(family)]
        if types:
            parts.append(f"### Types of `{family.name}`\n\n{_code(*types)}")
    return "\n\n".join(parts)


def _operation_section(operation: Operation) -> str:
    arguments = "" if operation.takes else "\n".join(argument_lines(operation))
    failures = "\n".join(f"| `{code}` | {when} |" for code, when in operation.failures)
    on_use = "" if operation.in_on_use else " Not in onUse scripts."
    parts = [
        f"### `{operation.spelling}`",
        _code(signature(operation)),
        operation.summary,
        arguments,
        f"| fails with | when |\n|---|---|\n{failures}" if failures else "",
        _code(operation.example) if operation.example else "",
        *_tool_parts(operation),
        f"Granted {_granted(operation)}.{on_use} In the record: `{operation.id}`.",
    ]
    return "\n\n".join(part for part in parts if part)


def _granted(operation: Operation) -> str:
    of_role = {None: "always", "worker": "to all but reviewers", "reviewer": "to reviewers alone"}
    granted = of_role[operation.role]
    if operation.capability:
        granted = f"with the capability `{operation.capability}`"
    return f"{granted}{operation.where and f', {operation.where}'}"


def _tool_parts(operation: Operation) -> Iterator[str]:
    """What it is in tool-calling mode."""
    native = operation.native
    if native is None:
        yield "No tool: programs alone call it."
        return
    yield f"Tool `{native.name}`: {native.summary or operation.summary}"
    yield "\n".join(tool_argument_lines(operation))
    own = [each for each in tool_failures(operation, native) if each not in operation.failures]
    yield "\n".join(f"It fails with `{code}` when {when}." for code, when in own)


def _code(*parts: str) -> str:
    return "```ts\n" + "\n\n".join(parts) + "\n```"
