"""The beginning of an agent: the store that it binds, and the first events of its stream."""

from contextlib import nullcontext

from host.agents import StartOrder
from host.app.agent_grants import grants_of
from host.app.agent_plans import bound_of, memories_row
from host.app.run_parts import RunParts
from host.events import AgentModules, AgentSpawned
from host.memories import Bound, Holder, Start
from host.operations import memory_revision_event


def begin(order: StartOrder, parts: RunParts) -> Bound | None:
    """Binds its memories, if it keeps any, and records that it began and what it holds.

    What a driven root has kept of an earlier run is put in.

    Raises `HostDefect` for a store that is organized otherwise than the agent's plan says.
    """
    plan, offered = parts.plan.agent(order.profile), order.offered
    # What a copy is made of must be what the record tells of it up to here.
    with offered.in_order() if offered else nullcontext():
        bound = bound_of(
            plan,
            order.agent_id,
            grants_of(plan, parts.plan, place=order.place),
            stores=parts.stores,
            start=Start(kind=order.started_as, offered=offered),
        )
        events = (
            AgentSpawned(
                profile=order.profile,
                started_as=order.started_as,
                spawner=order.spawner,
                issue=order.issue,
                task="\n\n".join(filter(None, (order.task, order.prompt))) or None,
            ),
            AgentModules(modules=(memories_row(plan, bound),)),
        )
        for event in events:
            parts.run.events.emit(event, agent_id=order.agent_id)
    if bound is not None and parts.driven is not None and order.started_as == "root":
        _restore(bound.holder, parts)
    return bound


def _restore(holder: Holder, parts: RunParts) -> None:
    """Puts the memories of an earlier run in, before the window opens on them."""
    assert parts.driven is not None, "nothing is kept for another agent"
    for draft in parts.driven.kept:
        with holder.in_order():
            revision = holder.restore(draft, turn=0).revision
            event = memory_revision_event(holder, revision).model_copy(update={"turn": None})
            parts.run.events.emit(event, agent_id=holder.agent_id)
