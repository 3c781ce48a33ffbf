"""TypeScript made from the table: the declarations that the checker sees, and the guest's SDK.

One ambient module per family and `gg` over them all. The SDK's functions have the same signatures and one
line of body each, which hands the arguments to `call`.
"""

import re
import textwrap
from collections.abc import Mapping
from typing import Any, Final, get_args

from pydantic import BaseModel, RootModel
from pydantic.fields import FieldInfo

from host.core.errors import API_ERROR_CODES
from host.operations.model import Family, Operation, Result, guest_name
from host.operations.typescript import is_optional, models_in, typescript
from host.tools import render_namespaces

_GENERATED = "// Generated from the table of operations; do not edit."
TOOLS: Final = "tools"
"""The family whose calls differ from agent to agent."""
_CORE: Final = ("call", "keyOf")
API_ERROR_CODE: Final = f"""\
/** What went wrong, for a program to branch on. */
type ApiErrorCode = {" | ".join(f'"{code}"' for code in API_ERROR_CODES)};"""
API_ERROR: Final = """\
/** The failure of a call. */
class ApiError extends Error {
  /** The call that failed, as a program writes it. */
  readonly operation: string;
  readonly code: ApiErrorCode;
  constructor(operation: string, code: ApiErrorCode, message: string);
  toJSON(): { name: string; operation: string; code: ApiErrorCode; message: string };
}"""


NO_TOOLS: Final = render_namespaces(())
"""The module of tools of an agent that has none."""


def render_declarations(
    families: tuple[Family, ...], withheld: frozenset[str] = frozenset(), tools: str = NO_TOOLS
) -> str:
    """The text of `gg.d.ts`: every call of the SDK, granted or not, but those withheld and their types.

    `tools` is the module of the agent's tools.
    """
    offered = [family.offering(lambda id_: id_ not in withheld) for family in families]
    modules = [_family_module(family) for family in offered]
    aggregate = "\n".join(f'export * as {family.name} from "gg:{family.name}";' for family in families)
    aggregate += f'\nexport * as {TOOLS} from "gg:{TOOLS}";'
    gg = _module("gg", [_exported(API_ERROR_CODE), _exported(API_ERROR), aggregate])
    return "\n".join([_GENERATED, "", *modules, tools, gg])


def render_sdk(families: tuple[Family, ...]) -> dict[str, str]:
    """The guest's SDK, file name to source, less the hand-written `core.ts` and `tools.ts`."""
    files = {f"{family.name}.ts": _family_source(family) for family in families}
    names = [*(family.name for family in families), TOOLS]
    lines = [f'export * as {name} from "./{name}";' for name in names]
    files["gg.ts"] = "\n".join([_GENERATED, 'export { ApiError } from "./core";', *lines, ""])
    return files


def signature(operation: Operation) -> str:
    """`openText(label: string, body: string): void`."""
    return f"{operation.name}({', '.join(_parameters(operation))}): {typescript(operation.result)}"


def models(operation: Operation) -> tuple[type[BaseModel], ...]:
    """The models whose interfaces the signature names, each after those that it names itself."""
    fields = operation.arguments.model_fields.values()
    roots = [operation.arguments] if operation.takes else [info.annotation for info in fields]
    return tuple(dict.fromkeys(model for root in (*roots, operation.result) for model in models_in(root)))


def family_models(family: Family) -> tuple[type[BaseModel], ...]:
    """Those of all its calls."""
    return tuple(dict.fromkeys(model for operation in family.operations for model in models(operation)))


def interface(model: type[BaseModel]) -> str:
    """The TypeScript interface of a model, with its comments, or the type that it names."""
    if issubclass(model, RootModel):
        named = typescript(model.model_fields["root"].annotation)
        return f"{_comment([brief(model)])}\ntype {model.__name__} = {named};"
    lines = [_comment([brief(model)]), f"interface {model.__name__}{_extended(model)} {{"]
    for name, info in members_of(model).items():
        optional = "?" if is_optional(model, info) else ""
        lines.append(f"  {_comment([info.description or ''])}")
        lines.append(f"  {guest_name(model, name)}{optional}: {typescript(info.annotation)};")
    if issubclass(model, Result):
        lines += [f"  {member};" for member in model.methods.values()]
    return "\n".join([*lines, "}"])


def members_of(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """The fields that are members of a program's value; of an array, those beside its elements."""
    elements = model.elements if issubclass(model, Result) else ""
    return {name: info for name, info in model.model_fields.items() if name != elements}


def brief(model: type[BaseModel]) -> str:
    """What a model is, in one line; what its docstring says below is for people alone."""
    return (model.__doc__ or "").strip().partition("\n")[0]


def parameter_type(operation: Operation, name: str) -> str:
    """The TypeScript type of a field of the arguments, as a program gives it."""
    if name in operation.guest_parameter:
        return operation.guest_parameter[name].typescript
    return typescript(operation.arguments.model_fields[name].annotation)


def _extended(model: type[BaseModel]) -> str:
    if not (issubclass(model, Result) and model.elements):
        return ""
    (element,) = get_args(model.model_fields[model.elements].annotation)
    return f" extends Array<{typescript(element)}>"


def _family_module(family: Family) -> str:
    types = [_exported(interface(model)) for model in family_models(family)]
    return f"/** {family.brief} */\n" + _module(
        f"gg:{family.name}", [*types, *map(_function, family.operations)]
    )


def _module(specifier: str, parts: list[str]) -> str:
    body = textwrap.indent("\n\n".join(parts), "  ")
    return f'declare module "{specifier}" {{\n{body}\n}}\n'


def _exported(declaration: str) -> str:
    """A declaration that has a comment of one line."""
    comment, _, declared = declaration.partition("\n")
    return f"{comment}\nexport {declared}"


def _function(operation: Operation) -> str:
    notes = [operation.summary, *(f"Fails with `{code}` when {when}." for code, when in operation.failures)]
    return f"{_comment(notes)}\nexport function {signature(operation)};"


def _comment(lines: list[str]) -> str:
    if len(lines) == 1:
        return f"/** {lines[0]} */"
    return "\n".join(["/**", *(f" * {line}" for line in lines), " */"])


def _parameters(operation: Operation) -> list[str]:
    if operation.takes:
        return [f"{operation.takes}: {operation.arguments.__name__}"]
    parameters = []
    for name in operation.positional:
        optional = "" if operation.arguments.model_fields[name].is_required() else "?"
        given = guest_name(operation.arguments, name)
        parameters.append(f"{given}{optional}: {parameter_type(operation, name)}")
    if operation.options:
        members = "; ".join(
            f"{guest_name(operation.arguments, name)}?: {parameter_type(operation, name)}"
            for name in operation.options
        )
        parameters.append(f"options?: {{ {members} }}")
    return parameters


def _family_source(family: Family) -> str:
    names = sorted({model.__name__ for model in family_models(family)})
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
    given = (
        [operation.takes] if operation.takes else [_sent(operation, name) for name in operation.positional]
    )
    if operation.options:
        given.append("options")
    invocation = f'call("{operation.id}", [{", ".join(given)}])'
    if operation.guest_result:
        sent = _sent_type(operation.result)
        body = f"  const result: {sent} = {invocation};\n  return {operation.guest_result};"
    else:
        body = f"  {invocation};" if operation.result is None else f"  return {invocation};"
    return f"export function {signature(operation)} {{\n{body}\n}}"


def _sent_type(result: Any) -> str:  # noqa: ANN401  (an annotation)
    """The type of a result as the host sends it."""
    if not (isinstance(result, type) and issubclass(result, Result) and result.elements):
        return typescript(result)
    fields = [
        f"{guest_name(result, name)}: {typescript(info.annotation)}"
        for name, info in result.model_fields.items()
    ]
    return f"{{ {'; '.join(fields)} }}"


def _sent(operation: Operation, name: str) -> str:
    """The expression of one argument. One that is left out crosses as `null`, since others may follow it."""
    if name in operation.guest_parameter:
        return operation.guest_parameter[name].sent
    given = guest_name(operation.arguments, name)
    return given if operation.arguments.model_fields[name].is_required() else f"{given} ?? null"
