"""What a configuration points at: reply folders, Python functions, directories. Checked, and found again."""

import importlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, Final

from host.core.errors import ProviderError, system_reason
from host.core.messages import Reply
from host.core.text import join_words, nearest
from host.launch.places import ABSENT, Path, Problem, entries_at, value_at
from host.providers import ScriptedReply, ScriptedSource, read_reply_folder

FUNCTION: Final = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)", re.ASCII)


class FunctionNotFound(Exception):
    """`module:function` leads to nothing that can be called; the message says at which step."""


def resolve_replies(replies: object, *, base: FilePath, way: tuple[str, ...]) -> ScriptedSource:
    """The source of replies that a checked `replies` value names; a folder is read here, once.

    `way`: the agent's id and its execution mode, by which it finds its own part of the folder.
    """
    if isinstance(replies, list):
        return tuple(replies)
    if callable(replies):
        return replies
    assert isinstance(replies, str), "the models let nothing else through"
    if FUNCTION.fullmatch(replies):
        return import_function(replies, base=base)
    return read_reply_folder(reply_folder(base / replies, way))


def names_function(text: str) -> bool:
    """Whether it is written as `module:function`."""
    return FUNCTION.fullmatch(text) is not None


def reply_folder(folder: FilePath, way: tuple[str, ...]) -> FilePath:
    """The deepest folder that there is on the way: `<folder>/<agent id>/<execution>`."""
    for step in way:
        if not os.path.isdir(folder / step):
            break
        folder /= step
    return folder


def replies_problems(
    document: Mapping[str, object], path: Path, *, base: FilePath, ways: Sequence[tuple[str, ...]]
) -> Iterator[Problem]:
    """What keeps a scripted model's replies from being used by its agents, of which each has a way."""
    found = value_at(document, path)
    if isinstance(found, list):
        yield from _list_problems(document, path)
    elif isinstance(found, str):
        faults = _folder_faults(found, base, ways)
        if FUNCTION.fullmatch(found):
            faults = _function_fault(found, base)
        yield from (Problem(path=path, message=message, found=found) for message in faults)


def directory_problem(
    document: Mapping[str, object],
    path: Path,
    *,
    base: FilePath,
    is_required: bool,
    what: str = "that programs may use",
) -> Iterator[Problem]:
    """A directory that is named but not there; absent altogether it is a problem where it is required.

    `what` follows "the directory".
    """
    found = value_at(document, path)
    if found in (None, ABSENT) and is_required:
        yield Problem(path=path, message=f"required: the directory {what}")
    if isinstance(found, str) and found.strip() and not os.path.isdir(base / found):
        kind = "is no directory" if os.path.exists(base / found) else "does not exist"
        yield Problem(path=path, message=f"{base / found} {kind}", found=found)


def import_function(reference: str, *, base: FilePath) -> Callable[..., Any]:
    """Imports `module:function`, with modules beside the configuration in reach."""
    module_name, _, qualified = reference.partition(":")
    if str(base) not in sys.path:
        # At the end: a file beside a configuration must not hide an installed module.
        sys.path.append(str(base))
        importlib.invalidate_caches()
    try:
        found: object = importlib.import_module(module_name)
    except (Exception, SystemExit) as err:  # whatever the operator's own module does is the configuration's
        hint = _where_modules_are(module_name, err, base)
        raise FunctionNotFound(
            f"{module_name} cannot be imported: {type(err).__name__}: {err}{hint}"
        ) from err
    _check_origin(module_name, found, base)
    for name in qualified.split("."):
        try:
            found = getattr(found, name)
        except Exception as err:
            hint = _did_you_mean(nearest(name, vars(found) if hasattr(found, "__dict__") else (), count=1))
            raise FunctionNotFound(f"{module_name} has no {qualified}{hint}") from err
    if not callable(found):
        raise FunctionNotFound(
            f"{reference} is {_with_article(type(found).__name__)}, which cannot be called"
        )
    return found


def _where_modules_are(module_name: str, err: BaseException, base: FilePath) -> str:
    """Of a module that is not there, which one may have been meant, or where it was looked for."""
    top = module_name.partition(".")[0]
    if not isinstance(err, ModuleNotFoundError) or err.name != top:
        return ""
    near = nearest(top, (path.stem for path in base.glob("*.py")), count=1)
    return _did_you_mean(near) or f"; it is neither in {base} nor installed beside gg"


def _did_you_mean(near: Sequence[str]) -> str:
    return f"; did you mean {near[0]}?" if near else ""


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _check_origin(module_name: str, module: object, base: FilePath) -> None:
    """A module imported earlier from another place must not answer for the file beside this one."""
    beside = base.joinpath(*module_name.split("."))
    candidates = [path for path in (beside.with_suffix(".py"), beside / "__init__.py") if path.is_file()]
    origin = getattr(module, "__file__", None)
    if candidates and (origin is None or FilePath(origin).resolve() not in [c.resolve() for c in candidates]):
        raise FunctionNotFound(
            f"{module_name} is another module, {origin or 'built in'}; rename {candidates[0]}"
        )


def _list_problems(document: Mapping[str, object], path: Path) -> Iterator[Problem]:
    entries = entries_at(document, path)
    if not entries:
        yield Problem(path=path, message="needs at least one reply", found=[])
    for entry in entries:
        found = value_at(document, entry)
        if not isinstance(found, str | Reply | ScriptedReply):
            yield Problem(path=entry, message="needs a whole reply as text", found=found)


def _function_fault(found: str, base: FilePath) -> Iterator[str]:
    try:
        import_function(found, base=base)
    except FunctionNotFound as err:
        yield str(err)


def _folder_faults(found: str, base: FilePath, ways: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """What is wrong with each folder that is come to; of several agents it is said whose it is."""
    agents: dict[FilePath, list[str]] = {}
    for way in dict.fromkeys(ways):
        agents.setdefault(reply_folder(base / found, way), []).extend(way[:1])
    for folder, whose in agents.items():
        fault = _folder_fault(folder)
        if fault is not None:
            told = f"; it is that of {join_words(whose)}" if len(ways) > 1 and whose else ""
            yield f"{fault}{told}"


def _folder_fault(folder: FilePath) -> str | None:
    try:
        replies = read_reply_folder(folder)
    except ProviderError as err:
        return str(err)
    except (OSError, ValueError) as err:
        reason = system_reason(err) if isinstance(err, OSError) else str(err)
        return f"the folder {folder} cannot be read: {reason}"
    return None if replies else f"the folder {folder} holds no reply: no file *.json, *.md, *.ts or *.txt"
