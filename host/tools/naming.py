"""What programs and replies call tools by, and every reason why a name cannot be used.

A name is spelled in camel case, or is what the configuration says instead. Nothing is made up to get around a
clash: names that become one are a problem, and so is one that programs could not use.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from host.core.reserved_words import RESERVED_WORDS
from host.core.text import escape_line, join_words, nearest, quoted
from host.tools.model import Tool
from host.tools.spelling import camel_case, is_identifier

MAX_NATIVE_CHARS: Final = 64
"""Of the name of a tool that a reply calls; the vendors of models take no more."""
_NOT_NATIVE: Final = re.compile(r"[^A-Za-z0-9_-]")
_NAMESPACE: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_UNUSABLE: Final[Mapping[str, str]] = {
    "then": "`then`, and what has a member of that name is taken for a promise",
    "__proto__": "`__proto__`, by which an object is given what it inherits from",
    "__esModule": "`__esModule`, by which modules are marked",
}


@dataclass(frozen=True, kw_only=True)
class ToolSource:
    """The tools of one source, and what the configuration says of their names.

    `rename` has other names by the tools' own. `only` are the own names of those that are taken, all for
    `None`. `brief` says in a line what they are for.
    """

    namespace: str
    tools: tuple[Tool, ...]
    rename: Mapping[str, str] = field(default_factory=dict)
    only: tuple[str, ...] | None = None
    brief: str = ""


@dataclass(frozen=True, kw_only=True)
class NameProblem:
    """Why tools cannot be offered under their names. `tool` is empty where it is the namespace's name.

    `reason` is a sentence without its end; `remedy` says what to write instead.
    """

    namespace: str
    tool: str
    reason: str
    remedy: str


@dataclass(frozen=True, kw_only=True)
class NamedTool:
    """A tool, how a program calls it within its namespace, and how a reply does that calls tools."""

    tool: Tool
    identifier: str
    native_name: str


@dataclass(frozen=True, kw_only=True)
class Names:
    """The tools that are taken, source by source, and all that is wrong with their names."""

    tools: tuple[tuple[NamedTool, ...], ...]
    problems: tuple[NameProblem, ...]


def name_tools(
    sources: Sequence[ToolSource],
    *,
    families: Collection[str],
    global_names: Collection[str],
    native_names: Collection[str] = (),
) -> Names:
    """Names every tool that is taken.

    `families` are the names that `gg` exports, `global_names` those that programs have without an import,
    `native_names` those of other tools that replies call.
    """
    named = tuple(tuple(_named(source, tool) for tool in _taken(source)) for source in sources)
    shadowed = dict.fromkeys(global_names, "a global of programs") | dict.fromkeys(
        families, "a name of the SDK"
    )
    problems = [
        *_namespace_problems(sources, shadowed),
        *chain.from_iterable(map(_source_problems, sources, named)),
        *_native_problems(list(chain.from_iterable(named)), native_names),
    ]
    return Names(tools=named, problems=tuple(problems))


def _taken(source: ToolSource) -> list[Tool]:
    return [tool for tool in source.tools if source.only is None or tool.name in source.only]


def _named(source: ToolSource, tool: Tool) -> NamedTool:
    other = source.rename.get(tool.name)
    return NamedTool(
        tool=tool,
        identifier=camel_case(tool.name) if other is None else other,
        # Replies take few characters in a name; names that become one so are a problem as well.
        native_name=_NOT_NATIVE.sub("_", f"{source.namespace}__{tool.name if other is None else other}"),
    )


def _namespace_problems(sources: Sequence[ToolSource], shadowed: Mapping[str, str]) -> Iterator[NameProblem]:
    seen: set[str] = set()
    for source in sources:
        name = source.namespace
        if (fault := _namespace_fault(name, shadowed)) is not None:
            remedy = "Give the server another name: letters, digits and `_`, no digit first"
            yield NameProblem(namespace=name, tool="", reason=fault, remedy=remedy)
        elif name in seen:
            reason = f"two sources of tools have the namespace {quoted(name)}"
            yield NameProblem(namespace=name, tool="", reason=reason, remedy="Give the server another name")
        seen.add(name)


def _namespace_fault(name: str, shadowed: Mapping[str, str]) -> str | None:
    shown = quoted(name)
    if not _NAMESPACE.fullmatch(name):
        return f"programs cannot import {shown}, which is no identifier"
    if name in RESERVED_WORDS:
        return f"programs cannot import {shown}, a reserved word"
    if name in _UNUSABLE:
        return f"programs would import {_UNUSABLE[name]}"
    return f"{shown} would hide {shadowed[name]}" if name in shadowed else None


def _source_problems(source: ToolSource, named: Sequence[NamedTool]) -> Iterator[NameProblem]:
    yield from _mentions_of_nothing(source)
    for one in named:
        if (fault := _identifier_fault(one, source.rename)) is not None:
            yield _problem(one, fault)
    usable = [one for one in named if one.identifier]
    for alike in _alike(usable, lambda one: one.identifier):
        if len({one.tool.name for one in alike}) == 1:
            yield _offered_twice(alike[-1])
        else:
            yield _problem(alike[-1], f"{_both(alike)} be called {quoted(alike[0].identifier)}")


def _mentions_of_nothing(source: ToolSource) -> Iterator[NameProblem]:
    known = [tool.name for tool in source.tools]
    for setting, names in (("only", source.only or ()), ("rename", source.rename)):
        for name in names:
            if name not in known:
                near = nearest(name, known)
                remedy = f"Did you mean {quoted(near[0])}?" if near else _all_names(known)
                reason = f'"{setting}" names {quoted(name)}, and there is no such tool'
            elif setting == "rename" and source.only is not None and name not in source.only:
                reason = f'"rename" names {quoted(name)}, which "only" leaves out'
                remedy = 'Add it to "only", or take it out of "rename"'
            else:
                continue
            yield NameProblem(namespace=source.namespace, tool=name, reason=reason, remedy=remedy)


def _all_names(names: Sequence[str]) -> str:
    return f"There are {join_words(map(quoted, names))}" if names else "There is no tool at all"


def _identifier_fault(named: NamedTool, rename: Mapping[str, str]) -> str | None:
    name, shown = named.identifier, quoted(named.identifier)
    if not name and named.tool.name not in rename:
        return f"no identifier can be made of {quoted(named.tool.name)}"
    if not is_identifier(name):
        return f"{shown}, its other name, is no identifier"
    if name in RESERVED_WORDS:
        return f"programs would call it {shown}, a reserved word"
    if name in _UNUSABLE:
        return f"programs would call it {_UNUSABLE[name]}"
    return None


def _native_problems(named: Sequence[NamedTool], others: Collection[str]) -> Iterator[NameProblem]:
    for one in named:
        length = len(one.native_name)
        if length > MAX_NATIVE_CHARS:
            called = f"replies would call it {quoted(one.native_name)}"
            yield _problem(one, f"{called}, which has {length} characters, {MAX_NATIVE_CHARS} at most")
        if one.native_name in others:
            yield _problem(one, f"replies call another tool {quoted(one.native_name)}")
    for alike in _alike(named, lambda one: one.native_name):
        if len({(one.tool.namespace, one.identifier) for one in alike}) > 1:
            yield _problem(alike[-1], f"replies would call {_all(alike)} `{alike[0].native_name}`")


def _alike(named: Iterable[NamedTool], key: Callable[[NamedTool], str]) -> Iterator[list[NamedTool]]:
    groups: dict[str, list[NamedTool]] = defaultdict(list)
    for one in named:
        groups[key(one)].append(one)
    return (group for group in groups.values() if len(group) > 1)


def _both(alike: Sequence[NamedTool]) -> str:
    return f"{_all(alike)} would {'both' if len(alike) == 2 else 'all'}"


def _all(alike: Sequence[NamedTool]) -> str:
    namespaces = {one.tool.namespace for one in alike}
    names = [
        one.tool.name if len(namespaces) == 1 else f"{one.tool.namespace}.{one.tool.name}" for one in alike
    ]
    return join_words(map(quoted, names))


def _problem(named: NamedTool, reason: str) -> NameProblem:
    tool = named.tool
    other = _other_name(named)
    remedy = f'Give it another name, as in "rename": {{{_written(tool.name)}: {_written(other)}}}'
    if tool.is_local:
        remedy = f'Give the function another name, as in "name": {_written(other)}'
    return NameProblem(namespace=tool.namespace, tool=tool.name, reason=reason, remedy=remedy)


def _offered_twice(named: NamedTool) -> NameProblem:
    tool = named.tool
    if tool.is_local:
        return _problem(named, f"two functions are called {quoted(tool.name)}")
    return NameProblem(
        namespace=tool.namespace,
        tool=tool.name,
        reason=f"the server offers two tools called {quoted(tool.name)}",
        remedy='Leave them out: name all others in "only"',
    )


def _other_name(named: NamedTool) -> str:
    """An example of a name that may be free."""
    most = MAX_NATIVE_CHARS - len(f"{named.tool.namespace}__Tool")
    plain = _NOT_NATIVE.sub("", camel_case(named.identifier) or "some")
    return f"{plain[: max(1, most)]}Tool"


def _written(text: str) -> str:
    return escape_line(json.dumps(text, ensure_ascii=False))
