"""Pages of documentation made from the table: for the model, and `docs/operations.md` for people."""

from pydantic.alias_generators import to_camel

from host.operations.declarations import signature
from host.operations.model import Family, Operation


def operation_page(operation: Operation) -> str:
    """The page of one call: its signature, what it does, its parameters, its failures, its import line."""
    lines = [
        f"{signature(operation)}",
        "",
        operation.summary,
        "",
        *_parameter_lines(operation),
        *(f"Fails with `{code}` when {when}." for code, when in operation.failures),
        f'import {{ {operation.family} }} from "gg"',
    ]
    return "\n".join(lines)


def family_page(family: Family) -> str:
    """The page of a family: what it is for and the signatures of its calls."""
    lines = [f"- `{signature(operation)}`: {operation.summary}" for operation in family.operations]
    return "\n".join([family.brief, "", *lines, "", f'import {{ {family.name} }} from "gg"'])


def render_operations(families: tuple[Family, ...]) -> str:
    """The reference of all operations as Markdown."""
    parts = []
    for family in families:
        parts.append(f"## {family.name}\n\n{family.brief}\n")
        parts += [_operation_section(operation) for operation in family.operations]
    return "\n".join(parts).rstrip() + "\n"


def _operation_section(operation: Operation) -> str:
    granted = f"with the capability `{operation.capability}`" if operation.capability else "always"
    on_use = "" if operation.in_on_use else " Not in onUse scripts."
    failures = "".join(f"| `{code}` | {when} |\n" for code, when in operation.failures)
    table = f"\n| fails with | when |\n|---|---|\n{failures}" if failures else ""
    parameters = "\n".join(f"- {line}" for line in _parameter_lines(operation))
    return (
        f"### `{operation.spelling}`\n\n```ts\n{signature(operation)}\n```\n\n{operation.summary}\n\n"
        f"{parameters}{chr(10) if parameters else ''}{table}\nGranted {granted}.{on_use}"
        f" In the record: `{operation.id}`.\n"
    )


def _parameter_lines(operation: Operation) -> list[str]:
    return [
        f"`{to_camel(name)}`{'' if info.is_required() else ' (optional)'}: {info.description}"
        for name, info in operation.arguments.model_fields.items()
    ]
