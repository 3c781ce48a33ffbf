"""Every event there is: a closed union, and the registry that a reader looks types up in."""

from collections.abc import Mapping
from typing import Final, get_args

from host.events.types.agents import (
    AgentEnded,
    AgentModule,
    AgentModules,
    AgentSpawned,
    AgentSurface,
    AgentTransition,
    Disposition,
    HandedModule,
    IssueState,
    IssueStatus,
    ModuleOrigin,
    StartKind,
)
from host.events.types.approval import Approval
from host.events.types.base import (
    ENVELOPE_FIELDS,
    MASK_FIELDS,
    CompileOrigin,
    EventModel,
    Part,
    Purpose,
    RunOrigin,
)
from host.events.types.memory import (
    MemoryCaps,
    MemoryEntry,
    MemoryPeak,
    MemoryRead,
    MemoryRefusal,
    MemoryRevision,
    MemorySearch,
    MemoryState,
)
from host.events.types.program import ApiCall, CodeExecution, CompileDiagnostic, ExecutionOutcome
from host.events.types.records import RecordKept, RecordRead, RecordReading
from host.events.types.session import (
    Compaction,
    CompactionStrategy,
    Defect,
    Ending,
    LimitExceeded,
    Notice,
    OperatorLog,
    Scalar,
    SessionStarted,
    SessionSummary,
    Status,
    TokenTotals,
)
from host.events.types.shell import CommandOutcome, Shell
from host.events.types.skill import SkillRead, SkillText
from host.events.types.skillbook import (
    InjectedSkill,
    ReflectedKind,
    SkillbookChanged,
    SkillbookChanging,
    SkillbookRead,
    SkillbookReading,
    SkillsInjected,
)
from host.events.types.turn import (
    BandSize,
    ContextBreakdown,
    ModelReply,
    Prompt,
    PromptImage,
    PromptMessage,
    RequestedCall,
    TurnOutcome,
    TurnTiming,
    Usage,
    View,
)

Event = (
    SessionStarted
    | AgentSpawned
    | AgentSurface
    | AgentModules
    | AgentTransition
    | AgentEnded
    | IssueState
    | Prompt
    | ContextBreakdown
    | ModelReply
    | CodeExecution
    | ApiCall
    | Approval
    | CompileDiagnostic
    | OperatorLog
    | MemoryState
    | MemoryRevision
    | MemoryRead
    | MemorySearch
    | MemoryRefusal
    | Shell
    | SkillRead
    | RecordRead
    | RecordKept
    | SkillsInjected
    | SkillbookRead
    | SkillbookChanged
    | View
    | Notice
    | Compaction
    | Usage
    | TurnOutcome
    | TurnTiming
    | Defect
    | LimitExceeded
    | SessionSummary
)

EVENT_TYPES: Final[Mapping[str, type[Event]]] = {model.type: model for model in get_args(Event)}
"""Model by the `type` that stands on disk, in the order of the reference."""

__all__ = [
    "ENVELOPE_FIELDS",
    "EVENT_TYPES",
    "MASK_FIELDS",
    "AgentEnded",
    "AgentModule",
    "AgentModules",
    "AgentSpawned",
    "AgentSurface",
    "AgentTransition",
    "ApiCall",
    "Approval",
    "BandSize",
    "CodeExecution",
    "CommandOutcome",
    "Compaction",
    "CompactionStrategy",
    "CompileDiagnostic",
    "CompileOrigin",
    "ContextBreakdown",
    "Defect",
    "Disposition",
    "Ending",
    "Event",
    "EventModel",
    "ExecutionOutcome",
    "HandedModule",
    "InjectedSkill",
    "IssueState",
    "IssueStatus",
    "LimitExceeded",
    "MemoryCaps",
    "MemoryEntry",
    "MemoryPeak",
    "MemoryRead",
    "MemoryRefusal",
    "MemoryRevision",
    "MemorySearch",
    "MemoryState",
    "ModelReply",
    "ModuleOrigin",
    "Notice",
    "OperatorLog",
    "Part",
    "Prompt",
    "PromptImage",
    "PromptMessage",
    "Purpose",
    "RecordKept",
    "RecordRead",
    "RecordReading",
    "ReflectedKind",
    "RequestedCall",
    "RunOrigin",
    "Scalar",
    "SessionStarted",
    "SessionSummary",
    "Shell",
    "SkillRead",
    "SkillText",
    "SkillbookChanged",
    "SkillbookChanging",
    "SkillbookRead",
    "SkillbookReading",
    "SkillsInjected",
    "StartKind",
    "Status",
    "TokenTotals",
    "TurnOutcome",
    "TurnTiming",
    "Usage",
    "View",
]
