"""By which counter the window of an agent is counted."""

from typing import Final

from host.context import BpeCounter, CharacterCounter, Counter, Utf8Counter
from host.launch import AgentPlan

_BUILT_IN: Final[dict[str, Counter]] = {"characters": CharacterCounter(), "utf-8": Utf8Counter()}


def counter_of(plan: AgentPlan) -> Counter:
    """That which its model names. Raises `ModuleNotFoundError` where that needs an extra which has gone since
    the launch was checked.
    """
    name = plan.model.counter
    return _BUILT_IN.get(name) or BpeCounter(name)
