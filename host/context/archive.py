"""Messages that were taken out of a window and can still be searched."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from host.context.entries import Entry
from host.core.messages import Role

MAX_HITS: Final = 8


@dataclass(frozen=True, kw_only=True)
class Archived:
    """A message in the archive. `seq` counts those that were ever archived, from 1."""

    seq: int
    role: Role
    text: str


@dataclass(frozen=True, kw_only=True)
class ArchiveFound:
    """What a search came to: the best `MAX_HITS` messages."""

    is_empty: bool
    hits: tuple[Archived, ...]


class Archive:
    """The archive of one agent, oldest message first."""

    def __init__(self) -> None:
        self._messages: Final[list[Archived]] = []

    def copy(self) -> "Archive":
        """The same messages, from here on apart."""
        copied = Archive()
        copied._messages.extend(self._messages)
        return copied

    def add(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            text = "\n".join(part for part in (entry.text, *(c.arguments for c in entry.tool_calls)) if part)
            self._messages.append(Archived(seq=len(self._messages) + 1, role=entry.role, text=text))

    def search(self, query: str) -> ArchiveFound:
        """Messages that hold every word of the query, whatever the case; those with most occurrences
        first."""
        words = list(dict.fromkeys(query.casefold().split()))
        counted = [(_occurrences(words, message.text.casefold()), message) for message in self._messages]
        found = sorted((-count, message.seq, message) for count, message in counted if count)
        return ArchiveFound(
            is_empty=not self._messages, hits=tuple(message for _, _, message in found[:MAX_HITS])
        )


def _occurrences(words: list[str], text: str) -> int:
    """How often the words stand in a text; 0 where one of them does not."""
    total = 0
    for word in words:
        count = text.count(word)
        if not count:
            return 0
        total += count
    return total
