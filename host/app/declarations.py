"""The declarations that the programs of an agent are checked against."""

from functools import cache
from typing import Final

from host.launch import STRATEGIES, AgentPlan
from host.memories import strategy_of
from host.operations import FAMILIES, render_declarations

DECLARATIONS: Final = render_declarations(FAMILIES)
"""Of the whole SDK."""


def declarations_of(plan: AgentPlan) -> str:
    """The whole SDK, granted or not; for append-only memories less every call that revises one."""
    memories = plan.memories
    return DECLARATIONS if memories is None or memories.may_revise else append_only_declarations()


@cache
def append_only_declarations() -> str:
    """The whole SDK less every call that revises a memory."""
    revising = (strategy_of(name).revising for name in STRATEGIES)
    return render_declarations(FAMILIES, frozenset[str]().union(*revising))
