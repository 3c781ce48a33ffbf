"""The declarations that the programs of an agent are checked against."""

from functools import cache
from typing import Final

from host.launch import STRATEGIES, AgentPlan
from host.memories import Access, strategy_of
from host.operations import FAMILIES, render_declarations
from host.tools import Namespace, render_namespaces

DECLARATIONS: Final = render_declarations(FAMILIES)
"""Of the whole SDK."""
_MUTATING: Final = frozenset[str]().union(*(strategy_of(name).mutating for name in STRATEGIES))
_REVISING: Final = frozenset[str]().union(*(strategy_of(name).revising for name in STRATEGIES))


def declarations_of(plan: AgentPlan, access: Access = "write", namespaces: tuple[Namespace, ...] = ()) -> str:
    """The whole SDK, granted or not, less the calls that write memories where the agent may only read them,
    and less those that revise one where they are append-only; and the agent's tools.
    """
    memories = plan.memories
    if memories is None:
        return _without(frozenset(), namespaces)
    if access == "read":
        return _without(_MUTATING, namespaces)
    return _without(frozenset() if memories.may_revise else _REVISING, namespaces)


def recorded_declarations(tools: str | None, *, is_append_only: bool) -> str:
    """The SDK as it is now with the tools that a record has of an agent; without the calls that revise a
    memory where its memories are append-only.
    """
    return _rendered(_REVISING if is_append_only else frozenset(), tools or render_namespaces(()))


def _without(calls: frozenset[str], namespaces: tuple[Namespace, ...]) -> str:
    return _rendered(calls, render_namespaces(namespaces))


@cache
def _rendered(calls: frozenset[str], tools: str) -> str:
    return render_declarations(FAMILIES, calls, tools)
