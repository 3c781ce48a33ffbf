"""Events of a memory store: the set as it stands, and what was done to it.

`memory_state` is a snapshot without bodies; `memory_revision` is one entry of an append-only history, with
the whole text as of that revision. Folding the revisions rebuilds every store, and each snapshot must equal
the fold.
"""

from typing import Literal

from pydantic import Field

from host.events.types.base import EventModel, Many, MaybeTurn, Part


class MemoryEntry(Part):
    """One memory in a snapshot."""

    name: str = Field(description="Its slug.")
    description: str = Field(description="Its description; empty when it has none.")
    len: int = Field(description="Code points of its body.")
    lines: int = Field(description="Lines of its body.")
    code: bool = Field(default=False, description="Whether it has a code half.")
    on_use: bool = Field(default=False, description="Whether it has an on-use half.")


class MemoryPeak(Part):
    """The most that was ever held at once in this run."""

    count: int = Field(description="Memories.")
    total_len: int = Field(description="Code points of all bodies.")
    total_lines: int = Field(description="Lines of all bodies.")


class MemoryCaps(Part):
    """The limits in force. Absent: lifted, or not applied by the strategy."""

    max_count: int | None = Field(default=None, description="Memories held at once.")
    max_len_per_memory: int | None = Field(default=None, description="Code points of one body.")
    max_total_len: int | None = Field(default=None, description="Code points of all bodies.")
    max_len_index: int | None = Field(default=None, description="Code points of the index.")
    max_len_description: int | None = Field(default=None, description="Code points of one description.")
    max_results: int | None = Field(default=None, description="Hits of one search.")


class MemoryState(EventModel):
    """The set as a holder sees it: at its start, and when a program that changed it has ended."""

    module_id: str = Field(description="Id of the store.")
    strategy: str = Field(description="Its strategy: `scratchpad`, `markdown` or `keyword-search`.")
    memories: Many[MemoryEntry] = Field(description="Every memory held, in the order of slugs.")
    count: int = Field(description="Memories held.")
    total_len: int = Field(description="Code points of all bodies.")
    total_lines: int = Field(description="Lines of all bodies.")
    index_len: int | None = Field(
        default=None, description="Code points of the pinned index, heading excluded; absent where none is."
    )
    peak: MemoryPeak = Field(description="The most that was ever held at once.")
    caps: MemoryCaps = Field(description="The limits in force.")
    scope: str = Field(description="Scope under which this agent holds the store.")
    writable: bool = Field(description="Whether this agent may change it.")


class MemoryRevision(EventModel):
    """One successful mutation, reported once, on the stream of the agent that made it. Its state follows."""

    module_id: str = Field(description="Id of the store.")
    name: str = Field(description="Slug of the memory.")
    revision: int = Field(description="Counts from 1 for each slug, on across a deletion.")
    change: Literal["written", "updated", "deleted"] = Field(description="What became of the memory.")
    op: Literal["write", "update", "edit", "delete"] = Field(
        description="The kind of call that did it; a creation is a `write`."
    )
    description: str = Field(description="Description as of this revision; empty for a deletion.")
    body: str = Field(description="Body as of this revision; empty for a deletion.")
    code: str | None = Field(default=None, description="Code half as of this revision.")
    on_use: str | None = Field(default=None, description="On-use half as of this revision.")
    len: int = Field(description="Code points of the body; 0 for a deletion.")
    lines: int = Field(description="Lines of the body; 0 for a deletion.")
    author: str = Field(description="Agent that made it.")
    turn: MaybeTurn = None


class MemoryRead(EventModel):
    """A memory was asked for by its slug."""

    module_id: str = Field(description="Id of the store.")
    name: str = Field(description="The slug that was asked for.")
    hit: bool = Field(description="Whether it was there.")
    turn: MaybeTurn = None


class MemorySearch(EventModel):
    """Memories were searched for keywords. One that found nothing has a `total` of 0."""

    module_id: str = Field(description="Id of the store.")
    keywords: Many[str] = Field(
        description="As they were given: trimmed, each cut and once, whatever its case."
    )
    total: int = Field(description="How many memories matched.")
    names: Many[str] = Field(description="Slugs of the hits that were given, best first.")
    turn: MaybeTurn = None


class MemoryRefusal(EventModel):
    """A memory call was refused. Nothing was changed, and the fold ignores it."""

    module_id: str = Field(description="Id of the store.")
    call: str = Field(description="Id of the operation.")
    name: str | None = Field(default=None, description="The slug that was given, where it was a text.")
    code: str = Field(description="Code of the `ApiError`.")
    kind: str = Field(description="The rule that refused.")
    message: str = Field(description="The text that the caller reads.")
    figure: int | None = Field(
        default=None, description="What was attempted, where the rule is a limit or a revision."
    )
    limit: int | None = Field(default=None, description="What is allowed.")
    turn: MaybeTurn = None
