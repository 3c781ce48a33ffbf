"""The beginning of an agent: the store that it binds, and the first events of its stream."""

from contextlib import nullcontext

from host.agents import StartOrder
from host.app.agent_grants import grants_of
from host.app.agent_plans import bound_of, memories_row
from host.app.run_parts import RunParts
from host.events import AgentModules, AgentSpawned
from host.memories import Bound, Start


def begin(order: StartOrder, parts: RunParts) -> Bound | None:
    """Binds its memories, if it keeps any, and records that it began and what it holds.

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
    return bound
