"""A run as it stood when one turn had ended: what belongs to the turn, and the stores as they were then."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from host.app.runs.errors import NotThere
from host.events import (
    AgentSurface,
    FoldedStore,
    MemoryFold,
    Prompt,
    StampedEvent,
    TurnView,
    fold_run,
    turn_of,
    until_turn,
)


@dataclass(frozen=True, kw_only=True)
class Moment:
    """`events` are those of the turn, in order, and `turns` what they come to, one for each agent.

    `surfaces` say what the agents could call. `prompts` are by the agent's id, and `stores` have no history
    here.
    """

    turn: int
    surfaces: tuple[StampedEvent, ...]
    events: tuple[StampedEvent, ...]
    prompts: tuple[tuple[str, Prompt], ...]
    turns: tuple[TurnView, ...]
    stores: Mapping[str, FoldedStore]


def moment_at(events: Iterable[StampedEvent], turn: int) -> Moment:
    """Reads the events up to the turn's end, and keeps those of the turn. Raises `NotThere`."""
    memories = MemoryFold(keeps_history=False)
    kept: list[StampedEvent] = []
    surfaces: list[StampedEvent] = []
    last = 0
    for stamped in until_turn(events, turn):
        memories.add(stamped)
        number = turn_of(stamped.event) or 0
        last = max(last, number)
        if number == turn:
            kept.append(stamped)
        elif isinstance(stamped.event, AgentSurface):
            surfaces.append(stamped)
    if not kept:
        raise NotThere(f"there is no turn {turn}; {_told(last)}")
    return Moment(
        turn=turn,
        surfaces=tuple(surfaces),
        events=tuple(kept),
        prompts=tuple((each.agent_id, each.event) for each in kept if isinstance(each.event, Prompt)),
        turns=fold_run(kept).turns,
        stores=memories.stores(),
    )


def _told(last: int) -> str:
    if last == 0:
        return "the run has no turns"
    return "the run has turn 1 alone" if last == 1 else f"the run has turns 1 to {last}"
