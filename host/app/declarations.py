"""The declarations that the programs of an agent are checked against."""

from functools import lru_cache
from typing import Final

from host.launch import STRATEGIES, AgentPlan
from host.memories import Access, strategy_of
from host.operations import FAMILIES, NO_TOOLS, render_declarations

DECLARATIONS: Final = render_declarations(FAMILIES)
"""Of the whole SDK."""
_MUTATING: Final = frozenset[str]().union(*(strategy_of(name).mutating for name in STRATEGIES))
_REVISING: Final = frozenset[str]().union(*(strategy_of(name).revising for name in STRATEGIES))


def declarations_of(plan: AgentPlan, access: Access = "write", tools: str = NO_TOOLS) -> str:
    """The whole SDK, granted or not, less the calls that write memories where the agent may only read them,
    and less those that revise one where they are append-only; and the module of the agent's tools.
    """
    memories = plan.memories
    if memories is None:
        return _rendered(frozenset(), tools)
    if access == "read":
        return _rendered(_MUTATING, tools)
    return _rendered(frozenset() if memories.may_revise else _REVISING, tools)


def recorded_declarations(tools: str | None, *, is_append_only: bool) -> str:
    """The SDK as it is now with the tools that a record has of an agent; without the calls that revise a
    memory where its memories are append-only.
    """
    return _rendered(_REVISING if is_append_only else frozenset(), tools or NO_TOOLS)


@lru_cache(maxsize=64)  # tools differ from run to run in a process that lives long
def _rendered(calls: frozenset[str], tools: str) -> str:
    return render_declarations(FAMILIES, calls, tools)
