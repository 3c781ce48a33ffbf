"""Figures over several runs: pure functions over numbers."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Literal, TypeVar

Better = Literal["less", "more", "neither"]
"""Which of two values of a measure is the better one."""

A = TypeVar("A", bound=Hashable)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """`n` values: their median, quartiles, extremes, sum. The quartiles of fewer than three are extremes."""

    n: int
    median: float
    lower: float
    upper: float
    least: float
    most: float
    total: float


@dataclass(frozen=True, kw_only=True)
class Contest:
    """How often each arm alone had the best value, and how often no arm had it alone."""

    wins: Mapping[str, int]
    ties: int

    @property
    def rounds(self) -> int:
        return sum(self.wins.values()) + self.ties


def figure_of(values: Sequence[float]) -> Figure | None:
    """The figure of some values; `None` of none."""
    if not values:
        return None
    if len(values) > 2:
        lower, _, upper = quantiles(values, n=4, method="inclusive")
    else:
        lower, upper = min(values), max(values)
    return Figure(
        n=len(values),
        median=median(values),
        lower=lower,
        upper=upper,
        least=min(values),
        most=max(values),
        total=sum(values),
    )


def contest(rounds: Sequence[Mapping[str, float]], better: Better, *, slack: float = 0.0) -> Contest:
    """Who had the best value how often, over rounds in each of which every arm has one.

    Values no further from the best than `slack`, a share of it, are as good.
    """
    arms = list(dict.fromkeys(arm for each in rounds for arm in each))
    wins = dict.fromkeys(arms, 0)
    ties = 0
    for each in rounds:
        best = best_of(each, better, slack=slack)
        if len(best) == 1:
            wins[best[0]] += 1
        else:
            ties += 1
    return Contest(wins=wins, ties=ties)


def best_of(values: Mapping[A, float], better: Better, *, slack: float = 0.0) -> tuple[A, ...]:
    """Whose value is the best, or as good; all where neither less nor more is."""
    if better == "neither" or not values:
        return tuple(values)
    best = min(values.values()) if better == "less" else max(values.values())
    return tuple(key for key, value in values.items() if abs(value - best) <= slack * abs(best))
