"""Folds what a record says of each agent as a whole: how it came to be, what it held, how it ended."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from host.events.run_view import AgentView
from host.events.stamped import StampedEvent
from host.events.types import (
    AgentEnded,
    AgentModules,
    AgentSpawned,
    AgentSurface,
    AgentTransition,
    EventModel,
    LimitExceeded,
    Notice,
    OperatorLog,
    SessionSummary,
    Status,
    TurnOutcome,
)

AGENT_EVENTS: Final[tuple[type[EventModel], ...]] = (
    AgentSpawned,
    AgentSurface,
    AgentModules,
    AgentTransition,
    AgentEnded,
    TurnOutcome,
    LimitExceeded,
    SessionSummary,
)
"""What a fold of agents takes, less what it keeps of the lines that belong to no turn."""


class AgentFold:
    """Takes events in order. The root is the agent that began first, then each that took its place."""

    def __init__(self) -> None:
        self._agents: Final[dict[str, _Agent]] = {}
        self._root: str | None = None
        self._run_status: Status | None = None

    @property
    def root(self) -> str | None:
        """The agent that is the root now."""
        return self._root

    def add(self, stamped: StampedEvent) -> None:
        """Takes the next event. Other types, and notices and log lines of a turn, change nothing."""
        event, agent_id = stamped.event, stamped.agent_id
        match event:
            case SessionSummary(status=status):
                self._run_status = status
            case OperatorLog(turn=None) | Notice(turn=None):
                self._agent(stamped).add(stamped)
            case AgentSpawned():
                self._root = self._root or agent_id
                self._agent(stamped).add(stamped)
            case AgentTransition(by="exec" | "transition", to=follower) if agent_id == self._root:
                self._root = follower
                self._agent(stamped).add(stamped)
            case _ if isinstance(event, AGENT_EVENTS):
                self._agent(stamped).add(stamped)

    def views(self) -> tuple[AgentView, ...]:
        """In the order in which they began."""
        return tuple(
            agent.view(agent_id, self._run_status if agent_id == self._root else None)
            for agent_id, agent in self._agents.items()
        )

    def _agent(self, stamped: StampedEvent) -> "_Agent":
        if stamped.agent_id not in self._agents:
            self._agents[stamped.agent_id] = _Agent(began_at=stamped.at)
        return self._agents[stamped.agent_id]


def fold_agents(events: Iterable[StampedEvent]) -> tuple[AgentView, ...]:
    """Every agent that the events tell of."""
    fold = AgentFold()
    for stamped in events:
        fold.add(stamped)
    return fold.views()


@dataclass
class _Agent:
    began_at: datetime
    spawned: AgentSpawned | None = None
    surface: AgentSurface | None = None
    modules: AgentModules | None = None
    transitions: list[AgentTransition] = field(default_factory=list)
    ended: AgentEnded | None = None
    ended_at: datetime | None = None
    turns: int = 0
    errors: int = 0
    limits: list[LimitExceeded] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    logs: list[OperatorLog] = field(default_factory=list)

    def add(self, stamped: StampedEvent) -> None:
        match stamped.event:
            case AgentSpawned() as spawned:
                self.spawned = spawned
            case AgentSurface() as surface:
                self.surface = surface
            case AgentModules() as modules:
                self.modules = modules
            case AgentTransition() as transition:
                self.transitions.append(transition)
            case AgentEnded() as ended:
                self.ended, self.ended_at = ended, stamped.at
            case TurnOutcome(outcome=outcome):
                self.turns += 1
                self.errors += outcome == "error"
            case LimitExceeded() as limit:
                self.limits.append(limit)
            case Notice() as notice:
                self.notices.append(notice)
            case OperatorLog() as line:
                self.logs.append(line)

    def view(self, agent_id: str, run_status: Status | None) -> AgentView:
        return AgentView(
            agent_id=agent_id,
            began_at=self.began_at,
            spawned=self.spawned,
            surface=self.surface,
            modules=self.modules,
            transitions=tuple(self.transitions),
            status=self.ended.status if self.ended else run_status,
            ended=self.ended,
            ended_at=self.ended_at,
            turns=self.turns,
            errors=self.errors,
            limits=tuple(self.limits),
            notices=tuple(self.notices),
            logs=tuple(self.logs),
        )
