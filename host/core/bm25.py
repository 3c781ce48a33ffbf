"""How well a text answers a query by the words that they share: BM25.

A document's score is the sum of `idf(count, df) * weight(tf, length, average_length)` over the distinct terms
of the query; a term that the document lacks adds nothing. Sums of floats depend on their order: whoever needs
the same score to the last bit takes both factors from here, adds from 0.0 in the order of the query's terms,
and leaves the sum to no function that compensates, as `sum` does in SQLite from 3.43 on.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

K1: Final = 0.9
"""How soon a term's repetition stops to count; no number of repetitions weighs `K1 + 1`."""

B: Final = 0.4
"""How much a document's length counts against it."""


def idf(count: int, df: int) -> float:
    """What a term is worth that stands in `df` of `count` documents; above 0 also where it stands in all."""
    return math.log(1 + (count - df + 0.5) / (df + 0.5))


def weight(tf: int, length: int, average_length: float) -> float:
    """What of a term's worth a document has that holds it `tf` times among its `length` terms.

    `average_length` is that of all documents, above 0.
    """
    return tf * (K1 + 1) / (tf + K1 * (1 - B + B * length / average_length))


def scores(query: Sequence[str], documents: Sequence[Sequence[str]]) -> list[float]:
    """The score of each document for a query, both given as their terms; 0.0 where it has none of them.

    Reads every document.
    """
    tfs = [Counter(document) for document in documents]
    total = sum(map(len, documents))
    worth = {term: idf(len(documents), sum(term in tf for tf in tfs)) for term in dict.fromkeys(query)}
    return [
        _score(worth, tf, len(document), total / len(documents))
        for document, tf in zip(documents, tfs, strict=True)
    ]


def _score(worth: dict[str, float], tf: Counter[str], length: int, average_length: float) -> float:
    score = 0.0  # not sum(), which compensates from Python 3.12 on
    for term, its_worth in worth.items():
        if tf[term]:
            score += its_worth * weight(tf[term], length, average_length)
    return score
