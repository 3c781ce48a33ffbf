"""What a store holds: the memories and their figures, and an entry of each mutation for its record.

Revision numbers belong to the name and survive a deletion, and so do the peaks. The entries are the record's
to keep; the store knows how many there were.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator
from typing import Final

from host.memories.model import Figures, Memory, MemoryDraft, Op, Peak, RevisionEntry
from host.memories.search_index import SearchIndex


class Contents:
    """Memories by name. Not safe by itself: the store hands it out under its lock alone.

    `index` follows what is held, where memories are searched. `position` is how many mutations there were:
    the position of the next one.
    """

    def __init__(self, index: SearchIndex | None = None) -> None:
        self.index: Final = index
        self._by_name: dict[str, Memory] = {}
        self._names: list[str] = []
        self._revisions: dict[str, int] = {}
        self.position = 0
        self.figures = Figures()
        self.peak = Peak()

    def copy(self) -> "Contents":
        """The same memories, revision numbers and peaks, from here on apart."""
        copied = Contents(self.index and self.index.copy())
        copied._by_name = self._by_name.copy()
        copied._names = self._names.copy()
        copied._revisions = self._revisions.copy()
        copied.position, copied.figures, copied.peak = self.position, self.figures, self.peak
        return copied

    def __iter__(self) -> Iterator[Memory]:
        """The memories in the order of their names."""
        return map(self._by_name.__getitem__, self._names)

    def find(self, name: str) -> Memory | None:
        return self._by_name.get(name)

    def names_around(self, name: str, count: int) -> list[str]:
        """The names that stand, in order, up to `count` places before and after `name`."""
        place = bisect_left(self._names, name)
        return self._names[max(0, place - count) : place + count]

    def put(self, draft: MemoryDraft, *, op: Op, author: str, turn: int) -> RevisionEntry:
        """Stores the draft as it is, in place of the memory of that name where there is one."""
        before = self._by_name.get(draft.name)
        if before is None:
            insort(self._names, draft.name)
        else:
            self._drop(before)
        memory = draft.stored(revision=self._next_revision(draft.name))
        self._by_name[memory.name] = memory
        self.figures = self.figures.plus(memory)
        if self.index is not None:
            self.index.add(memory)
        self.peak = self.peak.raised_to(self.figures)
        return RevisionEntry(
            position=self._next_position(),
            name=memory.name,
            revision=memory.revision,
            change="updated" if before else "written",
            op=op,
            description=memory.description,
            body=memory.body,
            code=memory.code,
            on_use=memory.on_use,
            author=author,
            turn=turn,
        )

    def remove(self, memory: Memory, *, author: str, turn: int) -> RevisionEntry:
        del self._by_name[memory.name]
        del self._names[bisect_left(self._names, memory.name)]
        self._drop(memory)
        return RevisionEntry(
            position=self._next_position(),
            name=memory.name,
            revision=self._next_revision(memory.name),
            change="deleted",
            op="delete",
            description="",
            body="",
            code=None,
            on_use=None,
            author=author,
            turn=turn,
        )

    def _drop(self, memory: Memory) -> None:
        self.figures = self.figures.minus(memory)
        if self.index is not None:
            self.index.remove(memory)

    def _next_revision(self, name: str) -> int:
        self._revisions[name] = self._revisions.get(name, 0) + 1
        return self._revisions[name]

    def _next_position(self) -> int:
        self.position += 1
        return self.position - 1
