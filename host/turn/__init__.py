"""One turn after another: from a reply to its outcome, for one agent."""

from host.turn.acting import ACTING
from host.turn.ceilings import Ceilings, TurnCount
from host.turn.chain import ProgramChain
from host.turn.code import AgentCode
from host.turn.compaction import (
    Compaction,
    MemoryCompaction,
    OnDemand,
    SummaryCompaction,
    Threshold,
    Trimmed,
)
from host.turn.company import Alone, Company
from host.turn.delivery import Delivery, SubmittedProgram, WholeReply
from host.turn.docs import AgentDocs
from host.turn.endings import AgentStopped, Ending, EndingFlag
from host.turn.healing import heal
from host.turn.latch import Latch
from host.turn.loop import AgentEnd, AgentLoop, LoopParts
from host.turn.modes import Carried, Mode, ProgramsAndCalls, ResponsesAsCode, ToolCalling
from host.turn.program_library import ProgramLibrary
from host.turn.prompt import (
    SECTION_NAMES,
    MemoryFacts,
    OtherAgents,
    PromptFacts,
    SectionName,
    system_prompt,
)
from host.turn.run_state import RunState
from host.turn.runner import ProgramRunner
from host.turn.seeds import program_seed
from host.turn.telling import News
from host.turn.thread import AgentThread

__all__ = [
    "ACTING",
    "SECTION_NAMES",
    "AgentCode",
    "AgentDocs",
    "AgentEnd",
    "AgentLoop",
    "AgentStopped",
    "AgentThread",
    "Alone",
    "Carried",
    "Ceilings",
    "Compaction",
    "Company",
    "Delivery",
    "Ending",
    "EndingFlag",
    "Latch",
    "LoopParts",
    "MemoryCompaction",
    "MemoryFacts",
    "Mode",
    "News",
    "OnDemand",
    "OtherAgents",
    "ProgramChain",
    "ProgramLibrary",
    "ProgramRunner",
    "ProgramsAndCalls",
    "PromptFacts",
    "ResponsesAsCode",
    "RunState",
    "SectionName",
    "SubmittedProgram",
    "SummaryCompaction",
    "Threshold",
    "ToolCalling",
    "Trimmed",
    "TurnCount",
    "WholeReply",
    "heal",
    "program_seed",
    "system_prompt",
]
