"""`lexical/1`: what two texts have in common by their words, and a little by the letters of these.

The similarity is 0.7 times the cosine of the stemmed words and 0.3 times that of the character 4-grams,
rounded to ten-thousandths. One that stands `tf` times in a text weighs `tf * 2.2 / (tf + 1.2)` times its
worth by the table. Sums are exact before they are rounded (`math.fsum`), logarithms are none: the figure is
the same on every machine, and in whichever order words are added.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

from host.skillbook.similarity.features import grams, words
from host.skillbook.similarity.idf_table import idf_table
from host.skillbook.similarity.joining import candidates, unit
from host.skillbook.similarity.measure import SAME, four_decimals

WORDS_SHARE: Final = 0.7
GRAMS_SHARE: Final = 0.3

_K1: Final = 1.2
_LEAST: Final = 3_500
"""Below it two texts could be similar without a word in common, and the index by words would miss them."""
_ROUNDING: Final = 1e-4
_THRESHOLD: Final = 4_200
"""Taken on the half of fixtures/skillbook/pairs.jsonl that is for tuning: see
`tests.helpers.skillbook_calibration`.
"""


@dataclass(frozen=True, kw_only=True)
class _Bag:
    """Weights by word or gram, and the sum of their squares."""

    weights: Mapping[str, float]
    square: float

    def cosine(self, other: "_Bag") -> float:
        mine, its = self.weights, other.weights
        terms = mine.keys() & its.keys()
        shared = math.fsum(map(mul, map(mine.__getitem__, terms), map(its.__getitem__, terms)))
        return shared / math.sqrt(self.square * other.square) if shared else 0.0


class Lexical:
    """The `Measure` that needs nothing but gg. Works for every script that `host.core.terms` has words of."""

    name: Final = "lexical/1"
    threshold: Final = _THRESHOLD

    def similarity(self, a: str, b: str) -> int:
        if a == b:
            return SAME
        cosine = _words_of(a).cosine(_words_of(b))
        return _rounded(cosine, _grams_of(a).cosine(_grams_of(b)))

    def reads(self, text: str) -> bool:
        return bool(words(text))

    def pairs(self, texts: Sequence[str], least: int) -> Iterator[tuple[int, int, int]]:
        """See `Measure.pairs`. Takes time in proportion to the pairs that share words which few have."""
        if least < _LEAST:
            raise ValueError(
                f"a least similarity of {four_decimals(least)} is below {four_decimals(_LEAST)}, "
                f"from where on {self.name} finds pairs"
            )
        bags = [_words_of(text) for text in texts]
        gram_bags: dict[int, _Bag] = {}

        def gram_bag(at: int) -> _Bag:
            if at not in gram_bags:
                gram_bags[at] = _grams_of(texts[at])
            return gram_bags[at]

        # What the words alone have to come to, if the 4-grams were all the same.
        enough = (least / SAME - GRAMS_SHARE - _ROUNDING) / WORDS_SHARE
        for one, other in candidates([unit(bag.weights, bag.square) for bag in bags], enough):
            cosine = bags[one].cosine(bags[other])
            if cosine >= enough:
                similarity = _rounded(cosine, gram_bag(one).cosine(gram_bag(other)))
                if similarity >= least:
                    yield one, other, similarity


def _words_of(text: str) -> _Bag:
    return _bag(words(text), idf_table().word)


def _grams_of(text: str) -> _Bag:
    return _bag(grams(text), idf_table().gram)


def _bag(counts: Mapping[str, int], worth: Callable[[str], int]) -> _Bag:
    weights = {term: tf * (_K1 + 1) / (tf + _K1) * worth(term) for term, tf in counts.items()}
    return _Bag(weights=weights, square=math.fsum(weight * weight for weight in weights.values()))


def _rounded(words_cosine: float, grams_cosine: float) -> int:
    return min(SAME, round(SAME * (WORDS_SHARE * words_cosine + GRAMS_SHARE * grams_cosine)))
