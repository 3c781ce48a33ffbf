"""What the plan of an agent comes to before its first turn: what it holds and is told."""

from collections.abc import Callable

from host.agents import Copied
from host.app.compactions import threshold_of
from host.app.counting import counter_of
from host.app.opening import Opening
from host.app.prompt_facts import prompt_facts_of
from host.context import Window
from host.events import AgentModule
from host.launch import AgentPlan, LaunchPlan
from host.memories import Bound, Holder, Start, StoreRegistry, Wanted, strategy_of
from host.operations import Grants, native_fields
from host.skills import AgentSkills
from host.tools import Namespace
from host.turn import system_prompt


def bound_of(
    plan: AgentPlan, agent_id: str, grants: Grants, *, stores: StoreRegistry, start: Start
) -> Bound | None:
    """Its memories, where it keeps any; `grants` are those that it has if it may write them.

    Raises `HostDefect` for a store that is organized otherwise.
    """
    if plan.memories is None:
        return None
    strategy = strategy_of(plan.memories.strategy)
    want = Wanted(
        profile=plan.id,
        agent_id=agent_id,
        strategy=strategy,
        scope=plan.memories.scope,
        limits=plan.memories.limits,
        calls=grants.spellings(),
        fields=native_fields(strategy) if grants.native else None,
        must_write=plan.compaction is not None and plan.compaction.strategy == "memory-compaction",
    )
    return stores.bind(want, start)


def window_of(
    plan: AgentPlan,
    run: LaunchPlan,
    *,
    grants: Grants,
    holder: Holder | None,
    state: str | None,
    namespaces: tuple[Namespace, ...] = (),
    opening: Opening,
    mask: Callable[[str], str],
) -> Window:
    """Its window, opened on the system prompt and what else it begins with."""
    facts = prompt_facts_of(
        plan,
        run,
        grants=grants,
        holder=holder,
        state=state,
        namespaces=namespaces,
        sections=opening.sections,
    )
    compaction = plan.compaction
    threshold = threshold_of(compaction).tokens if compaction else None  # at which it is rewritten
    window = Window(
        system_prompt(facts),
        counter=counter_of(plan),
        window_tokens=None if threshold is None else max(threshold - 1, 1),
        mask=mask,
    )
    window.open_with(opening.entries)
    return window


def skills_of(plan: AgentPlan, copied: Copied | None) -> AgentSkills | None:
    """Its skills, where it has any. A copy has read those that the window it goes on with was read into."""
    if plan.skills is None or not plan.skills.skills:
        return None
    return AgentSkills(plan.skills.skills, copied.skills_read if copied else ())


def memories_row(plan: AgentPlan, bound: Bound | None) -> AgentModule:
    """What the record says of its memories."""
    if bound is not None:
        return bound.row
    assert plan.memories is None, "an agent that keeps memories has bound a store"
    return AgentModule(kind="memories", enabled=False, writable=False)
