"""A search: what is looked for, which memories hold it, and an excerpt of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from host.memories.folding import fold, original_span
from host.memories.model import Memory

EXCERPT_CHARS: Final = 80
"""Of the body, on each side of what was found."""


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A memory that holds some of the keywords: how many of them, and how often all of them together."""

    name: str
    description: str
    matched: int
    occurrences: int
    excerpt: str
    revision: int


@dataclass(frozen=True, kw_only=True)
class Found:
    """The best hits, best first; `total` is how many memories matched, `searched` how many there were."""

    hits: tuple[Hit, ...]
    total: int
    searched: int


def usable(keywords: Iterable[str]) -> tuple[str, ...]:
    """The keywords as they are looked for: trimmed, folded, each once, none blank."""
    return tuple(dict.fromkeys(folded for keyword in keywords if (folded := fold(keyword.strip()))))


def rank(memories: Iterable[Memory], keywords: Sequence[str]) -> list[tuple[int, int, Memory]]:
    """Those that hold a keyword, with how many of them and how often, best first, else by name."""
    ranked = []
    for memory in memories:
        counts = [sum(text.count(keyword) for text in memory.folded) for keyword in keywords]
        if occurrences := sum(counts):
            ranked.append((sum(map(bool, counts)), occurrences, memory))
    return sorted(ranked, key=lambda found: (-found[0], -found[1], found[2].name))


def hit(memory: Memory, keywords: Sequence[str], matched: int, occurrences: int) -> Hit:
    return Hit(
        name=memory.name,
        description=memory.description,
        matched=matched,
        occurrences=occurrences,
        excerpt=excerpt(memory, keywords),
        revision=memory.revision,
    )


def excerpt(memory: Memory, keywords: Sequence[str]) -> str:
    """The body around the first place that was found in it, or its top; on one line, cuts marked by `…`."""
    body, folded = memory.body, memory.folded[2]
    places = [(at, -len(keyword)) for keyword in keywords if (at := folded.find(keyword)) >= 0]
    start = end = 0
    if places:
        at, less = min(places)
        start, end = original_span(body, folded, at, at - less)
    begin, stop = max(0, start - EXCERPT_CHARS), end + EXCERPT_CHARS
    text = " ".join(body[begin:stop].split())
    return f"{'…' if begin > 0 else ''}{text}{'…' if stop < len(body) else ''}"
