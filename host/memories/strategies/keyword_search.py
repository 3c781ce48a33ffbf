"""The keyword-search strategy: memory files without an index; what is not looked for is not in the window."""

from collections.abc import Iterable
from typing import ClassVar

from host.memories.model import Memory
from host.memories.strategies.base import Strategy


class KeywordSearch(Strategy):
    """Pins nothing, so that neither bodies nor an index bound the set: a count does."""

    name: ClassVar[str] = "keyword-search"
    creates: ClassVar[str] = "memories.create_memory"
    reads: ClassVar[str | None] = "memories.read_memory"
    edits: ClassVar[str | None] = "memories.edit_memory"
    searches: ClassVar[str | None] = "memories.search_memories"
    applies: ClassVar[frozenset[str]] = frozenset(
        {"max_count", "max_len_per_memory", "max_len_description", "max_results"}
    )
    describes: ClassVar[bool] = False

    def block(self, memories: Iterable[Memory]) -> None:
        """Nothing: the memories are found by a search."""
