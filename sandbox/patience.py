"""How long an end of a pipe looks for an answer before it sleeps, and how it notices that it should not.

Both ends use it, the child's as well: standard library only.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from typing import Final

__all__ = ["LOOK_S", "Patience"]

LOOK_S: Final = 60e-6  # about what it takes to put a thread to sleep and wake it

_TAKEN_S: Final = 500e-6  # a yield that takes longer has given the processor to somebody who wanted it
_MOST_TAKEN: Final = 2  # once may be the system's own doing


class Patience:
    """What one end makes of its yields in one exchange."""

    def __init__(self) -> None:
        self._taken = 0

    def is_spent(self, yield_s: float) -> bool:
        """Whether another yield, of `yield_s` seconds, shows that the processor is wanted elsewhere."""
        if yield_s > _TAKEN_S:
            self._taken += 1
        return self._taken >= _MOST_TAKEN
