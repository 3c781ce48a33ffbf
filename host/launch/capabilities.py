"""The capabilities of an agent as pydantic models: what each may write under `capabilities`.

What an enabled one has to write is in `rules`, since one that is off may leave it out.
"""

from typing import Annotated, Final, Literal

from pydantic import Field, PlainValidator

from host.launch.fields import FilledText, Flag, LiftableCount, Settings, Threshold, name_of, one_of, words
from host.launch.record_settings import RecordsCapability
from host.launch.skillbook_settings import SkillbookCapability
from host.launch.tool_settings import ShellCapability, SkillsCapability, ToolsCapability

SCOPES: Final = ("isolated", "shared", "inherited", "read-only")
STRATEGIES: Final = ("scratchpad", "markdown", "keyword-search")
COMPACTIONS: Final = ("summary", "memory-compaction")
LIMIT_KEYS: Final = (
    "maxCount",
    "maxLenPerMemory",
    "maxTotalLen",
    "maxLenIndex",
    "maxLenDescription",
    "maxResults",
)

Scope = Annotated[str, PlainValidator(one_of(*SCOPES, what="scope")), words(*SCOPES)]
Strategy = Annotated[
    str | None, PlainValidator(name_of(*STRATEGIES, what="memory strategy")), words(*STRATEGIES)
]
CompactionStrategy = Annotated[
    Literal["summary", "memory-compaction"] | None,
    PlainValidator(name_of(*COMPACTIONS, what="compaction")),
    words(*COMPACTIONS),
]


class MemoryParams(Settings):
    """Scope and limits of a memory store. An enabled capability writes all of them; 0 lifts a limit."""

    scope: Scope | None = Field(default=None, description="Which store is bound; required when enabled.")
    max_count: LiftableCount | None = Field(default=None, description="Memories held at once (scratchpad).")
    max_len_per_memory: LiftableCount | None = Field(default=None, description="Characters of one body.")
    max_total_len: LiftableCount | None = Field(
        default=None, description="Characters of all bodies (scratchpad)."
    )
    max_len_index: LiftableCount | None = Field(
        default=None, description="Characters of the pinned index (markdown)."
    )
    max_len_description: LiftableCount | None = Field(
        default=None, description="Characters of one description."
    )
    max_results: LiftableCount | None = Field(
        default=None, description="Hits of one search (keyword-search)."
    )


class MemoryFeatures(Settings):
    """What a holder of memories may do beyond writing new ones."""

    revise_memories: Flag = Field(
        default=True,
        description="Off withholds the calls that update, edit and delete, so memories are append-only.",
    )


class MemoriesCapability(Settings):
    """Notes that the agent writes and maintains itself."""

    id: Literal["memories"]
    enabled: Flag = Field(default=True, description="Off keeps the params in the file and grants nothing.")
    implementation: Strategy | None = Field(default=None, description="The strategy, required when enabled.")
    features: MemoryFeatures = Field(
        default=MemoryFeatures(), description="What may be switched off; what is not written is on."
    )
    params: MemoryParams = Field(
        default=MemoryParams(), description="Scope and limits, all required when enabled."
    )


class FilesParams(Settings):
    """One directory of the operator's."""

    dir: FilledText | None = Field(default=None, description="The directory; required when enabled.")
    write: Flag = Field(default=False, description="Whether programs may write.")
    copy_: Flag = Field(default=False, alias="copy", description="Work on a copy kept in the session record.")


class FilesCapability(Settings):
    """Reading, writing and listing in one directory."""

    id: Literal["files"]
    enabled: Flag = Field(default=True, description="Off keeps the params in the file and grants nothing.")
    params: FilesParams = Field(default=FilesParams(), description="Which directory, and what for.")


class ProgramLibraryCapability(Settings):
    """Reading the programs of earlier turns, and running one of them or another text again."""

    id: Literal["program-library"]
    enabled: Flag = Field(default=True, description="Off grants nothing.")


class AgentManagedContextCapability(Settings):
    """Closing file views, archiving turns, compacting: the agent keeps its own window small."""

    id: Literal["agent-managed-context"]
    enabled: Flag = Field(default=True, description="Off grants nothing.")


class CompactionParams(Settings):
    """When a window is full."""

    threshold: Threshold = Field(default=0.85, description="Share of the model's `contextWindow`.")


class CompactionCapability(Settings):
    """Rewriting a window that is nearly full. The agent's model says how large its `contextWindow` is."""

    id: Literal["compaction"]
    enabled: Flag = Field(default=True, description="Off keeps the params in the file and rewrites nothing.")
    implementation: CompactionStrategy | None = Field(
        default=None,
        description="`summary`: the model writes one. `memory-compaction`: the agent records its state in its"
        " memories. Required when enabled.",
    )
    params: CompactionParams = Field(default=CompactionParams(), description="When it is due.")


class DelegationCapability(Settings):
    """Starting agents, copying itself, handing over, creating issues: as roster, states and board allow."""

    id: Literal["delegation"]
    enabled: Flag = Field(default=True, description="Off grants nothing.")


Capability = Annotated[
    MemoriesCapability
    | FilesCapability
    | ProgramLibraryCapability
    | AgentManagedContextCapability
    | CompactionCapability
    | DelegationCapability
    | ToolsCapability
    | ShellCapability
    | SkillsCapability
    | RecordsCapability
    | SkillbookCapability,
    Field(discriminator="id"),
]
CAPABILITY_IDS: Final = (
    "memories",
    "files",
    "program-library",
    "agent-managed-context",
    "compaction",
    "delegation",
    "tools",
    "shell",
    "skills",
    "records",
    "skillbook",
)
