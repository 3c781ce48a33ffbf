"""Reciprocal-rank fusion: one score out of several rankings, by the places in them and by nothing else."""

from collections.abc import Iterable, Mapping
from typing import Final

RANK_CONSTANT: Final = 60
"""The greater, the less the first places of a ranking count for more than those behind them."""


def fused(rankings: Iterable[Mapping[int, float]]) -> dict[int, float]:
    """The sum of 1 / (60 + place) over the rankings that have an item: the higher its value, the earlier.

    Items of the same value share a place, the first of theirs: the order in which they are given is none.
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        place, before = 0, None
        for number, (item, value) in enumerate(_from_highest(ranking), 1):
            if value != before:
                place, before = number, value
            scores[item] = scores.get(item, 0.0) + 1 / (RANK_CONSTANT + place)
    return scores


def _from_highest(ranking: Mapping[int, float]) -> list[tuple[int, float]]:
    return sorted(ranking.items(), key=lambda pair: pair[1], reverse=True)
