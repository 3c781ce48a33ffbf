"""Which skills of a book say much the same: pairs from the threshold of a measure on, the most similar
first.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from host.skillbook.similarity.measure import SAME, Measure

MAX_PAIRS: Final = 100_000
"""The most that are held at once: a thousand skills that say the same are half a million pairs."""

Offered = Callable[[str, str, int], bool]
"""Whether a pair of ids that are this similar is one to look at; a settled one is not."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A skill as it is compared: by its embedding text, with skills of its section, in runs that see both."""

    id: str
    text: str
    section: str
    scope: str | None = None


@dataclass(frozen=True, kw_only=True)
class SimilarPair:
    """Two skills by their ids, in the order of these, and how similar they are, in ten-thousandths."""

    first_id: str
    second_id: str
    similarity: int

    @property
    def ids(self) -> frozenset[str]:
        return frozenset({self.first_id, self.second_id})


@dataclass(frozen=True, kw_only=True)
class SimilarPairs:
    """Pairs, the most similar first and of equals the one whose ids come first.

    Args:
        is_whole: whether these are all; where they are not, the most similar are here.
        compared: how many skills the measure read.
        unread: ids of the skills whose texts it cannot go by, as in a script that it has no words of.
    """

    pairs: tuple[SimilarPair, ...]
    is_whole: bool
    compared: int
    unread: tuple[str, ...]


def similar_pairs(
    skills: Sequence[Compared],
    measure: Measure,
    *,
    threshold: int | None = None,
    across_sections: bool = False,
    offered: Offered = lambda first, second, similarity: True,
    max_pairs: int = MAX_PAIRS,
) -> SimilarPairs:
    """The pairs that are similar by the threshold or more, which is the measure's own unless it is given.

    Skills of two scopes make no pair, as no run sees both; one without a scope is seen in every run. Skills
    whose texts are the same are compared once. Raises `ValueError` for a threshold that the measure refuses.
    """
    kept = _MostSimilar(max_pairs, offered)
    least = measure.threshold if threshold is None else threshold
    for group in _groups(skills, across_sections):
        by_text: defaultdict[str, list[Compared]] = defaultdict(list)
        for skill in group:
            by_text[skill.text].append(skill)
        alike = list(by_text.values())
        for same in alike:
            kept.add(combinations(same, 2), SAME)
        for one, other, similarity in measure.pairs(list(by_text), least):
            kept.add(product(alike[one], alike[other]), similarity)
    unread = tuple(skill.id for skill in skills if not measure.reads(skill.text))
    found, is_whole = kept.result()
    return SimilarPairs(pairs=found, is_whole=is_whole, compared=len(skills) - len(unread), unread=unread)


def _groups(skills: Sequence[Compared], across_sections: bool) -> Iterator[Sequence[Compared]]:
    if across_sections:
        yield skills
        return
    by_section: defaultdict[str, list[Compared]] = defaultdict(list)
    for skill in skills:
        by_section[skill.section].append(skill)
    yield from by_section.values()


class _MostSimilar:
    """The best so many of all pairs that are added."""

    def __init__(self, max_pairs: int, offered: Offered) -> None:
        self._max_pairs: Final = max_pairs
        self._offered: Final = offered
        self._pairs: list[SimilarPair] = []
        self._least = 0
        self._is_whole = True

    def add(self, pairs: Iterable[tuple[Compared, Compared]], similarity: int) -> None:
        if similarity < self._least:
            self._is_whole = False
            return
        for pair in pairs:
            one, other = sorted(pair, key=lambda skill: skill.id)
            meet = None in (one.scope, other.scope) or one.scope == other.scope
            if meet and self._offered(one.id, other.id, similarity):
                self._pairs.append(SimilarPair(first_id=one.id, second_id=other.id, similarity=similarity))
            if len(self._pairs) >= 2 * self._max_pairs:
                self._cut()
                if self._least == SAME:  # nothing can come that is more similar
                    return

    def result(self) -> tuple[tuple[SimilarPair, ...], bool]:
        """The pairs in their order, and whether they are all that were added."""
        self._cut()
        return tuple(self._pairs), self._is_whole

    def _cut(self) -> None:
        self._pairs.sort(key=lambda pair: (-pair.similarity, pair.first_id, pair.second_id))
        if len(self._pairs) > self._max_pairs:
            del self._pairs[self._max_pairs :]
            self._least = self._pairs[-1].similarity
            self._is_whole = False
