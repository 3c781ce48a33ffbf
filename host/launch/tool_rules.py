"""What the capabilities that reach outside need beyond the type of each value."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Final

from pydantic import HttpUrl, TypeAdapter, ValidationError

from host.launch.fields import did_you_mean
from host.launch.places import ABSENT, Path, Problem, entries_at, mapping_at, value_at
from host.launch.sources import FUNCTION, FunctionNotFound, directory_problem, import_function
from host.launch.tool_names import name_problems, unmatched_problems
from host.launch.written import capabilities_at, is_on
from host.operations import fits
from host.skills import read_skills
from host.tools import (
    LOCAL,
    NotATool,
    ServersNotInstalled,
    Tool,
    missing_package,
    public_part,
    python_tool,
)

_ADDRESS: Final = TypeAdapter(HttpUrl)
_EITHER: Final = 'needs either "command": ["mcp-server-git"] or "url": "https://…"'


def outside_problems(
    document: Mapping[str, object], path: Path, *, base: FilePath, environ: Mapping[str, str] | None
) -> Iterator[Problem]:
    """Every problem of the capability at `path`, if it is one of these. Without `environ` no variable is
    looked for.
    """
    match mapping_at(document, path).get("id"):
        case "tools":
            yield from _tools(document, (*path, "params"), base)
            if is_on(document, path):
                yield from _lacking(document, (*path, "params", "mcp"), environ)
        case "shell":
            yield from _shell(document, path, base)
        case "skills":
            yield from _skills(document, path, base)


def server_problems(document: Mapping[str, object]) -> Iterator[Problem]:
    """Servers of several agents that share a name and nothing else."""
    first: dict[str, object] = {}
    for agent in entries_at(document, ("agents",)):
        for capability in capabilities_at(document, agent, "tools"):
            path = (*capability, "params", "mcp")
            for name, server in mapping_at(document, path).items():
                if first.setdefault(name, server) != server:
                    message = "another agent has another server of that name; call one of them otherwise"
                    yield Problem(path=(*path, name), message=message, found=name, is_of_key=True)


def _skills(document: Mapping[str, object], path: Path, base: FilePath) -> Iterator[Problem]:
    """A directory that does not serve, or everything that is wrong with what is in it."""
    place = (*path, "params", "dir")
    is_needed = is_on(document, path)
    yield from directory_problem(document, place, base=base, is_required=is_needed, what="of the skills")
    found = value_at(document, place)
    if isinstance(found, str) and found.strip() and os.path.isdir(base / found):
        for fault in read_skills(base / found).faults:
            yield Problem(path=place, message=str(fault), found=found)


def _tools(document: Mapping[str, object], params: Path, base: FilePath) -> Iterator[Problem]:
    entries = entries_at(document, (*params, "python"))
    functions: dict[Path, Tool] = {}
    for path in entries:
        found = _function(document, path, base)
        if isinstance(found, Tool):
            functions[path] = found
        else:
            yield from found
    for name in mapping_at(document, (*params, "mcp")):
        yield from _server(document, (*params, "mcp", name), base)
    yield from name_problems(document, params, functions)
    yield from _patterns(document, params)
    if functions and len(functions) == len(entries):
        names = [f"{LOCAL}.{tool.name}" for tool in functions.values()]
        yield from unmatched_problems(document, params, names, namespace=LOCAL)


def _lacking(
    document: Mapping[str, object], path: Path, environ: Mapping[str, str] | None
) -> Iterator[Problem]:
    """What servers need of the installation and of the environment, and is not there."""
    servers = mapping_at(document, path)
    if servers and (package := missing_package()) is not None:
        yield Problem(path=path, message=str(ServersNotInstalled(package)), is_of_key=True)
    if environ is None:
        return
    for name in servers:
        server = (*path, name)
        headers = mapping_at(document, (*server, "headersFrom"))
        env = value_at(document, (*server, "env"))
        named: list[tuple[Path, object]] = [
            *(
                ((*server, "env", place), each)
                for place, each in enumerate(env if isinstance(env, list) else ())
            ),
            *(((*server, "headersFrom", header), each) for header, each in headers.items()),
        ]
        for place, variable in named:
            if isinstance(variable, str) and variable.strip() and variable not in environ:
                message = f"set the environment variable {variable}, which is not there"
                yield Problem(path=place, message=message, found=variable)


def _patterns(document: Mapping[str, object], params: Path) -> Iterator[Problem]:
    """Rules of approval that are about no tools: that of which server there is, not what it offers."""
    has_functions = bool(entries_at(document, (*params, "python")))
    known = tuple(
        dict.fromkeys([*([LOCAL] if has_functions else []), *mapping_at(document, (*params, "mcp"))])
    )
    for pattern in mapping_at(document, (*params, "approval")):
        namespace, dot, tool = pattern.partition(".")
        place = (*params, "approval", pattern)
        if not (namespace and dot and tool):
            message = 'its name needs a namespace and a tool, such as "git.*"'
            yield Problem(path=place, message=message, found=pattern, is_of_key=True)
        elif not any(fits(namespace, name) for name in known):
            message = f"its name begins with no namespace of tools{did_you_mean(namespace, known)}"
            yield Problem(path=place, message=message, found=pattern, known=known, is_of_key=True)


def _function(document: Mapping[str, object], entry: Path, base: FilePath) -> Tool | list[Problem]:
    """The function as a tool, or what keeps it from being one, or from being found."""
    written = value_at(document, entry)
    path = (*entry, "function") if isinstance(written, Mapping) else entry
    found = value_at(document, path)
    if isinstance(found, str) and found.strip() and not FUNCTION.fullmatch(found):
        return [Problem(path=path, message='needs a Python function as "module:function"', found=found)]
    try:
        function = import_function(found, base=base) if isinstance(found, str) and found.strip() else found
    except FunctionNotFound as error:
        return [Problem(path=path, message=str(error), found=found)]
    if not callable(function):
        return []  # reported already
    name = mapping_at(document, entry).get("name")
    try:
        return python_tool(function, name=name if isinstance(name, str) else None, timeout_s=1.0)
    except NotATool as error:
        return [Problem(path=path, message=fault, found=found) for fault in error.faults]


def _server(document: Mapping[str, object], path: Path, base: FilePath) -> Iterator[Problem]:
    server = mapping_at(document, path)
    if not server:
        if isinstance(value_at(document, path), Mapping):
            yield Problem(path=path, message=_EITHER, found={})
        return
    command, url = server.get("command"), server.get("url")
    if (command is None) == (url is None):
        yield Problem(path=path, message=_EITHER, found=dict(server))
        return
    if isinstance(url, str) and (fault := _address_fault(url)) is not None:
        yield Problem(path=(*path, "url"), message=fault, found=public_part(url))
    if command == []:
        yield Problem(path=(*path, "command"), message="needs a program and its arguments", found=command)
    strange = ("headersFrom",) if url is None else ("cwd", "env")
    for key in strange:
        if server.get(key) is not None:
            message = f"a server with a {'command' if url is None else 'url'} takes none; leave it out"
            yield Problem(path=(*path, key), message=message, found=server[key])
    place = (*path, "cwd")
    if url is None:
        yield from directory_problem(document, place, base=base, is_required=False, what="of the command")


def _address_fault(url: str) -> str | None:
    try:
        address = _ADDRESS.validate_python(url)
    except ValidationError:
        return "needs an address such as https://…"
    if address.username or address.password:
        return (
            "has a user or a password in it, which would stand in the record; "
            "name the variable that holds the value of Authorization in `headersFrom`"
        )
    return None


def _shell(document: Mapping[str, object], path: Path, base: FilePath) -> Iterator[Problem]:
    place = (*path, "params", "dir")
    agent = path[:2]
    has_files = any(is_on(document, files) for files in capabilities_at(document, agent, "files"))
    if value_at(document, place) in (None, ABSENT) and is_on(document, path) and not has_files:
        yield Problem(path=place, message="required where the agent has no capability `files`")
    yield from directory_problem(document, place, base=base, is_required=False, what="of the commands")
