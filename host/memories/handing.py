"""What becomes of a store where one agent follows another."""

from typing import Literal

from host.events import Disposition, HandedModule
from host.memories.holder import Holder


def handed_module(
    kind: Literal["fork", "successor"], holder: Holder | None, follower: Holder | None
) -> HandedModule:
    """The memories in the record of an `agent_transition`; `None` is an agent that keeps none.

    `holder` is that of the agent that is followed, whether or not it was transferred.
    """
    from_id = holder.module_id if holder else None
    to_id = follower.module_id if follower else None
    return HandedModule(
        kind="memories", disposition=_disposition(kind, from_id, to_id), from_id=from_id, to_id=to_id
    )


def _disposition(kind: Literal["fork", "successor"], from_id: str | None, to_id: str | None) -> Disposition:
    if to_id is None:
        return "absent" if from_id is None else "dropped"
    if from_id is None:
        return "initialized"
    if from_id == to_id:
        return "linked" if kind == "fork" else "carried"
    return "copied" if kind == "fork" else "initialized"
