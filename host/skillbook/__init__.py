"""Advice that was learned from runs."""

from host.skillbook.similarity import (
    MAX_PAIRS,
    SAME,
    Compared,
    Lexical,
    Measure,
    Offered,
    SimilarPair,
    SimilarPairs,
    compared_text,
    four_decimals,
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
