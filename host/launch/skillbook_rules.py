"""What the capability `skillbook` needs beyond the type of each value."""

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Final

from host.core.errors import system_reason
from host.core.text import has_lone_surrogate
from host.launch.places import Path, Problem, entries_at, mapping_at, value_at
from host.launch.written import agents_by_id, capabilities_at, is_on, unknown_name
from host.operations import OWN_FOLDER
from host.skillbook import EVERYWHERE

_OWN_BOOK: Final = (
    "has the capability `skillbook` itself, and is given the book of whom it reflects on; switch it off"
)
_SAME_TOOL: Final = (
    "calls tools and has the capability `skills`, whose tool `read_skill` has the name of one that a"
    " reflector is given; switch one of them off"
)


def skillbook_problems(document: Mapping[str, object], path: Path, *, base: FilePath) -> Iterator[Problem]:
    """Every problem of the capability at `path`, if it is `skillbook` and on."""
    if mapping_at(document, path).get("id") != "skillbook" or not is_on(document, path):
        return
    params = (*path, "params")
    yield from _book(document, (*params, "book"), base)
    yield from _scope(document, (*params, "scope"))
    yield from _reflector(document, (*params, "reflector"), agent=path[:2])


def _book(document: Mapping[str, object], path: Path, base: FilePath) -> Iterator[Problem]:
    """What can be no file is refused. What stands in a file is looked at when it is read."""
    found = value_at(document, path)
    if not isinstance(found, str) or not found.strip() or has_lone_surrogate(found):
        return
    if "\0" in found:
        yield Problem(path=path, message="holds a NUL character, which no path has", found=found)
        return
    try:
        is_directory = (base / found).is_dir()
    except OSError as error:
        yield Problem(path=path, message=f"names no file: {system_reason(error)}", found=found)
        return
    if is_directory:
        yield Problem(path=path, message="is a directory; name a JSON file", found=found)
    else:
        yield from _within_reach(document, path, found, base)


def _within_reach(
    document: Mapping[str, object], path: Path, found: str, base: FilePath
) -> Iterator[Problem]:
    """A book that programs may write needs no reflector, and no operator who accepts what is in it."""
    book = (base / found).resolve()
    for id_, agent in agents_by_id(document).items():
        for files in capabilities_at(document, agent, "files"):
            params = mapping_at(document, (*files, "params"))
            folder, is_copied = params.get("dir"), params.get("copy") is True
            if not is_on(document, files) or params.get("write") is not True or is_copied:
                continue
            if not isinstance(folder, str) or "\0" in folder or has_lone_surrogate(folder):
                continue
            directory = (base / folder).resolve()
            if book.is_relative_to(directory) and OWN_FOLDER not in book.relative_to(directory).parts:
                message = f"lies in {directory}, which agent {id_} may write; name one elsewhere"
                yield Problem(path=path, message=message, found=found)
                return


def _scope(document: Mapping[str, object], path: Path) -> Iterator[Problem]:
    if value_at(document, path) == EVERYWHERE:
        message = "stands for skills of all scopes; name one, or leave it out"
        yield Problem(path=path, message=message, found=EVERYWHERE)


def _reflector(document: Mapping[str, object], path: Path, *, agent: Path) -> Iterator[Problem]:
    found, agents = value_at(document, path), agents_by_id(document)
    yield from unknown_name(document, path, tuple(agents), "agent")
    if not isinstance(found, str) or found not in agents:
        return
    named = agents[found]
    if named == agent:
        message = "is the agent itself; name another one"
    elif found == _root(document):
        message = "is the root, which has the task; name another agent"
    elif _has(document, named, "skillbook"):
        message = _OWN_BOOK
    elif value_at(document, (*named, "execution")) == "tool_calling" and _has(document, named, "skills"):
        message = _SAME_TOOL
    else:
        return
    yield Problem(path=path, message=message, found=found)


def _root(document: Mapping[str, object]) -> object:
    """The id of the root: the one that is named, else that of the first agent."""
    named = value_at(document, ("root",))
    first = next(iter(entries_at(document, ("agents",))), None)
    return named if isinstance(named, str) or first is None else value_at(document, (*first, "id"))


def _has(document: Mapping[str, object], agent: Path, name: str) -> bool:
    return any(is_on(document, path) for path in capabilities_at(document, agent, name))
