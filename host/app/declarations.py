"""The declarations that the programs of an agent are checked against."""

from functools import cache
from typing import Final

from host.launch import STRATEGIES, AgentPlan
from host.memories import Access, strategy_of
from host.operations import FAMILIES, render_declarations

DECLARATIONS: Final = render_declarations(FAMILIES)
"""Of the whole SDK."""


def declarations_of(plan: AgentPlan, access: Access = "write") -> str:
    """The whole SDK, granted or not, less the calls that write memories where the agent may only read them,
    and less those that revise one where they are append-only.
    """
    memories = plan.memories
    if memories is None:
        return DECLARATIONS
    if access == "read":
        return _reading()
    return DECLARATIONS if memories.may_revise else append_only_declarations()


@cache
def _reading() -> str:
    return _without(*(strategy_of(name).mutating for name in STRATEGIES))


@cache
def append_only_declarations() -> str:
    """The whole SDK less every call that revises a memory."""
    return _without(*(strategy_of(name).revising for name in STRATEGIES))


def _without(*calls: frozenset[str]) -> str:
    return render_declarations(FAMILIES, frozenset[str]().union(*calls))
