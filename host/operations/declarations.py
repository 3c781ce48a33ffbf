"""TypeScript made from the table: the declarations that the checker sees, and the guest's SDK.

One ambient module per family and `gg` over them all. The SDK's functions have the same signatures and one
line of body each, which hands the arguments to `call`.
"""

import re
import textwrap
from typing import Any, Final

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from host.core.errors import API_ERROR_CODES
from host.operations.model import Family, Operation, Result
from host.operations.typescript import is_optional, models_in, typescript

_GENERATED = "// Generated from the table of operations; do not edit."
_CORE: Final = ("call", "keyOf")
_CODES = " | ".join(f'"{code}"' for code in API_ERROR_CODES)
_API_ERROR = f"""\
  /** What went wrong, for a program to branch on. */
  export type ApiErrorCode = {_CODES};

  /** The failure of a call. */
  export class ApiError extends Error {{
    /** The call that failed, as a program writes it. */
    readonly operation: string;
    readonly code: ApiErrorCode;
    constructor(operation: string, code: ApiErrorCode, message: string);
    toJSON(): {{ name: string; operation: string; code: ApiErrorCode; message: string }};
  }}
"""


def render_declarations(families: tuple[Family, ...]) -> str:
    """The text of `gg.d.ts`: every call of the SDK, granted or not."""
    modules = [_family_module(family) for family in families]
    aggregate = "\n".join(f'  export * as {family.name} from "gg:{family.name}";' for family in families)
    return "\n".join([_GENERATED, "", *modules, f'declare module "gg" {{\n{_API_ERROR}\n{aggregate}\n}}', ""])


def render_sdk(families: tuple[Family, ...]) -> dict[str, str]:
    """The guest's SDK, file name to source, less the hand-written `core.ts`."""
    files = {f"{family.name}.ts": _family_source(family) for family in families}
    lines = [f'export * as {family.name} from "./{family.name}";' for family in families]
    files["gg.ts"] = "\n".join([_GENERATED, 'export { ApiError } from "./core";', *lines, ""])
    return files


def signature(operation: Operation) -> str:
    """`openText(label: string, body: string): void`."""
    return f"{operation.name}({', '.join(_parameters(operation))}): {typescript(operation.result)}"


def interfaces(operation: Operation) -> tuple[str, ...]:
    """The interfaces that the signature names, each after those that it names itself."""
    return tuple(_interface(model) for model in _models(operation))


def parameter_type(operation: Operation, name: str) -> str:
    """The TypeScript type of a field of the arguments, as a program gives it."""
    if name in operation.guest_parameter:
        return operation.guest_parameter[name].typescript
    return typescript(operation.arguments.model_fields[name].annotation)


def _family_module(family: Family) -> str:
    models = dict.fromkeys(model for operation in family.operations for model in _models(operation))
    parts = [*(_interface(model, "export ") for model in models), *map(_function, family.operations)]
    body = textwrap.indent("\n\n".join(parts), "  ")
    return f'/** {family.brief} */\ndeclare module "gg:{family.name}" {{\n{body}\n}}\n'


def _function(operation: Operation) -> str:
    notes = [operation.summary, *(f"Fails with `{code}` when {when}." for code, when in operation.failures)]
    return f"{_comment(notes)}\nexport function {signature(operation)};"


def _interface(model: type[BaseModel], modifier: str = "") -> str:
    lines = [_comment([(model.__doc__ or "").strip().split("\n")[0]])]
    lines.append(f"{modifier}interface {model.__name__} {{")
    for name, info in model.model_fields.items():
        optional = "?" if is_optional(model, info) else ""
        lines.append(f"  {_comment([info.description or ''])}")
        lines.append(f"  {to_camel(name)}{optional}: {typescript(info.annotation)};")
    if issubclass(model, Result):
        lines += [f"  {member};" for member in model.methods.values()]
    return "\n".join([*lines, "}"])


def _comment(lines: list[str]) -> str:
    if len(lines) == 1:
        return f"/** {lines[0]} */"
    return "\n".join(["/**", *(f" * {line}" for line in lines), " */"])


def _models(operation: Operation) -> list[type[BaseModel]]:
    roots = [operation.arguments] if operation.takes else _annotations(operation.arguments)
    return list(dict.fromkeys(model for root in [*roots, operation.result] for model in models_in(root)))


def _annotations(model: type[BaseModel]) -> list[Any]:
    return [info.annotation for info in model.model_fields.values()]


def _parameters(operation: Operation) -> list[str]:
    if operation.takes:
        return [f"{operation.takes}: {operation.arguments.__name__}"]
    parameters = []
    for name in operation.positional:
        optional = "" if operation.arguments.model_fields[name].is_required() else "?"
        parameters.append(f"{to_camel(name)}{optional}: {parameter_type(operation, name)}")
    if operation.options:
        members = "; ".join(
            f"{to_camel(name)}?: {parameter_type(operation, name)}" for name in operation.options
        )
        parameters.append(f"options?: {{ {members} }}")
    return parameters


def _family_source(family: Family) -> str:
    names = sorted({model.__name__ for operation in family.operations for model in _models(operation)})
    imports = [f'import type {{ {", ".join(names)} }} from "gg:{family.name}";'] if names else []
    functions = "\n\n".join(map(_function_source, family.operations))
    core = ", ".join(name for name in _CORE if re.search(rf"\b{name}\(", functions))
    return "\n".join(
        [
            _GENERATED,
            f'import {{ {core}, register }} from "./core";',
            f'import * as self from "./{family.name}";',
            *imports,
            "",
            f'register("{family.name}", self);',
            "",
            functions,
            "",
        ]
    )


def _function_source(operation: Operation) -> str:
    names = [operation.takes] if operation.takes else [to_camel(name) for name in operation.positional]
    sent = [
        operation.guest_parameter[name].sent if name in operation.guest_parameter else to_camel(name)
        for name in ([operation.takes] if operation.takes else operation.positional)
    ]
    if operation.options:
        names.append("options")
        sent.append("options")
    invocation = f'call("{operation.id}", [{", ".join(sent)}])'
    if operation.guest_result:
        returned = typescript(operation.result)
        body = f"  const result: {returned} = {invocation};\n  return {operation.guest_result};"
    else:
        body = f"  {invocation};" if operation.result is None else f"  return {invocation};"
    return f"export function {signature(operation)} {{\n{body}\n}}"
