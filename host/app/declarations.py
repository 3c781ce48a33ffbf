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
    return DECLARATIONS if memories is None or memories.may_revise else _append_only()


@cache
def _append_only() -> str:
    revising = (strategy_of(name).revising for name in STRATEGIES)
    return render_declarations(FAMILIES, frozenset[str]().union(*revising))
