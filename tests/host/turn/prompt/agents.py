"""Agents as a system prompt sees them, with as little said as a test needs."""

from typing import Any

from host.memories import strategy_of
from host.operations import FAMILIES, OPERATIONS, Role, granted_by
from host.turn import MemoryFacts, OtherAgents, PromptFacts
from tests.helpers.memories import store_of

CODE = "responses_as_code"
TOOLS = "tool_calling"
STRATEGIES = ("scratchpad", "markdown", "keyword-search")
LIMITS = {"max_count": 64, "max_len_index": 4096, "max_len_description": 256, "max_results": 25}
OTHERS = OtherAgents(
    briefs={"reader": "You read files and say what is in them.", "writer": "", "checker": "You check."},
    subagents=("reader",),
    successors=("reader", "writer", "checker"),
    states={"review": "checker", "done": "writer"},
)
ALONE = frozenset(
    {
        "delegation.spawn_subagent",
        "delegation.exec",
        "delegation.transition_state",
        "board.create_issue",
        "board.wait_for_issue",
    }
)
"""Withheld from an agent that can do nothing but fork."""


def agent(
    execution: str,
    strategy: str | None = None,
    *,
    capabilities: tuple[str, ...] = (),
    may_revise: bool = True,
    writable: bool = True,
    is_linked: bool = False,
    is_filled: bool = False,
    role: Role = "worker",
    without: frozenset[str] = frozenset(),
    limits: dict[str, int] = LIMITS,
    **facts: Any,  # noqa: ANN401  (fields of PromptFacts)
) -> PromptFacts:
    """An agent that has what its capabilities, its strategy and its access grant."""
    memories = None
    offered: frozenset[str] = frozenset()
    if strategy is not None:
        kept = strategy_of(strategy)
        withheld = kept.mutating if not writable else frozenset() if may_revise else kept.revising
        offered = kept.calls - withheld
        memories = MemoryFacts(
            strategy=kept,
            caps=store_of(strategy, **limits).caps,
            writable=writable,
            is_linked=is_linked,
            is_filled=is_filled,
        )
    granted = granted_by(OPERATIONS.values(), frozenset(capabilities), without, role) | (
        offered & OPERATIONS.keys()
    )
    return PromptFacts(
        execution=execution,  # type: ignore[arg-type]
        calls={id_: spelled for id_ in sorted(granted) if (spelled := spelling(id_, execution))},
        families=FAMILIES,
        memories=memories,
        **facts,
    )


def spelling(operation_id: str, execution: str) -> str | None:
    """The call as an agent of that mode writes it, if it can."""
    operation = OPERATIONS[operation_id]
    if execution == CODE:
        return operation.spelling
    return operation.native.name if operation.native else None
