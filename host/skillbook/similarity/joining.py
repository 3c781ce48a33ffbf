"""Which of many texts can have a cosine of some size, without comparing each with each.

Words that many texts have are worth little and cost most, since each of them makes nearly every two texts a
pair. So they are left out of the index, and what they can add at most is counted instead: the product of
what both texts have of them, each its *tail*. Two texts whose tails are below the root of the cosine cannot
reach it by frequent words alone. A text with a longer tail is indexed by all of its words, and before all
others, so that each of these finds it. No pair that reaches the cosine is missed; of those that are named,
many do not.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

_SHARES: Final = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.4)
"""A word is frequent that stands in more than such a share of the texts: the first that leaves few long
tails.
"""
_FEW: Final = 0.02
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
    frequent, tails = _split(vectors, enough)
    is_long = [tail * tail >= enough for tail in tails]
    postings: defaultdict[str, tuple[list[int], list[float]]] = defaultdict(lambda: ([], []))
    for at in sorted(range(len(vectors)), key=lambda place: not is_long[place]):
        dots: defaultdict[int, float] = defaultdict(float)
        for word, weight in vectors[at].items():
            if word in postings:
                for other, its_weight in zip(*postings[word], strict=True):
                    dots[other] += weight * its_weight
        tail = tails[at]
        for other, dot in dots.items():
            # Of a long tail all is in the index and so in `dot`.
            if dot + (0.0 if is_long[other] else tail * tails[other]) >= enough:
                yield (other, at) if other < at else (at, other)
        for word, weight in vectors[at].items():
            if is_long[at] or word not in frequent:
                places, weights = postings[word]
                places.append(at)
                weights.append(weight)


def _split(vectors: Sequence[Vector], enough: float) -> tuple[frozenset[str], list[float]]:
    """The words that are left out of the index, and the length of what each vector has of them."""
    df = Counter(word for vector in vectors for word in vector)
    for share in _SHARES:
        least = max(_FEW_TEXTS, share * len(vectors))
        frequent = frozenset(word for word, count in df.items() if count > least)
        tails = [_tail(vector, frequent) for vector in vectors]
        if sum(tail * tail >= enough for tail in tails) <= _FEW * len(vectors):
            return frequent, tails
    return frozenset(), [0.0] * len(vectors)


def _tail(vector: Vector, frequent: frozenset[str]) -> float:
    return math.sqrt(sum(weight * weight for word, weight in vector.items() if word in frequent))
