"""What a store is made of, as values: drafts, memories, the figures of a set, entries of its record."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from host.core.text import count_lines
from host.events import MemoryEntry
from host.memories.folding import fold
from host.memories.limits import Caps

Change = Literal["written", "updated", "deleted"]
Op = Literal["write", "update", "edit", "delete"]


@dataclass(frozen=True, kw_only=True)
class MemoryDraft:
    """A memory as a call gives it."""

    name: str
    description: str
    body: str
    code: str | None = None
    on_use: str | None = None

    def trimmed(self) -> "MemoryDraft":
        """As it is stored: texts trimmed at both ends, a code half whole, or absent when it is blank."""
        return replace(
            self,
            name=self.name.strip(),
            description=self.description.strip(),
            body=self.body.strip(),
            code=_half(self.code),
            on_use=_half(self.on_use),
        )

    def stored(self, *, revision: int) -> "Memory":
        return Memory(
            name=self.name,
            description=self.description,
            body=self.body,
            code=self.code,
            on_use=self.on_use,
            revision=revision,
        )


@dataclass(frozen=True)
class Edit:
    """A change of a body: the text that stands there once, and the text in its place."""

    search: str
    replace: str


@dataclass(frozen=True, kw_only=True)
class Memory:
    """A stored note. `revision` counts the mutations under its name from 1, on across a deletion."""

    name: str
    description: str
    body: str
    code: str | None
    on_use: str | None
    revision: int

    def draft(self, *, body: str) -> MemoryDraft:
        """This memory with another body, to be stored anew."""
        return MemoryDraft(
            name=self.name, description=self.description, body=body, code=self.code, on_use=self.on_use
        )

    @property
    def chars(self) -> int:
        return len(self.body)

    @cached_property
    def lines(self) -> int:
        return count_lines(self.body)

    @cached_property
    def entry(self) -> MemoryEntry:
        """This memory in the events that report its store, made once: each tells all memories."""
        return MemoryEntry(
            name=self.name,
            description=self.description,
            len=self.chars,
            lines=self.lines,
            code=self.code is not None,
            on_use=self.on_use is not None,
        )

    @cached_property
    def index_line(self) -> str:
        """This memory in the index: both the line that is shown and the line that is measured."""
        return f"- `{self.name}` — {self.description}" if self.description else f"- `{self.name}`"

    @cached_property
    def folded(self) -> str:
        """Name, description and body as a search compares them, a line break between them."""
        return fold(f"{self.name}\n{self.description}\n{self.body}")

    @property
    def folded_texts(self) -> tuple[str, str, str]:
        """The three apart. No line break is in the first two."""
        name, description, body = self.folded.split("\n", 2)
        return name, description, body


@dataclass(frozen=True)
class Figures:
    """How much a set of memories holds, kept step by step so that no call counts it anew."""

    count: int = 0
    total_chars: int = 0
    total_lines: int = 0
    index_chars: int = 0

    def plus(self, memory: Memory) -> "Figures":
        return Figures(
            self.count + 1,
            self.total_chars + memory.chars,
            self.total_lines + memory.lines,
            self.index_chars + len(memory.index_line) + (1 if self.count else 0),
        )

    def minus(self, memory: Memory) -> "Figures":
        return Figures(
            self.count - 1,
            self.total_chars - memory.chars,
            self.total_lines - memory.lines,
            self.index_chars - len(memory.index_line) - (1 if self.count > 1 else 0),
        )


@dataclass(frozen=True)
class Peak:
    """The most that a store ever held at once."""

    count: int = 0
    total_chars: int = 0
    total_lines: int = 0

    def raised_to(self, figures: Figures) -> "Peak":
        return Peak(
            max(self.count, figures.count),
            max(self.total_chars, figures.total_chars),
            max(self.total_lines, figures.total_lines),
        )


@dataclass(frozen=True, kw_only=True)
class RevisionEntry:
    """One successful mutation. `position` counts all entries of the store from 0; a deletion has no texts."""

    position: int
    name: str
    revision: int
    change: Change
    op: Op
    description: str
    body: str
    code: str | None
    on_use: str | None
    author: str
    turn: int

    @property
    def chars(self) -> int:
        return len(self.body)

    @property
    def lines(self) -> int:
        return count_lines(self.body) if self.body else 0


@dataclass(frozen=True, kw_only=True)
class MemoryUsage:
    """How full a set is after a mutation, and the revision that the mutation made."""

    count: int
    max_count: int | None
    total_chars: int
    max_total_chars: int | None
    index_chars: int | None
    max_index_chars: int | None
    revision: int


@dataclass(frozen=True)
class Mutation:
    """What a successful mutation did."""

    usage: MemoryUsage
    revision: RevisionEntry


@dataclass(frozen=True, kw_only=True)
class StateSnapshot:
    """A store as one holder sees it, memories in the order of their names."""

    module_id: str
    strategy: str
    memories: tuple[Memory, ...]
    figures: Figures
    peak: Peak
    caps: Caps
    scope: str
    writable: bool


def _half(code: str | None) -> str | None:
    return code if code and code.strip() else None
