"""Takes a program out of what a model wrapped it in. It deletes, nothing else; when unsure, not even that.

A reply that is left as it is meets the compiler, and the model reads where; code deleted by mistake is lost.
"""

from host.turn.healing.repair import PASSES, Healed, heal

__all__ = ["PASSES", "Healed", "heal"]
