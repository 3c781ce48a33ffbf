"""A search: what is looked for, which memories hold it, and an excerpt of each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest, nsmallest
from typing import Final

from host.memories.folding import fold, original_span
from host.memories.model import Memory

EXCERPT_CHARS: Final = 80
"""Of the body, on each side of what was found."""

_MATCHED: Final = 2**48
"""What a keyword counts more than any number of occurrences, so that one number ranks by both."""


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
    """The best hits, best first; `total` is how many memories matched, `searched` how many there were.

    `keywords` are those that were looked for, trimmed and folded.
    """

    keywords: tuple[str, ...]
    hits: tuple[Hit, ...]
    total: int
    searched: int


def usable(keywords: Iterable[str]) -> tuple[str, ...]:
    """The keywords as they are looked for: trimmed, folded, each once, none blank."""
    return tuple(dict.fromkeys(folded for keyword in keywords if (folded := fold(keyword.strip()))))


def rank(found: Iterable[Mapping[str, int]], count: int | None) -> tuple[list[tuple[str, int, int]], int]:
    """The `count` best names with how many keywords they hold and how often; and how many names hold any.

    `found` has for each keyword how often it stands in each memory that holds it.
    """
    scores: dict[str, int] = {}
    for occurrences in found:
        for name, times in occurrences.items():
            scores[name] = scores.get(name, 0) + _MATCHED + times
    best = _best(scores, count)
    return [(name, *divmod(scores[name], _MATCHED)) for name in best], len(scores)


def _best(scores: Mapping[str, int], count: int | None) -> list[str]:
    names: Iterable[str] = scores
    if count is not None and count < len(scores):
        least = nlargest(count, scores.values())[-1]
        above = [name for name, score in scores.items() if score > least]
        level = [name for name, score in scores.items() if score == least]
        names = [*above, *nsmallest(count - len(above), level)]
    return sorted(names, key=lambda name: (-scores[name], name))


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
