"""An agent whose replies come from outside of its run, as programs or as calls of its memories."""

from dataclasses import dataclass

from host.memories import MemoryDraft
from sandbox import Stop


@dataclass(frozen=True, kw_only=True)
class Driven:
    """The root of such a run. `stop` ends the program that it runs.

    `kept` are memories of an earlier run, in the order of their latest revisions; it begins with them.
    """

    stop: Stop
    kept: tuple[MemoryDraft, ...] = ()
