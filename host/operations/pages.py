"""Pages of documentation made from the table: for the model, and `docs/operations.md` for people."""

from pydantic.alias_generators import to_camel

from host.operations.declarations import interfaces, parameter_type, signature
from host.operations.model import Family, Operation


def operation_page(operation: Operation) -> str:
    """The page of one call: signature, what it does, parameters, failures, its types, its import line."""
    notes = [operation.summary, *_parameter_lines(operation)]
    notes += [f"Fails with `{code}` when {when}." for code, when in operation.failures]
    parts = [signature(operation), "\n".join(notes), *interfaces(operation)]
    return "\n\n".join([*parts, f'import {{ {operation.family} }} from "gg"'])


def family_page(family: Family) -> str:
    """The page of a family: what it is for and the signatures of its calls."""
    lines = [f"- `{signature(operation)}`: {operation.summary}" for operation in family.operations]
    return "\n".join([family.brief, "", *lines, "", f'import {{ {family.name} }} from "gg"'])


def render_operations(families: tuple[Family, ...]) -> str:
    """The reference of all operations as Markdown."""
    parts = []
    for family in families:
        parts.append(f"## {family.name}\n\n{family.brief}")
        parts += [_operation_section(operation) for operation in family.operations]
        types = dict.fromkeys(text for operation in family.operations for text in interfaces(operation))
        if types:
            parts.append(f"### Types of `{family.name}`\n\n{_code(*types)}")
    return "\n\n".join(parts)


def _operation_section(operation: Operation) -> str:
    parameters = "\n".join(f"- {line}" for line in _parameter_lines(operation))
    failures = "\n".join(f"| `{code}` | {when} |" for code, when in operation.failures)
    granted = f"with the capability `{operation.capability}`" if operation.capability else "always"
    on_use = "" if operation.in_on_use else " Not in onUse scripts."
    parts = [
        f"### `{operation.spelling}`",
        _code(signature(operation)),
        operation.summary,
        parameters,
        f"| fails with | when |\n|---|---|\n{failures}" if failures else "",
        f"Granted {granted}.{on_use} In the record: `{operation.id}`.",
    ]
    return "\n\n".join(part for part in parts if part)


def _code(*parts: str) -> str:
    return "```ts\n" + "\n\n".join(parts) + "\n```"


def _parameter_lines(operation: Operation) -> list[str]:
    """A line for each parameter; one that is an object is described by its interface."""
    if operation.takes:
        return []
    return [_parameter_line(operation, name) for name in operation.arguments.model_fields]


def _parameter_line(operation: Operation, name: str) -> str:
    info = operation.arguments.model_fields[name]
    spelling = f"{'options.' if name in operation.options else ''}{to_camel(name)}"
    optional = "" if info.is_required() else ", optional"
    return f"`{spelling}` ({parameter_type(operation, name)}{optional}): {info.description}"
