"""An agent whose replies come from outside of its run, as programs or as calls of its memories."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from host.memories import MemoryDraft
from sandbox import Stop

_OF_WINDOW: Final = ("contextWindow", "counter")


@dataclass(frozen=True, kw_only=True)
class Driven:
    """The root of such a run. `stop` ends the program that it runs.

    `kept` are memories of an earlier run, in the order of their latest revisions; it begins with them.
    """

    stop: Stop
    kept: tuple[MemoryDraft, ...] = ()


def person_for(model: object) -> object:
    """A person in the place of a model of a document, with a window as large and counted likewise."""
    written = model if isinstance(model, Mapping) else {}
    window = {key: written[key] for key in _OF_WINDOW if written.get(key) is not None}
    return {"provider": "human", **window} if window else "human"
