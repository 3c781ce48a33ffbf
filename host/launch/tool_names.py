"""Names of tools that cannot be used, as far as they are known before any server is asked for its own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from host.core.text import nearest
from host.launch.places import Path, Problem, mapping_at
from host.operations import FAMILIES, OPERATIONS, unmatched_patterns
from host.tools import LOCAL, NameProblem, Tool, ToolSource, name_tools
from runtime_js import GLOBAL_NAMES

SDK_NAMES: Final = frozenset({*(family.name for family in FAMILIES), "gg", "tools", "ApiError"})
"""What `gg` exports, and its own name."""
NATIVE_NAMES: Final = frozenset(row.native.name for row in OPERATIONS.values() if row.native is not None)
"""By which replies call what is no tool from outside."""


def name_problems(
    document: Mapping[str, object], params: Path, functions: Mapping[Path, Tool]
) -> Iterator[Problem]:
    """What is wrong with the names of servers and of Python functions, these by where they are written."""
    servers = mapping_at(document, (*params, "mcp"))
    sources = [ToolSource(namespace=LOCAL, tools=tuple(functions.values()))] if functions else []
    sources += [ToolSource(namespace=name, tools=()) for name in servers]
    named = name_tools(sources, families=SDK_NAMES, global_names=GLOBAL_NAMES, native_names=NATIVE_NAMES)
    for problem in named.problems:
        yield name_problem(problem, params, functions)


def unmatched_problems(
    document: Mapping[str, object], params: Path, names: Sequence[str], *, namespace: str | None = None
) -> Iterator[Problem]:
    """Rules of approval that fit none of the names; of those about one namespace alone, where it is given."""
    patterns = mapping_at(document, (*params, "approval"))
    asked = [each for each in patterns if namespace is None or each.startswith(f"{namespace}.")]
    for pattern in unmatched_patterns(asked, names):
        near = nearest(pattern, names, count=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        path = (*params, "approval", pattern)
        yield Problem(path=path, message=f"fits no tool{hint}", found=pattern, is_of_key=True)


def name_problem(problem: NameProblem, params: Path, functions: Mapping[Path, Tool] | None = None) -> Problem:
    """The problem where it is written: at the server, or the function, of several with the name the last."""
    end = "" if problem.remedy.endswith("?") else "."
    message = f"{problem.reason}. {problem.remedy}{end}"
    found = problem.tool or problem.namespace
    if problem.namespace != LOCAL or not problem.tool:
        path = (*params, "mcp", problem.namespace)
        return Problem(path=path, message=message, found=found, is_of_key=True)
    written = [path for path, tool in (functions or {}).items() if tool.name == problem.tool]
    return Problem(path=written[-1] if written else (*params, "python"), message=message, found=found)
