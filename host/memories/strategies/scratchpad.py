"""The scratchpad strategy: every memory is pinned in the window, body and all."""

from collections.abc import Iterable
from typing import ClassVar

from host.core.text import fenced
from host.memories.model import Memory
from host.memories.strategies.base import Strategy


class Scratchpad(Strategy):
    """Pins every body, so their number, each length and their sum are bounded; nothing is left to read."""

    name: ClassVar[str] = "scratchpad"
    creates: ClassVar[str] = "memories.write_memory"
    revises: ClassVar[str | None] = "memories.update_memory"
    applies: ClassVar[frozenset[str]] = frozenset(
        {"max_count", "max_len_per_memory", "max_total_len", "max_len_description"}
    )
    shows: ClassVar[frozenset[str]] = frozenset({"added", "updated"})

    def block(self, memories: Iterable[Memory]) -> str:
        return "\n\n".join(map(_entry, memories))


def _entry(memory: Memory) -> str:
    return f"{memory.index_line}\n{fenced(memory.body)}"
