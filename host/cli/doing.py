"""What a run waits for now, in a few words for who watches it."""

from typing import Final

from host.core.text import escape_line
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

    def at(self, stamped: StampedEvent) -> str | None:
        """`turn 3: waiting for the model`, or that of one of several; `None` where nothing else is begun."""
        match stamped.event:
            case AgentSpawned():
                self._alive.add(stamped.agent_id)
                return None
            case AgentEnded():
                self._alive.discard(stamped.agent_id)
                return None
        doing = _doing(stamped.event)
        if doing is None or len(self._alive) <= 1:
            return doing
        return f"{len(self._alive):,} agents; {escape_line(stamped.agent_id)}, {doing}"


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
