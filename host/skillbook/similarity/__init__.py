"""How alike skills are, and which of a book are so alike that somebody should look at them."""

from host.skillbook.similarity.features import compared_text
from host.skillbook.similarity.lexical import Lexical
from host.skillbook.similarity.measure import SAME, Measure, four_decimals
from host.skillbook.similarity.pairs import (
    MAX_PAIRS,
    Compared,
    Offered,
    SimilarPair,
    SimilarPairs,
    similar_pairs,
)

__all__ = [
    "MAX_PAIRS",
    "SAME",
    "Compared",
    "Lexical",
    "Measure",
    "Offered",
    "SimilarPair",
    "SimilarPairs",
    "compared_text",
    "four_decimals",
    "similar_pairs",
]
