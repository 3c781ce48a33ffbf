"""How long an end of a pipe looks for an answer before it sleeps, and how it notices that it should not.

Both ends use it, the child's as well: standard library only.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from typing import Final

__all__ = ["LOOK_S", "was_taken"]

LOOK_S: Final = 60e-6  # about what it takes to put a thread to sleep and wake it

_TAKEN_S: Final = 500e-6


def was_taken(yield_s: float) -> bool:
    """Whether a yield of the processor that took `yield_s` has given it to somebody who wanted it."""
    return yield_s > _TAKEN_S
