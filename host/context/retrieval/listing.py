"""The files beneath a root that may be searched, in the order of their paths.

Links are passed over: what one leads to is found where it lies, if it lies beneath the root.
"""

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from host.context.beneath import open_beneath
from host.core.ignore_rules import MAX_IGNORE_BYTES, IgnoreRules

IGNORED_NAMES: Final = frozenset({".git", "node_modules", "__pycache__", ".venv", "dist", "build"})
IGNORE_FILE: Final = ".gitignore"
MAX_ENTRIES: Final = 400_000
"""Entries of directories that are looked at."""

_NO_RULES: Final = IgnoreRules()


class Stamp(NamedTuple):
    """What changes when a file does."""

    inode: int
    mtime_ns: int
    ctime_ns: int
    size: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Stamp":
        return cls(status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size)


class Listed(NamedTuple):
    """A regular file; its path leads from the root, with slashes."""

    path: str
    stamp: Stamp


@dataclass(kw_only=True)
class Listing:
    """What a walk has come by. Suffixes are counted for files that have none of the wanted ones."""

    unreadable: list[str] = field(default_factory=list)
    excluded: Counter[str] = field(default_factory=Counter)
    entries: int = 0
    is_cut: bool = False


def list_files(root: str, suffixes: Sequence[str], listing: Listing) -> Iterator[Listed]:
    """The regular files with one of the suffixes that nothing ignores, each as it is come to.

    `suffixes` are in lower case; `root` is resolved. What is passed over is told to `listing`.
    """
    wanted = tuple(suffixes)
    waiting: list[_Directory | Listed] = [_Directory("", _NO_RULES)]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Listed):
            yield found
        else:
            inner = _entries(root, found, wanted, listing)
            waiting += sorted(inner, key=lambda entry: entry.path, reverse=True)


def is_ignored(root: str, parts: Sequence[str]) -> bool:
    """Whether the walk passes over the file at these parts or over a directory on the way to it."""
    rules = _NO_RULES
    for depth in range(len(parts)):
        is_directory = depth < len(parts) - 1
        rules = _with_file(rules, root, parts[:depth])
        if parts[depth] in IGNORED_NAMES and is_directory:
            return True
        if rules.ignores(parts[: depth + 1], is_directory=is_directory):
            return True
    return False


class _Directory(NamedTuple):
    path: str
    outer_rules: IgnoreRules


def _entries(
    root: str, directory: _Directory, wanted: tuple[str, ...], listing: Listing
) -> list[_Directory | Listed]:
    if listing.is_cut:
        return []
    try:
        with os.scandir(os.path.join(root, directory.path)) as scanned:
            entries = list(scanned)
    except OSError:
        listing.unreadable.append(_printable(directory.path or "."))
        return []
    prefix = f"{directory.path}/" if directory.path else ""
    parts = directory.path.split("/") if directory.path else []
    rules = directory.outer_rules
    if any(entry.name == IGNORE_FILE for entry in entries):
        rules = _with_file(rules, root, parts)
    kept: list[_Directory | Listed] = []
    for entry in entries:
        listing.entries += 1
        if listing.entries > MAX_ENTRIES:
            listing.is_cut = True
            break
        found = _entry(entry, prefix, parts, rules, wanted, listing)
        if found is not None:
            kept.append(found)
    return kept


def _entry(
    entry: "os.DirEntry[str]",
    prefix: str,
    parts: list[str],
    rules: IgnoreRules,
    wanted: tuple[str, ...],
    listing: Listing,
) -> "_Directory | Listed | None":
    name = entry.name
    is_directory = entry.is_dir(follow_symlinks=False)
    if is_directory and name in IGNORED_NAMES:
        return None
    if not is_directory and not entry.is_file(follow_symlinks=False):
        return None
    is_wanted = is_directory or name.lower().endswith(wanted)
    if not _is_utf8(name):
        if is_wanted:
            listing.unreadable.append(_printable(prefix + name))
        return None
    if rules is not _NO_RULES and rules.ignores([*parts, name], is_directory=is_directory):
        return None
    if is_directory:
        return _Directory(prefix + name, rules)
    if not is_wanted:
        listing.excluded[os.path.splitext(name)[1].lower()] += 1
        return None
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        listing.unreadable.append(prefix + name)
        return None
    return Listed(prefix + name, Stamp.of(status)) if stat.S_ISREG(status.st_mode) else None


def _with_file(rules: IgnoreRules, root: str, parts: Sequence[str]) -> IgnoreRules:
    try:
        descriptor = open_beneath(root, [*parts, IGNORE_FILE])
    except OSError:
        return rules
    try:
        return rules.with_file(os.read(descriptor, MAX_IGNORE_BYTES), len(parts))
    finally:
        os.close(descriptor)


def _is_utf8(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)


def _printable(path: str) -> str:
    return path.encode("utf-8", "backslashreplace").decode()
