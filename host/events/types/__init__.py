"""Every event there is: a closed union, and the registry that a reader looks types up in."""

from collections.abc import Mapping
from typing import Final, get_args

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
from host.events.types.session import (
    AgentModule,
    AgentModules,
    AgentSpawned,
    AgentSurface,
    Compaction,
    CompactionStrategy,
    Defect,
    Ending,
    LimitExceeded,
    ModuleOrigin,
    Notice,
    OperatorLog,
    Scalar,
    SessionStarted,
    SessionSummary,
    Status,
    TokenTotals,
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
    | Prompt
    | ContextBreakdown
    | ModelReply
    | CodeExecution
    | ApiCall
    | CompileDiagnostic
    | OperatorLog
    | MemoryState
    | MemoryRevision
    | MemoryRead
    | MemorySearch
    | MemoryRefusal
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
    "AgentModule",
    "AgentModules",
    "AgentSpawned",
    "AgentSurface",
    "ApiCall",
    "BandSize",
    "CodeExecution",
    "Compaction",
    "CompactionStrategy",
    "CompileDiagnostic",
    "CompileOrigin",
    "ContextBreakdown",
    "Defect",
    "Ending",
    "Event",
    "EventModel",
    "ExecutionOutcome",
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
    "RequestedCall",
    "RunOrigin",
    "Scalar",
    "SessionStarted",
    "SessionSummary",
    "Status",
    "TokenTotals",
    "TurnOutcome",
    "TurnTiming",
    "Usage",
    "View",
]
