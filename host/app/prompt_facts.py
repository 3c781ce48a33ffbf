"""What the system prompt of an agent depends on, out of its plan and of what it holds."""

from host.launch import AgentPlan
from host.memories import Holder
from host.operations import FAMILIES, Grants
from host.turn import MemoryFacts, PromptFacts


def prompt_facts_of(plan: AgentPlan, grants: Grants, holder: Holder | None) -> PromptFacts:
    """The agent as it is before its first turn."""
    return PromptFacts(
        execution=plan.execution,
        calls=grants.spellings(),
        families=FAMILIES,
        agent_prompt=plan.prompt,
        delivery=plan.code_mode.delivery,
        rejects_types=plan.code_mode.typecheck == "error",
        memories=_memory_facts(holder) if holder else None,
        compaction=plan.compaction.strategy if plan.compaction else None,
    )


def _memory_facts(holder: Holder) -> MemoryFacts:
    state = holder.state()
    return MemoryFacts(strategy=holder.strategy, caps=state.caps, writable=state.writable)
