"""Searches the files of a tree, in the order of their paths, within a bound of time, entries and bytes.

What an ignore-file names is passed over, and so is what no model could read: `.git`, files that hold a NUL or
are no UTF-8, and what the system or the workspace does not let in.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import BinaryIO, Final, Protocol

from host.core.clock import Clock
from host.core.errors import Refusal
from host.core.ignore_rules import IGNORE_FILES, MAX_IGNORE_BYTES, IgnoreRules
from host.core.text import counted, format_size, quoted
from host.operations.workspace.attempt import Attempt
from host.operations.workspace.folder import Entry, EntryKind
from host.operations.workspace.line_search import LinePattern, NotText, search_lines

MAX_MATCHES: Final = 200
MAX_SEARCH_S: Final = 5.0
MAX_ENTRIES: Final = 100_000
MAX_SEARCHED_BYTES: Final = 2**30

_UNSEARCHED: Final = ".git"

Parts = tuple[str, ...]


class Tree(Protocol):
    """What is searched. Paths are given by their parts from the root; each method raises `Refusal` or
    `OSError`.
    """

    def kind_of(self, parts: Parts) -> EntryKind: ...

    def entries(self, parts: Parts) -> Iterator[Entry]: ...

    def file(self, parts: Parts) -> AbstractContextManager[tuple[BinaryIO, int]]:
        """The file, open for reading, and its size in bytes."""
        ...


@dataclass(frozen=True)
class Match:
    """A line that matches; `path` leads from the root of the tree."""

    path: str
    line: int
    text: str


def search_tree(
    tree: Tree, start: Parts, pattern: LinePattern, most: int, attempt: Attempt, clock: Clock
) -> tuple[Match, ...]:
    """The first `most` matches at or below `start`, which is searched even where it is ignored itself.

    Raises what opening `start` raises, and `Refusal`: `invalid-argument` where it is a file that is no text,
    `limit-exceeded` at a bound.
    """
    search = _Search(tree, pattern, most, _Budget(clock))
    try:
        search.run(start)
    except _Stopped as stopped:
        raise attempt.refusal("limit-exceeded", str(stopped), "search_bound") from None
    except NotText:
        reason = "it is no UTF-8 text, or it holds a NUL"
        raise attempt.refusal("invalid-argument", reason, "not_text") from None
    return tuple(search.found)


class _Stopped(Exception):
    """A bound was reached; the text says which, and how far the search had come."""


class _Budget:
    """What a search may cost, and what it has cost so far."""

    def __init__(self, clock: Clock) -> None:
        self._clock: Final = clock
        self._began_s: Final = clock.monotonic()
        self._entries = 0
        self._bytes = 0
        self._file = ""

    def begin(self, path: str) -> None:
        """A file is about to be searched."""
        self._file = path

    def spend_entry(self) -> None:
        self._entries += 1
        self.check()

    def spend_bytes(self, size_bytes: int) -> None:
        self._bytes += size_bytes
        self.check()

    def check(self) -> None:
        """Raises `_Stopped` where a bound is reached."""
        if self._entries > MAX_ENTRIES:
            self._stop(f"there are more than {MAX_ENTRIES:,} entries")
        if self._bytes > MAX_SEARCHED_BYTES:
            self._stop(f"there are more than {format_size(MAX_SEARCHED_BYTES)} of text")
        if self._clock.monotonic() - self._began_s > MAX_SEARCH_S:
            self._stop(f"it takes more than {MAX_SEARCH_S:g} s")

    def _stop(self, reason: str) -> None:
        place = f", the last of it in {quoted(self._file)}" if self._file else ""
        raise _Stopped(
            f"{reason}. Looked at: {counted(self._entries, 'entry')} with {format_size(self._bytes)}{place}."
            " Search a part with path, or name what is generated in a .gitignore"
        )


@dataclass(frozen=True)
class _Due:
    """A file or a directory that is to be searched, and the rules that hold in its directory."""

    parts: Parts
    is_directory: bool
    rules: IgnoreRules


class _Search:
    """One search. It holds what is due beside the path to where it is, and no descriptor but one."""

    def __init__(self, tree: Tree, pattern: LinePattern, most: int, budget: _Budget) -> None:
        self._tree: Final = tree
        self._pattern: Final = pattern
        self._most: Final = most
        self._budget: Final = budget
        self.found: Final[list[Match]] = []

    def run(self, start: Parts) -> None:
        if start and self._tree.kind_of(start) != "directory":
            with self._tree.file(start) as (file, size_bytes):
                self._search_file(start, file, size_bytes)
            return
        due = self._below(_Due(start, True, self._rules_above(start)), self._entries(start))
        while due and len(self.found) < self._most:
            self._budget.check()
            one = due.pop()
            if one.rules.ignores(one.parts, is_directory=one.is_directory):
                continue
            if one.is_directory:
                due += self._enter(one)
            else:
                self._try_file(one.parts)

    def _rules_above(self, start: Parts) -> IgnoreRules:
        """The rules that hold where `start` lies; none where they ignore it or what it lies in."""
        rules = IgnoreRules()
        for depth in range(len(start)):
            rules = self._with_files(rules, start[:depth], self._entries(start[:depth]))
            if rules.ignores(start[: depth + 1], is_directory=True):
                return IgnoreRules()
        return rules

    def _enter(self, directory: _Due) -> list[_Due]:
        try:
            entries = self._entries(directory.parts)
        except (Refusal, OSError):  # closed to the program or to gg: nothing that could be read
            return []
        return self._below(directory, entries)

    def _entries(self, parts: Parts) -> list[Entry]:
        entries: list[Entry] = []
        for entry in self._tree.entries(parts):
            self._budget.spend_entry()
            entries.append(entry)
        return entries

    def _below(self, directory: _Due, entries: list[Entry]) -> list[_Due]:
        """What may have to be searched in a directory, the last of it first."""
        rules = self._with_files(directory.rules, directory.parts, entries)
        return [
            _Due((*directory.parts, entry.name), entry.kind == "directory", rules)
            for entry in sorted(entries, key=_in_path_order, reverse=True)
            if entry.kind != "other" and entry.name != _UNSEARCHED
        ]

    def _with_files(self, rules: IgnoreRules, parts: Parts, entries: list[Entry]) -> IgnoreRules:
        names = {entry.name for entry in entries if entry.kind == "file"}
        for name in IGNORE_FILES:
            if name in names and (data := self._ignore_file((*parts, name))):
                rules = rules.with_file(data, len(parts))
        return rules

    def _ignore_file(self, parts: Parts) -> bytes:
        try:
            with self._tree.file(parts) as (file, _):
                return file.read(MAX_IGNORE_BYTES)
        except (Refusal, OSError):
            return b""

    def _try_file(self, parts: Parts) -> None:
        with ExitStack() as opened:
            try:
                file, size_bytes = opened.enter_context(self._tree.file(parts))
            except (Refusal, OSError):
                return
            try:
                self._search_file(parts, file, size_bytes)
            except NotText:
                return

    def _search_file(self, parts: Parts, file: BinaryIO, size_bytes: int) -> None:
        path = "/".join(parts)
        self._budget.begin(path)
        most = self._most - len(self.found)
        matches = search_lines(file, size_bytes, self._pattern, most, self._budget.spend_bytes)
        self.found.extend(Match(path, match.line, match.text) for match in matches)


def _in_path_order(entry: Entry) -> str:
    """So that whole paths come in the order of their characters."""
    return f"{entry.name}/" if entry.kind == "directory" else entry.name
