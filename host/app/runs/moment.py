"""A run as it stood when one turn had ended: what belongs to the turn, and the stores as they were then."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from host.app.runs.errors import NotThere
from host.app.runs.request_window import RequestWindow
from host.app.runs.window_fold import WindowFold
from host.core.text import join_words, quoted
from host.events import (
    AgentSpawned,
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

_MOST_NAMED: Final = 10


@dataclass(frozen=True, kw_only=True)
class Moment:
    """`events` are those of the turn, in order, and `turns` what they come to.

    `surfaces` say what its agent could call. `stores` are those of all agents, and have no history here.
    """

    agent_id: str | None
    turn: int
    surfaces: tuple[StampedEvent, ...]
    events: tuple[StampedEvent, ...]
    prompts: tuple[Prompt, ...]
    turns: tuple[TurnView, ...]
    stores: Mapping[str, FoldedStore]


def agent_of_turn(events: Iterable[StampedEvent], turn: int, agents: Sequence[str]) -> str:
    """The only one of `agents` that has a turn of that number. Raises `NotThere`."""
    if len(agents) == 1:
        return agents[0]
    last = dict.fromkeys(agents, 0)
    for stamped in events:
        if stamped.agent_id in last:
            last[stamped.agent_id] = max(last[stamped.agent_id], turn_of(stamped.event) or 0)
    found = [agent_id for agent_id, number in last.items() if number >= turn]
    if len(found) > 1:
        raise NotThere(f"turn {turn} is one of {_named(found)}; say which with --agent")
    if not found:
        raise NotThere(_no_turn(turn, max(last.values(), default=0), None))
    return found[0]


def moment_at(events: Iterable[StampedEvent], turn: int, agent_id: str | None = None) -> Moment:
    """Reads the events up to the end of an agent's turn, and keeps those of it. Raises `NotThere`.

    Without `agent_id` it is the turn of the agent that began first.
    """
    memories = MemoryFold(keeps_history=False)
    kept: list[StampedEvent] = []
    surfaces: list[StampedEvent] = []
    whose, last = agent_id, 0
    for stamped in until_turn(events, turn, agent_id):
        memories.add(stamped)
        if whose is None and isinstance(stamped.event, AgentSpawned):
            whose = stamped.agent_id
        if stamped.agent_id != whose:
            continue
        number = turn_of(stamped.event) or 0
        last = max(last, number)
        if number == turn:
            kept.append(stamped)
        elif isinstance(stamped.event, AgentSurface):
            surfaces.append(stamped)
    if not kept:
        raise NotThere(_no_turn(turn, last, agent_id))
    return Moment(
        agent_id=whose,
        turn=turn,
        surfaces=tuple(surfaces),
        events=tuple(kept),
        prompts=tuple(each.event for each in kept if isinstance(each.event, Prompt)),
        turns=fold_run(kept).turns,
        stores=memories.stores(),
    )


def windows_at(
    events: Iterable[StampedEvent], turn: int, agent_id: str | None = None
) -> tuple[RequestWindow, ...]:
    """The requests of an agent's turn, each with the messages of its window. Raises `NotThere`.

    Without `agent_id` it is the turn of the agent that began first.
    """
    fold = WindowFold(listed_turn=turn)
    found: list[RequestWindow] = []
    whose, last = agent_id, 0
    for stamped in until_turn(events, turn, agent_id):
        if whose is None and isinstance(stamped.event, AgentSpawned):
            whose = stamped.agent_id
        if stamped.agent_id == whose:
            last = max(last, turn_of(stamped.event) or 0)
            found += fold.add(stamped)
    if last < turn:
        raise NotThere(_no_turn(turn, last, agent_id))
    return tuple(request for request in (*found, *fold.rest()) if request.turn == turn)


def _no_turn(turn: int, last: int, agent_id: str | None) -> str:
    if agent_id is None:
        return f"there is no turn {turn}; the run {_told(last)}"
    return f"{quoted(agent_id)} has no turn {turn}; it {_told(last)}"


def _named(agents: list[str]) -> str:
    more = [f"{len(agents) - _MOST_NAMED} more"] if len(agents) > _MOST_NAMED else []
    return join_words([*map(quoted, agents[:_MOST_NAMED]), *more])


def _told(last: int) -> str:
    if last == 0:
        return "has no turns"
    return "has turn 1 alone" if last == 1 else f"has turns 1 to {last}"
