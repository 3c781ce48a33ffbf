"""The declarations that the programs of an agent are checked against."""

from functools import cache
from typing import Final

from host.launch import AgentPlan
from host.memories import strategy_of
from host.operations import FAMILIES, render_declarations

DECLARATIONS: Final = render_declarations(FAMILIES)
"""Of the whole SDK."""


def declarations_of(plan: AgentPlan) -> str:
    """The whole SDK, granted or not; for append-only memories less the calls that revise one."""
    memories = plan.memories
    if memories is None or memories.may_revise:
        return DECLARATIONS
    return _without(strategy_of(memories.strategy).revising)


@cache
def _without(withheld: frozenset[str]) -> str:
    return render_declarations(FAMILIES, withheld)
