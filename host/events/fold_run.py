"""Folds events one by one into the view of a run, a finished one or one that is being watched."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from host.events.fold_memories import MemoryFold, Mismatch
from host.events.run_view import AgentView, CallAnswer, CallCount, ReadCount, RunView, SearchCount, TurnView
from host.events.stamped import StampedEvent
from host.events.types import (
    AgentModules,
    AgentSpawned,
    AgentSurface,
    ApiCall,
    CodeExecution,
    Compaction,
    CompileDiagnostic,
    Defect,
    Event,
    LimitExceeded,
    MemoryRead,
    MemoryRefusal,
    MemoryRevision,
    MemorySearch,
    ModelReply,
    Notice,
    OperatorLog,
    Prompt,
    SessionStarted,
    SessionSummary,
    TurnOutcome,
    TurnTiming,
    Usage,
    View,
)

FAILED_CALLS_KEPT: Final = 50
"""Of each turn; all are in the counts."""

# Where an event goes in the view: to a list or to the one place of its turn, or to its agent.
_LISTED: Final[Mapping[type[Event], str]] = {
    CodeExecution: "executions",
    CompileDiagnostic: "diagnostics",
    View: "views",
    Notice: "notices",
    OperatorLog: "logs",
    MemoryRevision: "revisions",
    MemoryRefusal: "refusals",
    Defect: "defects",
}
_SINGLE: Final[Mapping[type[Event], str]] = {
    ModelReply: "reply",
    Usage: "usage",
    TurnOutcome: "outcome",
    TurnTiming: "timing",
    Compaction: "compaction",
}
_OF_AGENT: Final[Mapping[type[Event], str]] = {
    AgentSpawned: "spawned",
    AgentSurface: "surface",
    AgentModules: "modules",
}


class RunFold:
    """Takes events in order; `view()` is the run up to the last one taken."""

    def __init__(self) -> None:
        self._agents: Final[dict[str, dict[str, Any]]] = {}
        self._turns: Final[dict[tuple[str, int], _Turn]] = {}
        self._memories: Final = MemoryFold()
        self._mismatches: Final[list[Mismatch]] = []
        self._beside: Final = _Turn(agent_id="", turn=0)  # what belongs to no turn
        self._defects: Final[list[Defect]] = []
        self._limits: Final[list[LimitExceeded]] = []
        self._started: SessionStarted | None = None
        self._summary: SessionSummary | None = None
        self._first: StampedEvent | None = None
        self._last: StampedEvent | None = None

    def add(self, stamped: StampedEvent) -> None:
        """Takes the next event."""
        self._first = self._first or stamped
        self._last = stamped
        self._mismatches.extend(self._memories.add(stamped))
        event = stamped.event
        match event:
            case SessionStarted():
                self._started = event
            case SessionSummary():
                self._summary = event
            case LimitExceeded():
                self._limits.append(event)
            case AgentSpawned() | AgentSurface() | AgentModules():
                agent = self._agents.setdefault(stamped.agent_id, dict.fromkeys(_OF_AGENT.values()))
                agent[_OF_AGENT[type(event)]] = event
            case _:
                self._turn_of(stamped).add(event, stamped.at)
        if isinstance(event, Prompt):
            self._add_answers(event, stamped.agent_id)
        if isinstance(event, Defect):
            self._defects.append(event)

    def view(self, *, torn: bool = False) -> RunView:
        """The run so far. `torn` is what the reader of the file says."""
        return RunView(
            run=self._first.run if self._first else None,
            started=self._started,
            agents=tuple(AgentView(agent_id=agent_id, **fields) for agent_id, fields in self._agents.items()),
            turns=tuple(turn.view() for turn in self._turns.values()),
            stores=self._memories.stores(),
            mismatches=tuple(self._mismatches),
            logs=tuple(self._beside.listed["logs"]),
            notices=tuple(self._beside.listed["notices"]),
            defects=tuple(self._defects),
            limits=tuple(self._limits),
            summary=self._summary,
            events=self._last.seq if self._last else 0,
            first_at=self._first.at if self._first else None,
            last_at=self._last.at if self._last else None,
            torn=torn,
        )

    def _add_answers(self, prompt: Prompt, agent_id: str) -> None:
        """Calls are answered in the prompt that follows their turn."""
        before = self._turns.get((agent_id, prompt.turn - 1))
        if before is not None:
            before.answers += answers_in(prompt)

    def _turn_of(self, stamped: StampedEvent) -> "_Turn":
        turn = turn_of(stamped.event)
        if turn is None:
            return self._beside
        key = (stamped.agent_id, turn)
        if key not in self._turns:
            self._turns[key] = _Turn(agent_id=stamped.agent_id, turn=turn, started_at=stamped.at)
        return self._turns[key]


def fold_run(events: Iterable[StampedEvent], *, at_turn: int | None = None, torn: bool = False) -> RunView:
    """The view of a run; with `at_turn`, as it stood when the root's turn of that number had ended."""
    fold = RunFold()
    for stamped in events if at_turn is None else until_turn(events, at_turn):
        fold.add(stamped)
    return fold.view(torn=torn)


def until_turn(events: Iterable[StampedEvent], turn: int) -> Iterator[StampedEvent]:
    """The events up to the end of the root's turn of that number. The root is the agent that began first."""
    root: str | None = None
    for stamped in events:
        if root is None and isinstance(stamped.event, AgentSpawned):
            root = stamped.agent_id
        if stamped.agent_id == root and (turn_of(stamped.event) or 0) > turn:
            return
        yield stamped


def turn_of(event: Event) -> int | None:
    """The turn that an event belongs to, from 1; absent where it belongs to none."""
    return getattr(event, "turn", None) or None


def answers_in(prompt: Prompt) -> Iterator[CallAnswer]:
    """What the calls of tools were answered that are new in a prompt, in the order of the calls."""
    names = {call.id: call.name for message in prompt.new_messages for call in message.tool_calls}
    for message in prompt.new_messages:
        if message.band == "result" and message.answers is not None:
            yield CallAnswer(id=message.answers, tool=names.get(message.answers, ""), text=message.text)


@dataclass
class _Turn:
    agent_id: str
    turn: int
    started_at: datetime = datetime.min
    single: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(_SINGLE.values()))
    listed: dict[str, list[Any]] = field(
        default_factory=lambda: {name: [] for name in ("summaries", *_LISTED.values())}
    )
    calls: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    failed_calls: list[ApiCall] = field(default_factory=list)
    answers: list[CallAnswer] = field(default_factory=list)
    reads: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)
    searches: Counter[tuple[str, ...]] = field(default_factory=Counter)
    finds: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def add(self, event: Event, at: datetime) -> None:
        match event:
            case ApiCall():
                self.calls[event.operation] += 1
                self.failed[event.operation] += not event.ok
                if not event.ok and len(self.failed_calls) < FAILED_CALLS_KEPT:
                    self.failed_calls.append(event)
            case ModelReply(purpose="summary"):
                self.listed["summaries"].append(event)
            case Usage(purpose="summary"):
                pass  # the turn's own is what the turn was billed
            case MemoryRead():
                self.reads[event.name] += 1
                self.hits[event.name] += event.hit
            case MemorySearch():
                self.searches[event.keywords] += 1
                self.finds[event.keywords] += event.total > 0
            case _ if type(event) in _SINGLE:
                self.single[_SINGLE[type(event)]] = event
            case _ if type(event) in _LISTED:
                self.listed[_LISTED[type(event)]].append(event)

    def view(self) -> TurnView:
        listed: dict[str, Any] = {name: tuple(events) for name, events in self.listed.items()}
        calls = (
            CallCount(operation=operation, calls=count, failed=self.failed[operation])
            for operation, count in self.calls.items()
        )
        reads = (
            ReadCount(name=name, hits=self.hits[name], misses=count - self.hits[name])
            for name, count in self.reads.items()
        )
        searches = (
            SearchCount(keywords=keywords, hits=self.finds[keywords], misses=count - self.finds[keywords])
            for keywords, count in self.searches.items()
        )
        return TurnView(
            agent_id=self.agent_id,
            turn=self.turn,
            started_at=self.started_at,
            calls=tuple(calls),
            failed_calls=tuple(self.failed_calls),
            answers=tuple(self.answers),
            reads=tuple(reads),
            searches=tuple(searches),
            **self.single,
            **listed,
        )
