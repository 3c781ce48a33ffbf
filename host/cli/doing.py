"""What a run waits for now, in a few words for who watches it."""

from typing import Final

from host.core.text import counted, escape_line
from host.events import (
    AgentEnded,
    AgentSpawned,
    Event,
    ModelReply,
    Prompt,
    StampedEvent,
    TurnOutcome,
)


class Doing:
    """Takes the events of a run. Of several agents it tells what the one began that began something last."""

    def __init__(self) -> None:
        self._alive: Final[set[str]] = set()
        self._turns: Final[dict[str, int]] = {}

    def at(self, stamped: StampedEvent) -> str | None:
        """`turn 3: waiting for the model`, or that of one of several; `None` where nothing else is begun."""
        match stamped.event:
            case AgentSpawned():
                self._alive.add(stamped.agent_id)
                return None
            case AgentEnded():
                self._alive.discard(stamped.agent_id)
                return None
        if isinstance(stamped.event, Prompt):
            self._turns[stamped.agent_id] = stamped.event.turn
        doing = _doing(stamped.event)
        return None if doing is None else self._named(stamped.agent_id, doing)

    def arriving(self, agent_id: str, chars: int) -> str:
        """`turn 3: a reply is arriving, 1,024 characters`."""
        told = f"turn {self._turns.get(agent_id, 1)}: a reply is arriving, {counted(chars, 'character')}"
        return self._named(agent_id, told)

    def _named(self, agent_id: str, doing: str) -> str:
        if len(self._alive) <= 1:
            return doing
        return f"{len(self._alive):,} agents; {escape_line(agent_id)}, {doing}"


def _doing(event: Event) -> str | None:
    match event:
        case Prompt(turn=turn, purpose="summary"):
            return f"turn {turn}: waiting for a summary"
        case Prompt(turn=turn):
            return f"turn {turn}: waiting for the model"
        case ModelReply(turn=turn):
            return f"turn {turn}: carrying out the reply"
        case TurnOutcome(turn=turn):
            return f"turn {turn}: done"
    return None
