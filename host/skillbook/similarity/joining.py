"""Which of many texts can have a cosine of some size, without comparing each with each.

Words that many texts have are worth little and cost most, since each of them makes nearly every two texts a
pair. What a text has of such words is its *tail*. By them alone two texts come to the product of their tails
at most; where that is below the cosine, the frequent words of the two are not looked at, and counted as that
product. Texts are taken in the order of their tails, the longest first, so that those of the ones before it
which a text has to look at are the first in the list of every word.

No pair that reaches the cosine is missed; of those that are named, many do not.
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

_SHARES: Final = (0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
"""In how many of the texts a word stands to be frequent; that is taken which is the least work."""
_NEAR: Final = 1.6
"""Of what takes little more than the least work that is taken which leaves the fewest words frequent: their
products are what is looked at of a pair beside that work.
"""
_FEW_TEXTS: Final = 20
_EPSILON: Final = 1e-9

Vector = Mapping[str, float]
"""Weights by word; the sum of their squares is 1."""


def unit(weights: Mapping[str, float], square: float) -> Vector:
    """The weights as a `Vector`; `square` is the sum of their squares."""
    length = math.sqrt(square)
    return {word: weight / length for word, weight in weights.items()}


def candidates(vectors: Sequence[Vector], enough: float) -> Iterator[tuple[int, int]]:
    """Each two places of vectors whose product may be `enough` or more, which is above 0; the smaller first,
    no two of them twice. Sums of floats are compared with a little room.
    """
    enough -= _EPSILON
    split = _split(vectors, enough)
    postings: defaultdict[str, tuple[list[int], list[float]]] = defaultdict(lambda: ([], []))
    for rank, place in enumerate(split.places):
        reach = split.reach(rank)
        dots = [0.0] * rank
        for word, weight in vectors[place].items():
            if word in postings:
                ranks, weights = postings[word]
                looked_at = bisect_left(ranks, reach) if word in split.frequent else len(ranks)
                for other, its_weight in zip(ranks[:looked_at], weights[:looked_at], strict=True):
                    dots[other] += weight * its_weight
            postings[word][0].append(rank)
            postings[word][1].append(weight)
        tail, tails, own = split.tails[rank], split.tails, split.parts[rank]
        for other, dot in enumerate(dots):
            # Of those within reach the frequent words are in the sum already.
            if dot >= enough or (
                dot
                and other >= reach
                and dot + tail * tails[other] >= enough
                and dot + _dot(own, split.parts[other]) >= enough
            ):
                yield _ordered(place, split.places[other])


@dataclass(frozen=True, kw_only=True)
class _Split:
    """Places of vectors by rank, the longest tail first, with what each has of frequent words and its length.

    `enough` is what a pair has to reach.
    """

    frequent: frozenset[str]
    places: Sequence[int]
    parts: Sequence[Vector]
    tails: Sequence[float]
    enough: float

    def reach(self, rank: int) -> int:
        """How many of the texts before this one may reach it by frequent words alone."""
        tail = self.tails[rank]
        if not tail:
            return 0
        return min(rank, bisect_right(self.tails, -self.enough / tail, key=lambda other: -other))

    def work(self, vectors: Sequence[Vector], df: Mapping[str, int]) -> float:
        """About how many weights are multiplied."""
        by_rare = sum(count * count / 2 for word, count in df.items() if word not in self.frequent)
        by_frequent = sum(
            self.reach(rank) * sum(df[word] for word in vectors[place] if word in self.frequent)
            for rank, place in enumerate(self.places)
        )
        return by_rare + by_frequent / max(1, len(vectors))


def _split(vectors: Sequence[Vector], enough: float) -> _Split:
    df = Counter(word for vector in vectors for word in vector)
    splits = []
    for share in _SHARES:
        least = max(_FEW_TEXTS, share * len(vectors))
        frequent = frozenset(word for word, count in df.items() if count > least)
        parts = [{word: vector[word] for word in vector.keys() & frequent} for vector in vectors]
        tails = [math.sqrt(_dot(part, part)) for part in parts]
        places = sorted(range(len(vectors)), key=lambda place: -tails[place])
        splits.append(
            _Split(
                frequent=frequent,
                places=places,
                parts=[parts[place] for place in places],
                tails=[tails[place] for place in places],
                enough=enough,
            )
        )
    works = [split.work(vectors, df) for split in splits]
    return max(
        (split for split, work in zip(splits, works, strict=True) if work <= _NEAR * min(works)),
        key=lambda split: -len(split.frequent),
    )


def _dot(one: Vector, other: Vector) -> float:
    shared = one.keys() & other.keys()
    dot: float = sum(map(mul, map(one.__getitem__, shared), map(other.__getitem__, shared)))
    return dot


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
