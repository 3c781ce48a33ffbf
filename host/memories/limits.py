"""The counts that bound a set of memories: as configured, and as a strategy applies them."""

from collections.abc import Set
from dataclasses import asdict, dataclass
from typing import Final

MAX_NAME_CHARS: Final = 64
MAX_KEYWORDS: Final = 100
"""Of one search, those that differ. It bounds the time in which the store is held."""


@dataclass(frozen=True, kw_only=True)
class MemoryLimits:
    """The six counts of a configuration; 0 lifts one. All of them are written under every strategy.

    Lengths are code points: of one body, of all bodies, of the pinned index, of one description.
    """

    max_count: int
    max_len_per_memory: int
    max_total_len: int
    max_len_index: int
    max_len_description: int
    max_results: int


@dataclass(frozen=True, kw_only=True)
class Caps:
    """The limits in force; `None` is lifted, or not applied by the strategy."""

    max_count: int | None = None
    max_len_per_memory: int | None = None
    max_total_len: int | None = None
    max_len_index: int | None = None
    max_len_description: int | None = None
    max_results: int | None = None


def caps_of(limits: MemoryLimits, applied: Set[str]) -> Caps:
    """The limits named in `applied` that are not lifted."""
    return Caps(**{name: count for name, count in asdict(limits).items() if count and name in applied})


def breached(figure: int, cap: int | None, before: int) -> int | None:
    """The cap that a figure is over, unless it steps back from an excess that was there before.

    A store may be handed over under tighter limits; what makes such an excess strictly smaller passes.
    """
    if cap is None or figure <= cap or (before > cap and figure < before):
        return None
    return cap
