"""The turns of a conversation, and where it may be cut."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

MARKER_TOKENS: Final = 4
"""What stands around a message in a prompt, such as its role."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One message. `number` counts from 1; turns of the same `group` stay together. `tokens` are of its text
    alone.
    """

    number: int
    role: str
    content: str
    group: Hashable
    tokens: int

    @property
    def cost(self) -> int:
        return self.tokens + MARKER_TOKENS


@dataclass(frozen=True)
class Cut:
    """A place where the older turns may be parted from the newer ones: how many are older, and what the newer
    ones take.
    """

    older: int
    newer_cost: int


def cuts(turns: Sequence[Turn]) -> list[Cut]:
    """Every place, the oldest first, that parts no group and has turns on both sides.

    Whatever stands between two turns of a group belongs to it as well.
    """
    last = {turn.group: place for place, turn in enumerate(turns) if turn.group is not None}
    cost_before = [0, *accumulate(turn.cost for turn in turns)]
    found, reach = [], 0
    for place, turn in enumerate(turns[:-1]):
        reach = max(reach, place if turn.group is None else last[turn.group])
        if reach == place:
            found.append(Cut(place + 1, cost_before[-1] - cost_before[place + 1]))
    return found
