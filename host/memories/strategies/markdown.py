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
    told: ClassVar[str] = """\
You keep memories: notes that you write and maintain yourself with the functions of `memories`, as
files with an index. The index is one line per memory, and a memory's body comes into your window
when you read it. The index you see is rebuilt at a compaction alone, so a memory that you created
since is stored and readable although its line is missing. The set is bounded; a write over a limit
is refused, and the refusal says what would help."""
    told_of_code: ClassVar[str] = "A memory is used when you read it, and its code loads then."

    def index_chars(self, figures: Figures) -> int | None:
        return figures.index_chars

    def block(self, memories: Iterable[Memory]) -> str:
        return "\n".join(memory.index_line for memory in memories)
