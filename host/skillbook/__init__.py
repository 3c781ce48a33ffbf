"""Advice that was learned from runs."""

from host.skillbook.book_file import BOOK, BookFile, Loaded
from host.skillbook.embedding_text import embedding_text, text_hash
from host.skillbook.formats.reading import read_book
from host.skillbook.formats.v2 import Problem, write_v2
from host.skillbook.model import (
    COUNTERS,
    SECTIONS,
    Done,
    EvidenceIs,
    Occurrence,
    Pair,
    Section,
    SimilarityDecision,
    Skill,
)
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
from host.skillbook.skillbook import EVERYWHERE, Skillbook

__all__ = [
    "BOOK",
    "COUNTERS",
    "EVERYWHERE",
    "MAX_PAIRS",
    "SAME",
    "SECTIONS",
    "BookFile",
    "Compared",
    "Done",
    "EvidenceIs",
    "Lexical",
    "Loaded",
    "Measure",
    "Occurrence",
    "Offered",
    "Pair",
    "Problem",
    "Section",
    "SimilarPair",
    "SimilarPairs",
    "SimilarityDecision",
    "Skill",
    "Skillbook",
    "compared_text",
    "embedding_text",
    "four_decimals",
    "read_book",
    "similar_pairs",
    "text_hash",
    "write_v2",
]
