"""The pages of documentation of the SDK, made from the table: `gg`, families, calls, types.

An agent has the pages of what it may call and of the types that these calls name, no others.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel, RootModel

from host.operations.declarations import (
    API_ERROR,
    API_ERROR_CODE,
    brief,
    family_models,
    interface,
    members_of,
    models,
    parameter_type,
    signature,
)
from host.operations.model import Family, Operation, Result, guest_name
from host.operations.native_binding import native_arguments
from host.operations.services import Page
from host.operations.typescript import direct_models, is_optional, typescript

_ERRORS_BRIEF: Final = "The failure of a call."
_GG_BRIEF: Final = (
    "All that gg gives to programs: a module for each family of calls, and the error they throw."
)
_TOOLS_BRIEF: Final = "Your tools are in a module of their own:"
_ERROR_EXAMPLE: Final = """\
import { ApiError, views } from "gg"
try { views.close(""); }
catch (error) { if (error instanceof ApiError) views.openText("failed", error.code); }"""


def sdk_pages(
    families: tuple[Family, ...],
    permits: Callable[[str], bool],
    notes: Mapping[str, str] = MappingProxyType({}),
    tools: tuple[Page, ...] = (),
) -> tuple[Page, ...]:
    """Every page of the SDK for an agent that `permits` these calls, in the order of the table.

    `notes` are sentences on what a call, by its id, meets with this agent alone. `tools` are the pages of
    its tools, of which that of `gg` names the modules.
    """
    offered = [found for family in families if (found := family.offering(permits)).operations]
    return (
        _gg_page(offered, [page for page in tools if page.kind == "module"]),
        *(page for family in offered for page in _family_pages(family, notes)),
        *_error_pages(),
    )


def family_page(family: Family) -> str:
    """What a family is for, the signatures of its calls, its types."""
    calls = [f"- `{signature(operation)}`: {operation.summary}" for operation in family.operations]
    types = _types(family_models(family), family.name)
    return _joined(family.brief, "\n".join(calls), types, _import(family.name))


def operation_page(operation: Operation, note: str = "") -> str:
    """Signature, what it does, a note, arguments, result, failures, types, import line, example."""
    failures = [f"- `{code}` when {when}." for code, when in operation.failures]
    return _joined(
        signature(operation),
        operation.summary,
        note,
        _block("Arguments:", argument_lines(operation)),
        *_argument_blocks(operation),
        *_result_blocks(operation),
        _block("Fails with:", failures),
        _types(models(operation), operation.family),
        "\n".join(line for line in (_import(operation.family), operation.example) if line),
    )


def type_page(family: Family, model: type[BaseModel]) -> str:
    """A type of the SDK, the calls that name it, its import line."""
    calls = [operation.spelling for operation in family.operations if model in models(operation)]
    line = f'import type {{ {model.__name__} }} from "gg:{family.name}"'
    return _joined(interface(model), f"Named by: {', '.join(calls)}", line)


def argument_lines(operation: Operation) -> list[str]:
    """A line for each argument; an object that is the only one is described by its fields."""
    prefixes = dict.fromkeys(operation.options, "options.")
    if operation.takes:
        prefixes = dict.fromkeys(operation.arguments.model_fields, f"{operation.takes}.")
    types = {name: parameter_type(operation, name) for name in operation.arguments.model_fields}
    return _field_lines(operation.arguments, prefixes, types)


def tool_argument_lines(operation: Operation) -> list[str]:
    """A line for each argument of the tool that it is."""
    model = native_arguments(operation)
    types = {name: typescript(info.annotation) for name, info in model.model_fields.items()}
    return _field_lines(model, {}, types)


def _gg_page(families: list[Family], namespaces: list[Page]) -> Page:
    lines = [f"- `{_import(family.name)}`: {family.brief}" for family in families]
    lines.append(f"- `{_import('ApiError')}`: {_ERRORS_BRIEF}")
    tools = [f"- `{_import(page.name, 'gg:tools')}`: {page.summary}" for page in namespaces]
    text = _joined(_GG_BRIEF, "\n".join(lines), _block(_TOOLS_BRIEF, tools))
    return Page.of_module("gg", _GG_BRIEF, text)


def _family_pages(family: Family, notes: Mapping[str, str]) -> Iterator[Page]:
    name = family.name
    yield Page.of_module(name, family.brief, family_page(family))
    for operation in family.operations:
        yield Page(
            key=operation.spelling,
            kind="function",
            module=name,
            name=operation.name,
            signature=signature(operation),
            summary=operation.summary,
            text=operation_page(operation, notes.get(operation.id, "")),
        )
    for model in family_models(family):
        yield Page(
            key=f"{name}.{model.__name__}",
            kind="type",
            module=name,
            name=model.__name__,
            signature=interface(model),
            summary=brief(model),
            text=type_page(family, model),
        )


def _error_pages() -> Iterator[Page]:
    texts: Mapping[str, tuple[str, str, str]] = {
        "ApiError": ("class ApiError extends Error", API_ERROR, _ERROR_EXAMPLE),
        "ApiErrorCode": ("type ApiErrorCode", API_ERROR_CODE, 'import type { ApiErrorCode } from "gg"'),
    }
    for name, (declared, text, imported) in texts.items():
        yield Page(
            key=name,
            kind="type",
            module="gg",
            name=name,
            signature=declared,
            summary=text.removeprefix("/** ").partition(" */")[0],
            text=_joined(text, imported),
        )


def _result_blocks(operation: Operation) -> list[str]:
    """The fields of what a call gives; a plain value is told by the signature and the summary."""
    outer = list(direct_models(operation.result))
    if not outer:
        return []
    returns = f"Returns `{typescript(operation.result)}`"
    if len(outer) > 1:
        return [f"{returns}.", *_fields_blocks(outer)]
    first, *inner = _outermost_first(outer)
    return [_block(f"{returns}:", _model_lines(first)), *_fields_blocks(inner)]


def _argument_blocks(operation: Operation) -> list[str]:
    """The fields of objects within the arguments."""
    fields = operation.arguments.model_fields.values()
    return _fields_blocks([model for info in fields for model in direct_models(info.annotation)])


def _fields_blocks(outer: list[type[BaseModel]]) -> list[str]:
    return [_block(f"`{model.__name__}`:", _model_lines(model)) for model in _outermost_first(outer)]


def _outermost_first(outer: list[type[BaseModel]]) -> list[type[BaseModel]]:
    found = dict.fromkeys(outer)
    for model in outer:
        fields = model.model_fields.values()
        inner = [named for info in fields for named in direct_models(info.annotation)]
        found |= dict.fromkeys(_outermost_first(inner))
    return list(found)


def _model_lines(model: type[BaseModel]) -> list[str]:
    types = {name: typescript(info.annotation) for name, info in members_of(model).items()}
    if issubclass(model, RootModel):
        return [f"- `{types['root']}`"]
    lines = _field_lines(model, {}, types)
    methods = model.methods.values() if issubclass(model, Result) else ()
    return [*lines, *(f"- `{member}`" for member in methods)]


def _field_lines(model: type[BaseModel], prefixes: Mapping[str, str], types: Mapping[str, str]) -> list[str]:
    lines = []
    for name, told in types.items():
        info = model.model_fields[name]
        if is_optional(model, info):
            told += ", optional" if info.default is None else f", default {json.dumps(info.default)}"
        lines.append(f"- `{prefixes.get(name, '')}{guest_name(model, name)}` ({told}): {info.description}")
    return lines


def _types(operation_models: Iterable[type[BaseModel]], family: str) -> str:
    keys = [f"`{family}.{model.__name__}`" for model in operation_models]
    return f"Types: {', '.join(keys)}" if keys else ""


def _import(name: str, module: str = "gg") -> str:
    return f'import {{ {name} }} from "{module}"'


def _block(heading: str, lines: list[str]) -> str:
    return "\n".join([heading, *lines]) if lines else ""


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
