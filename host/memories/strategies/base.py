"""What a strategy answers. Nobody asks for its name to decide something: what differs is a member here."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from host.memories.model import Figures, Memory


class Strategy(ABC):
    """One way to organize memories. Without state: one object serves every store.

    The calls are ids of operations; `None` where the strategy has no call of that sort. `applies` names the
    fields of `MemoryLimits` that bound its stores. `describes` says that a memory must have a description.
    `shows` has the kinds of changes of which nothing is left to tell once the pinned block was made anew.
    """

    name: ClassVar[str]
    creates: ClassVar[str]
    reads: ClassVar[str | None] = None
    revises: ClassVar[str | None] = None
    edits: ClassVar[str | None] = None
    searches: ClassVar[str | None] = None
    deletes: ClassVar[str] = "memories.delete_memory"
    applies: ClassVar[frozenset[str]]
    describes: ClassVar[bool] = True
    shows: ClassVar[frozenset[str]] = frozenset()

    @property
    def calls(self) -> frozenset[str]:
        """Ids of the operations that the strategy offers."""
        return frozenset(call for call in (*self.mutating, self.reads, self.searches) if call)

    @property
    def mutating(self) -> frozenset[str]:
        """Those of them that change the store."""
        return frozenset(call for call in (self.creates, self.revises, self.edits, self.deletes) if call)

    @property
    def revising(self) -> frozenset[str]:
        """Those that change a memory that is there, which an append-only agent does not have."""
        return self.mutating - {self.creates}

    def index_chars(self, figures: Figures) -> int | None:
        """Code points of the pinned index, where the strategy pins one."""
        return None

    @abstractmethod
    def block(self, memories: Iterable[Memory]) -> str | None:
        """The text that the window pins, without its heading; the memories come in the order of names.

        `None` where the strategy pins nothing.
        """
