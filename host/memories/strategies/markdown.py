"""The markdown strategy: memory files under a pinned index; a body is in the window once it was read."""

from collections.abc import Iterable
from typing import ClassVar

from host.memories.model import Figures, Memory
from host.memories.strategies.base import Strategy


class Markdown(Strategy):
    """Pins the index. It bounds the population, since every memory has a line there."""

    name: ClassVar[str] = "markdown"
    creates: ClassVar[str] = "memories.create_memory"
    reads: ClassVar[str | None] = "memories.read_memory"
    edits: ClassVar[str | None] = "memories.edit_memory"
    applies: ClassVar[frozenset[str]] = frozenset(
        {"max_len_per_memory", "max_len_index", "max_len_description"}
    )
    shows: ClassVar[frozenset[str]] = frozenset({"added"})  # of a body that was revised it shows nothing

    def index_chars(self, figures: Figures) -> int | None:
        return figures.index_chars

    def block(self, memories: Iterable[Memory]) -> str:
        return "\n".join(memory.index_line for memory in memories)
