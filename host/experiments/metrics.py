"""What one run spent and came to, out of the events of its record alone.

A provider that bills no tokens, as one of scripted replies, leaves them to be estimated: of a request from
its `context_breakdown` and what `agent_surface` says of the tools, of a reply from its text and its calls.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from host.core.tokens import estimate_tokens
from host.events import (
    AgentSpawned,
    AgentSurface,
    ApiCall,
    CodeExecution,
    ContextBreakdown,
    Event,
    MemoryState,
    ModelReply,
    Prompt,
    SessionStarted,
    SessionSummary,
    StampedEvent,
    TurnOutcome,
    TurnTiming,
    Usage,
)

UNFINISHED: Final = "cut off"
_OF_MEMORY: Final = "memories"
"""The band of the blocks that show memories without being asked."""


@dataclass(frozen=True, kw_only=True)
class Phases:
    """Milliseconds of all turns of all agents. `compile` has the type check, `other` what a turn does beyond:
    judging, telling, recording, compacting. Agents at work side by side each count.
    """

    prompt_ms: float = 0.0
    model_ms: float = 0.0
    compile_ms: float = 0.0
    run_ms: float = 0.0
    other_ms: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Measures:
    """One run in figures. `status` is `cut off` where the record has no end. `cost`, in US dollars, is absent
    where no usage was priced, `cached_tokens`, which are some of the input, where no provider told any.
    `errors` are error turns by their kind, `failed_calls` failed calls by code.
    """

    status: str
    summary: str
    error: str | None
    task: str
    seed: int | None
    agents: int
    turns: int
    model_calls: int
    input_tokens: int
    output_tokens: int
    is_estimated: bool
    memory_tokens: int
    host_calls: int
    calls: Mapping[str, int]
    failed_calls: Mapping[str, int]
    errors: Mapping[str, int]
    compile_rejections: int
    phases: Phases
    wall_ms: float
    cached_tokens: int | None
    cost: float | None
    memories_held: int
    memories_peak: int


def measure(events: Iterable[StampedEvent]) -> Measures:
    """The figures of a run, as far as it is recorded."""
    counting = _Counting()
    for stamped in events:
        counting.add(stamped)
    return counting.measures()


@dataclass
class _Counting:
    started: SessionStarted | None = None
    ended: SessionSummary | None = None
    first_at: datetime | None = None
    last_at: datetime | None = None
    agents: set[str] = field(default_factory=set)
    tools: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    stores: dict[str, MemoryState] = field(default_factory=dict)
    sums: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    times: dict[str, float] = field(default_factory=dict)
    is_estimated: bool = False
    cost: float | None = None
    cached_tokens: int | None = None

    def add(self, stamped: StampedEvent) -> None:
        self.first_at = self.first_at or stamped.at
        self.last_at = stamped.at
        self._add(stamped.event, stamped.agent_id)

    def _add(self, event: Event, agent_id: str) -> None:
        match event:
            case SessionStarted():
                self.started = event
            case SessionSummary():
                self.ended = event
            case AgentSpawned():
                self.agents.add(agent_id)
            case AgentSurface():
                self.tools[agent_id] = event.tools_tokens
            case Prompt():
                self.sums["requests"] += 1
            case ContextBreakdown():
                self._add_request(event, agent_id)
            case ModelReply():
                self._add_reply(event, agent_id)
            case Usage():
                self._add_cost(event)
            case ApiCall():
                self.calls[event.operation] += 1
                self.failed.update([] if event.ok else [event.code or "other"])
            case CodeExecution(outcome="rejected"):
                self.sums["rejections"] += 1
            case TurnOutcome():
                self.sums["turns"] += 1
                self.errors.update([event.error_type or "other"] if event.outcome == "error" else [])
            case TurnTiming():
                self._add_times(event)
            case MemoryState():
                self.stores[event.module_id] = event

    def _add_request(self, event: ContextBreakdown, agent_id: str) -> None:
        bands = event.bands.values()
        self.asked[agent_id] = sum(band.tokens for band in bands) + self.tools.get(agent_id, 0)
        shown = event.bands.get(_OF_MEMORY)
        self.sums["memory_tokens"] += shown.tokens if shown else 0

    def _add_reply(self, event: ModelReply, agent_id: str) -> None:
        if event.input_tokens or event.output_tokens:
            self.sums["input_tokens"] += event.input_tokens
            self.sums["output_tokens"] += event.output_tokens
            return
        self.is_estimated = True
        called = sum(estimate_tokens(call.name + call.arguments) for call in event.tool_calls)
        self.sums["input_tokens"] += self.asked.get(agent_id, 0)
        self.sums["output_tokens"] += estimate_tokens(event.text) + called

    def _add_cost(self, event: Usage) -> None:
        if event.cost is not None:
            self.cost = (self.cost or 0.0) + event.cost
        if event.cached_input_tokens is not None:
            self.cached_tokens = (self.cached_tokens or 0) + event.cached_input_tokens

    def _add_times(self, event: TurnTiming) -> None:
        compile_ms = event.compile_ms + event.check_ms
        of_turn = {
            "prompt_ms": event.prompt_ms,
            "model_ms": event.request_ms,
            "compile_ms": compile_ms,
            "run_ms": event.run_ms,
            "other_ms": max(0.0, event.response_ms - compile_ms - event.run_ms),
        }
        for name, value in of_turn.items():
            self.times[name] = self.times.get(name, 0.0) + value

    def measures(self) -> Measures:
        ended = self.ended
        return Measures(
            status=ended.status if ended else UNFINISHED,
            summary=ended.ending.summary if ended and ended.ending else "",
            error=ended.error if ended else None,
            task=self.started.task if self.started else "",
            seed=self.started.seed if self.started else None,
            agents=len(self.agents),
            turns=self.sums["turns"],
            model_calls=self.sums["requests"],
            input_tokens=self.sums["input_tokens"],
            output_tokens=self.sums["output_tokens"],
            is_estimated=self.is_estimated,
            memory_tokens=self.sums["memory_tokens"],
            host_calls=self.calls.total(),
            calls=dict(self.calls),
            failed_calls=dict(self.failed),
            errors=dict(self.errors),
            compile_rejections=self.sums["rejections"],
            phases=Phases(**{name: round(value, 3) for name, value in self.times.items()}),
            wall_ms=self._wall_ms(),
            cached_tokens=self.cached_tokens,
            cost=self.cost,
            memories_held=sum(store.count for store in self.stores.values()),
            memories_peak=sum(store.peak.count for store in self.stores.values()),
        )

    def _wall_ms(self) -> float:
        if self.ended is not None:
            return round(self.ended.duration_s * 1000, 3)
        if self.first_at is None or self.last_at is None:
            return 0.0
        return round((self.last_at - self.first_at).total_seconds() * 1000, 3)
