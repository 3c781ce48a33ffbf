"""From tools to what programs see of them: names and types, source by source.

A name that cannot be used is a problem of the configuration. A schema of which no type can be made is its
source's affair: that tool is left out, and no other with it.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from host.tools.json_schema import SchemaType, type_of_arguments, type_of_value
from host.tools.model import LOCAL, Namespace, TypedTool
from host.tools.naming import NamedTool, NameProblem, ToolSource, name_tools
from host.tools.schema_document import CannotBeTyped
from host.tools.spelling import capitalized

_USED_TYPES: Final = frozenset({"Promise"})
_ARGUMENTS: Final = "Args"
_RESULT: Final = "Result"
_TEXT: Final = SchemaType("string")


@dataclass(frozen=True, kw_only=True)
class UntypedTool:
    """A tool that is left out. `reason` is a sentence without its end."""

    namespace: str
    tool: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class TypedTools:
    """What can be offered. There are no namespaces where there are problems."""

    namespaces: tuple[Namespace, ...]
    problems: tuple[NameProblem, ...]
    left_out: tuple[UntypedTool, ...]


def type_tools(
    sources: Sequence[ToolSource],
    *,
    families: Collection[str],
    global_names: Collection[str],
    native_names: Collection[str] = (),
) -> TypedTools:
    """Names and types every tool that is taken; the names are those of `name_tools`."""
    names = name_tools(sources, families=families, global_names=global_names, native_names=native_names)
    namespaces, left_out = [], []
    for source, named in zip(sources, names.tools, strict=True):
        typed, untyped = _typed(named)
        left_out += untyped
        brief = source.brief or _brief(source.namespace)
        namespaces.append(Namespace(name=source.namespace, brief=brief, tools=tuple(typed)))
    return TypedTools(
        namespaces=() if names.problems else tuple(namespaces),
        problems=names.problems,
        left_out=tuple(left_out),
    )


def _brief(namespace: str) -> str:
    return "Python functions." if namespace == LOCAL else f"Tools of the server {namespace}."


def _typed(named: Sequence[NamedTool]) -> tuple[list[TypedTool], list[UntypedTool]]:
    # The names that a reader expects are kept for the tools themselves.
    taken = set(_USED_TYPES)
    prefixes = [_prefix(one.identifier, taken) for one in named]
    typed, untyped = [], []
    for one, prefix in zip(named, prefixes, strict=True):
        try:
            typed.append(_typed_tool(one, prefix, taken))
        except CannotBeTyped as error:
            tool = one.tool
            untyped.append(UntypedTool(namespace=tool.namespace, tool=tool.name, reason=str(error)))
    return typed, untyped


def _prefix(identifier: str, taken: set[str]) -> str:
    """What the names of its types begin with; two identifiers may differ in the case of the first letter."""
    wanted = capitalized(identifier)
    for number in count(1):
        prefix = wanted if number == 1 else f"{wanted}{number}"
        names = {f"{prefix}{_ARGUMENTS}", f"{prefix}{_RESULT}"}
        if not names & taken:
            taken |= names
            return prefix
    raise AssertionError("numbers do not end")


def _typed_tool(named: NamedTool, prefix: str, taken: set[str]) -> TypedTool:
    tool = named.tool
    arguments = _of_schema(
        "the schema of its arguments",
        lambda: type_of_arguments(tool.parameters, name=f"{prefix}{_ARGUMENTS}", taken=taken),
    )
    beside = taken | arguments.names
    result = _TEXT
    if tool.returns is not None:
        returns = tool.returns
        result = _of_schema(
            "the schema of its result",
            lambda: type_of_value(returns, name=f"{prefix}{_RESULT}", taken=beside),
        )
    taken |= arguments.names | result.names
    parameter = f"args{'?' if arguments.is_optional else ''}: {arguments.text}" if arguments.text else ""
    return TypedTool(
        tool=tool,
        identifier=named.identifier,
        native_name=named.native_name,
        signature=f"{named.identifier}({parameter}): Promise<{result.text}>",
        declarations=(*arguments.declarations, *result.declarations),
    )


def _of_schema(what: str, make: Callable[[], SchemaType]) -> SchemaType:
    try:
        return make()
    except CannotBeTyped as error:
        raise CannotBeTyped(f"{what} {error}") from error
