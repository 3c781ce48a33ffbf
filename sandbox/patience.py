"""How long an end of a pipe looks for an answer before it sleeps, and how it notices that it should not.

Both ends use it, the child's as well: standard library only.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from typing import Final

__all__ = ["LOOK_S", "Patience"]

LOOK_S: Final = 60e-6  # about what it takes to put a thread to sleep and wake it

_TAKEN_S: Final = 500e-6
_SOON_YIELDS: Final = 1_000  # about a hundred looks


class Patience:
    """What one end makes of its yields of the processor, for as long as its pipe lasts.

    One that takes long has given the processor to somebody who wanted it, which may be this process itself,
    as when its log is written. Another soon after it shows that others want it.
    """

    def __init__(self) -> None:
        self._yields = _SOON_YIELDS

    def is_spent(self, yield_s: float) -> bool:
        """Counts a yield of `yield_s` seconds; whether it was the second that took long."""
        self._yields += 1
        if yield_s <= _TAKEN_S:
            return False
        soon = self._yields < _SOON_YIELDS
        self._yields = 0
        return soon
