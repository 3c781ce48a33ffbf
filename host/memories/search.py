"""A search: what is looked for, which memories hold it, and an excerpt of each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest, nsmallest
from typing import Final, NamedTuple

from host.core.scrubbing.cuts import first_cut, last_cut
from host.memories.folding import fold, original_span
from host.memories.model import Memory
from host.memories.search_index import SearchIndex

EXCERPT_CHARS: Final = 80
"""Of the body, on each side of what was found."""
MAX_FOUND_CHARS: Final = 500
"""Of what was found itself: a keyword can be as long as a body, and so can the marks on one letter."""

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
    """The best hits, best first; `total` is how many memories matched.

    `keywords` are those that were looked for, as they were given first, trimmed.
    """

    keywords: tuple[str, ...]
    hits: tuple[Hit, ...]
    total: int


class Scored(NamedTuple):
    """A memory with how many of the keywords it holds, and how often all of them together."""

    memory: Memory
    matched: int
    occurrences: int


def usable(keywords: Iterable[str]) -> dict[str, str]:
    """The keywords as they are looked for, trimmed and folded, none blank; each with how it was given."""
    found: dict[str, str] = {}
    for keyword in map(str.strip, keywords):
        if keyword:
            found.setdefault(fold(keyword), keyword)
    return found


def ranked(index: SearchIndex, keywords: Sequence[str], count: int | None) -> tuple[list[Scored], int]:
    """The `count` best of the memories that hold a keyword, best first, else by name; and how many do."""
    scores: dict[str, int] = {}
    for keyword in keywords:
        found, before = index.occurrences(keyword), scores.get
        for name, times in found.items():
            scores[name] = before(name, 0) + _MATCHED + times
    best = [Scored(index[name], *divmod(scores[name], _MATCHED)) for name in _best(scores, count)]
    return best, len(scores)


def _best(scores: Mapping[str, int], count: int | None) -> list[str]:
    names: Iterable[str] = scores
    if count is not None and count < len(scores):
        least = nlargest(count, scores.values())[-1]
        above = [name for name, score in scores.items() if score > least]
        level = [name for name, score in scores.items() if score == least]
        names = [*above, *nsmallest(count - len(above), level)]
    return sorted(names, key=lambda name: (-scores[name], name))


def hit(scored: Scored, keywords: Sequence[str]) -> Hit:
    memory = scored.memory
    return Hit(
        name=memory.name,
        description=memory.description,
        matched=scored.matched,
        occurrences=scored.occurrences,
        excerpt=_excerpt(memory, keywords),
        revision=memory.revision,
    )


def _excerpt(memory: Memory, keywords: Sequence[str]) -> str:
    """The body around the first place that was found in it, or its top; on one line, cuts marked by `…`."""
    body, folded = memory.body, memory.folded_texts[2]
    places = [(at, -len(keyword)) for keyword in keywords if (at := folded.find(keyword)) >= 0]
    start = end = 0
    if places:
        at, less = min(places)
        start, end = original_span(body, folded, at, at - less)
    begin, stop = max(0, start - EXCERPT_CHARS), min(end, start + MAX_FOUND_CHARS) + EXCERPT_CHARS
    begin, stop = first_cut(body, begin), last_cut(body, stop)
    text = " ".join(body[begin:stop].split())
    return f"{'…' if begin > 0 else ''}{text}{'…' if stop < len(body) else ''}"
