"""Walks a folder for what can be checked in it: programs and skills."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from host.app.check.record import leads_to_record
from host.app.check.sources import SourceFault
from host.core.errors import system_reason
from host.skills import is_skill

PROGRAM_SUFFIXES: Final = (".ts", ".mts", ".js")

_LEFT_OUT: Final = frozenset({"node_modules"})


@dataclass(frozen=True)
class Item:
    """Something in a folder. A fault is a folder that cannot be listed, with the reason."""

    kind: Literal["folder", "skill", "file", "fault"]
    path: Path
    fault: SourceFault | None = None


def walk(root: Path) -> Iterator[Item]:
    """What is below `root`, in the order of names; a folder comes before what is in it, `root` is not given.

    Left out are hidden files and folders, `node_modules`, session records, links to folders, and what is no
    file. Of a skill nothing but its folder is given.
    """
    stack = [_items(root)]
    while stack:
        item = next(stack[-1], None)
        if item is None:
            stack.pop()
            continue
        yield item
        if item.kind == "folder":
            stack.append(_items(item.path))


def _items(folder: Path) -> Iterator[Item]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except FileNotFoundError:  # deleted since its own folder was listed
        return
    except OSError as error:
        yield Item("fault", folder, SourceFault(f"cannot be listed: {system_reason(error)}"))
        return
    for entry in entries:
        path = folder / entry.name
        if entry.name.startswith(".") or entry.name in _LEFT_OUT:
            continue
        if entry.is_dir(follow_symlinks=False):
            if is_skill(path):
                yield Item("skill", path)
            elif not leads_to_record(path):
                yield Item("folder", path)
        elif path.suffix in PROGRAM_SUFFIXES and _is_file(entry):
            yield Item("file", path)


def _is_file(entry: "os.DirEntry[str]") -> bool:
    """A link to nothing counts: somebody means it to be a file."""
    try:
        return entry.is_file() or (entry.is_symlink() and not os.path.exists(entry.path))
    except OSError:  # a link that leads back to itself
        return True
