"""A run as a person looks at it, as values: agents, turns with all that belongs to them, stores.

What can be numerous is counted (calls, reads), what is read is kept whole. Prompts are left out, but for the
answers to calls of tools: they are most of a record, and a reader who wants one reads the events.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from host.events.folded_store import FoldedStore, Mismatch
from host.events.stamped import EventPlace
from host.events.types import (
    AgentEnded,
    AgentModules,
    AgentSpawned,
    AgentSurface,
    AgentTransition,
    ApiCall,
    Approval,
    CodeExecution,
    Compaction,
    CompileDiagnostic,
    Defect,
    IssueState,
    LimitExceeded,
    MemoryRefusal,
    MemoryRevision,
    ModelReply,
    Notice,
    OperatorLog,
    RecordKept,
    RecordRead,
    SessionStarted,
    SessionSummary,
    Shell,
    SkillbookChanged,
    SkillbookRead,
    SkillsInjected,
    Status,
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
    """How often a memory or skill was asked for in a turn, and how often it was there."""

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
    commands: tuple[Shell, ...]
    diagnostics: tuple[CompileDiagnostic, ...]
    calls: tuple[CallCount, ...]
    failed_calls: tuple[ApiCall, ...]
    answers: tuple[CallAnswer, ...]
    approvals: tuple[Approval, ...]
    views: tuple[View, ...]
    notices: tuple[Notice, ...]
    logs: tuple[OperatorLog, ...]
    revisions: tuple[MemoryRevision, ...]
    reads: tuple[ReadCount, ...]
    skills: tuple[ReadCount, ...]
    searches: tuple[SearchCount, ...]
    refusals: tuple[MemoryRefusal, ...]
    record_reads: tuple[RecordRead, ...]
    records_kept: tuple[RecordKept, ...]
    skills_injected: tuple[SkillsInjected, ...]
    skillbook_reads: tuple[SkillbookRead, ...]
    skillbook_changes: tuple[SkillbookChanged, ...]
    defects: tuple[Defect, ...]
    usage: Usage | None
    outcome: TurnOutcome | None
    timing: TurnTiming | None
    compaction: Compaction | None
    summaries: tuple[ModelReply, ...]


@dataclass(frozen=True, kw_only=True)
class AgentView:
    """One agent: how it came to be, what it could call and held, what it handed over, how it ended.

    `status` of the run's last root is that of the run; without one the agent has not ended. `turns` are those
    that have ended. `limits`, `notices` and `logs` are those that belong to no turn of it.
    """

    agent_id: str
    began_at: datetime
    spawned: AgentSpawned | None
    surface: AgentSurface | None
    modules: AgentModules | None
    transitions: tuple[AgentTransition, ...]
    status: Status | None
    ended: AgentEnded | None
    ended_at: datetime | None
    turns: int
    errors: int
    limits: tuple[LimitExceeded, ...]
    notices: tuple[Notice, ...]
    logs: tuple[OperatorLog, ...]


@dataclass(frozen=True, kw_only=True)
class IssueStep:
    """An issue came to stand elsewhere, by what the agent did."""

    place: EventPlace
    agent_id: str
    state: IssueState


@dataclass(frozen=True, kw_only=True)
class IssueView:
    """One issue of the board: who put it there, where it stands now, and all that became of it, in order."""

    issue: str
    creator: str
    now: IssueState
    history: tuple[IssueStep, ...]


@dataclass(frozen=True, kw_only=True)
class RunView:
    """A run, or as much of it as was recorded: one that was cut off has no summary.

    Agents, stores and issues stand in the order in which they came, the turns of all agents in that in which
    they began.
    """

    run: str | None
    started: SessionStarted | None
    agents: tuple[AgentView, ...]
    turns: tuple[TurnView, ...]
    issues: tuple[IssueView, ...]
    stores: Mapping[str, FoldedStore]
    mismatches: tuple[Mismatch, ...]
    """Where the snapshots of the stores contradict their revisions: damage, or a defect of gg's own."""
    defects: tuple[Defect, ...]
    """All of them, those of a turn included."""
    summary: SessionSummary | None
    events: int
    first_at: datetime | None
    last_at: datetime | None
    torn: bool
    """Whether a last line that was cut short was dropped."""
