"""What is measured: something that answers a query with keys of records, in a list for each state."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

TOP_K: Final = 10
"""How many of each list are asked for."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Keys of records, best first: served as current, and listed apart as stale or as superseded."""

    current: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.current or self.stale or self.superseded)


Ask = Callable[[str], Answer]


@dataclass(frozen=True)
class System:
    """Something that answers queries, under the name that its figures have."""

    name: str
    ask: Ask
