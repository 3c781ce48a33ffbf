"""A run as a person looks at it, as values: agents, turns with all that belongs to them, stores.

What can be numerous is counted (calls, reads), what is read is kept whole. Prompts are left out, but for the
answers to calls of tools: they are most of a record, and a reader who wants one reads the events.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from host.events.fold_memories import FoldedStore, Mismatch
from host.events.types import (
    AgentModules,
    AgentSpawned,
    AgentSurface,
    ApiCall,
    CodeExecution,
    Compaction,
    CompileDiagnostic,
    Defect,
    LimitExceeded,
    MemoryRefusal,
    MemoryRevision,
    ModelReply,
    Notice,
    OperatorLog,
    SessionStarted,
    SessionSummary,
    TurnOutcome,
    TurnTiming,
    Usage,
    View,
)


@dataclass(frozen=True, kw_only=True)
class CallCount:
    """How often an operation was called in a turn, and how often it failed."""

    operation: str
    calls: int
    failed: int


@dataclass(frozen=True, kw_only=True)
class CallAnswer:
    """What the call of a tool was answered: its result as JSON, or `code: message`. Those of a turn that was
    the last are not known, since nobody read them.
    """

    id: str
    tool: str
    text: str


@dataclass(frozen=True, kw_only=True)
class ReadCount:
    """How often a memory was asked for in a turn, and how often it was there."""

    name: str
    hits: int
    misses: int


@dataclass(frozen=True, kw_only=True)
class SearchCount:
    """How often memories were searched for these keywords in a turn, and how often some were found."""

    keywords: tuple[str, ...]
    hits: int
    misses: int


@dataclass(frozen=True, kw_only=True)
class TurnView:
    """One turn of one agent. A turn that was cut off has no outcome.

    `summaries` are the replies to requests for a summary at its end; of them the last is used, if any.
    """

    agent_id: str
    turn: int
    started_at: datetime
    reply: ModelReply | None
    executions: tuple[CodeExecution, ...]
    diagnostics: tuple[CompileDiagnostic, ...]
    calls: tuple[CallCount, ...]
    failed_calls: tuple[ApiCall, ...]
    answers: tuple[CallAnswer, ...]
    views: tuple[View, ...]
    notices: tuple[Notice, ...]
    logs: tuple[OperatorLog, ...]
    revisions: tuple[MemoryRevision, ...]
    reads: tuple[ReadCount, ...]
    searches: tuple[SearchCount, ...]
    refusals: tuple[MemoryRefusal, ...]
    defects: tuple[Defect, ...]
    usage: Usage | None
    outcome: TurnOutcome | None
    timing: TurnTiming | None
    compaction: Compaction | None
    summaries: tuple[ModelReply, ...]


@dataclass(frozen=True, kw_only=True)
class AgentView:
    """One agent: how it began, what it could call, what it holds."""

    agent_id: str
    spawned: AgentSpawned | None
    surface: AgentSurface | None
    modules: AgentModules | None


@dataclass(frozen=True, kw_only=True)
class RunView:
    """A run, or as much of it as was recorded: one that was cut off has no summary."""

    run: str | None
    started: SessionStarted | None
    agents: tuple[AgentView, ...]
    turns: tuple[TurnView, ...]
    stores: Mapping[str, FoldedStore]
    mismatches: tuple[Mismatch, ...]
    """Where the snapshots of the stores contradict their revisions: damage, or a defect of gg's own."""
    logs: tuple[OperatorLog, ...]
    """Lines that belong to no turn."""
    notices: tuple[Notice, ...]
    """Notices that belong to no turn."""
    defects: tuple[Defect, ...]
    """All of them, those of a turn included."""
    limits: tuple[LimitExceeded, ...]
    summary: SessionSummary | None
    events: int
    first_at: datetime | None
    last_at: datetime | None
    torn: bool
    """Whether a last line that was cut short was dropped."""
