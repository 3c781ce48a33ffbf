"""The configuration document as pydantic models: every key there is, with its type and its default.

A key is here because the capability behind it works; any other refuses the launch. What depends on two
places, or on the disk, is in `rules`.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    PlainValidator,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from host.core.healing import DROP_DOUBLED_RESPONSE, STRATEGY_IDS, STRIP_FENCES, STRIP_PROSE
from host.launch.fields import (
    Count,
    FilledText,
    Flag,
    Identifier,
    LiftableCount,
    Line,
    MemoryMiB,
    Replies,
    Seconds,
    Seed,
    Share,
    Text,
    expected,
    one_of,
    words,
)

EXECUTIONS: Final = ("responses_as_code",)
PROVIDERS: Final = ("scripted", "human")
NAMED_ALONE: Final = ("human",)  # providers that need nothing more
SCOPES: Final = ("isolated", "shared", "inherited", "read-only")
STRATEGIES: Final = ("scratchpad", "markdown", "keyword-search")
OFFERED_STRATEGIES: Final = ("scratchpad", "markdown")
LIMIT_KEYS: Final = (
    "maxCount",
    "maxLenPerMemory",
    "maxTotalLen",
    "maxLenIndex",
    "maxLenDescription",
    "maxResults",
)

Execution = Annotated[str, PlainValidator(one_of(*EXECUTIONS, what="execution mode")), words(*EXECUTIONS)]
Provider = Annotated[str, PlainValidator(one_of(*PROVIDERS, what="provider")), words(*PROVIDERS)]
Scope = Annotated[str, PlainValidator(one_of(*SCOPES, what="scope")), words(*SCOPES)]
Strategy = Annotated[str, PlainValidator(one_of(*STRATEGIES, what="memory strategy")), words(*STRATEGIES)]
Typecheck = Annotated[
    Literal["error", "warn", "off"],
    PlainValidator(one_of("error", "warn", "off", what="type check level")),
    words("error", "warn", "off"),
]
Delivery = Annotated[
    Literal["reply", "tool"],
    PlainValidator(one_of("reply", "tool", what="delivery")),
    words("reply", "tool"),
]
Confine = Annotated[
    Literal["required", "best-effort"],
    PlainValidator(one_of("required", "best-effort", what="confinement")),
    words("required", "best-effort"),
]


class Settings(BaseModel):
    """Base of every object in the document: camel-case keys, nothing converted, nothing unknown."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)


class ModelSettings(Settings):
    """Which model answers. The provider's name alone may stand in place of the object."""

    provider: Provider = Field(
        description="`scripted`: replies written beforehand. `human`: a person at the terminal."
    )
    replies: Replies = Field(
        default=None,
        description="Of a scripted model: a list of replies, a folder of reply files, or a Python function as"
        " `module:function`.",
    )
    context_window: Count | None = Field(
        default=None, description="Tokens of the model's context window; compaction is measured against it."
    )

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return {"provider": value} if isinstance(value, str) else value

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        of_object = handler.resolve_ref_schema(handler(core_schema))
        described = of_object.pop("description")
        return {"description": described, "anyOf": [{"enum": [*NAMED_ALONE]}, of_object]}


class LimitSettings(Settings):
    """What ends a run. A limit that is not written is not armed."""

    max_turns: Count | None = Field(default=None, description="Turns of one agent.")
    max_runtime_secs: Seconds | None = Field(default=None, description="Seconds of the whole run.")
    max_consecutive_errors: Count | None = Field(
        default=None, description="Error turns of one agent in a row."
    )
    max_error_rate: Share | None = Field(
        default=None, description="Share of error turns in the last `errorRateWindow`."
    )
    error_rate_window: Count | None = Field(
        default=None, description="Turns over which `maxErrorRate` is taken."
    )


class SandboxSettings(Settings):
    """What one program may use."""

    guest_secs: Seconds = Field(default=30.0, description="Guest time of one program, in seconds.")
    memory_mi_b: MemoryMiB = Field(
        default=256, alias="memoryMiB", description="Engine memory of one program, in MiB."
    )
    confine: Confine = Field(
        default="required", description="Whether a worker that cannot be confined refuses the launch."
    )


class HealingKeys(Settings):
    """What may be deleted from a reply before it is compiled; what is not written keeps its default.

    `true` and `null` are the defaults, `false` is none of it.
    """

    strip_fences: Flag = Field(
        default=True, alias=STRIP_FENCES, description="Take the program out of the one fence that holds it."
    )
    strip_prose: Flag = Field(
        default=True, alias=STRIP_PROSE, description="Take away what is certainly prose before and after it."
    )
    drop_doubled_response: Flag = Field(
        default=False,
        alias=DROP_DOUBLED_RESPONSE,
        description="Of a reply that is twice the same, drop the second half.",
    )

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, value: object) -> object:
        if value is None or value is True:
            return {}
        if value is False:
            return dict.fromkeys(STRATEGY_IDS, False)
        if not isinstance(value, Mapping):
            raise expected(f'needs true, false, null or an object such as {{"{STRIP_PROSE}": false}}')
        return value

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        of_object = handler.resolve_ref_schema(handler(core_schema))
        described = of_object.pop("description")
        return {"description": described, "anyOf": [of_object, {"type": "boolean"}, {"type": "null"}]}


class CodeModeSettings(Settings):
    """How a reply becomes a program."""

    typecheck: Typecheck = Field(
        default="error",
        description="`error` rejects a program that does not type-check, `warn` tells the operator alone.",
    )
    delivery: Delivery = Field(
        default="reply",
        description="`reply`: the reply is the program, healed; `tool`: the argument of a forced call is.",
    )
    healing: HealingKeys = Field(
        default=HealingKeys(), description="Repairs by id; `false` switches all of them off."
    )


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


class MemoriesCapability(Settings):
    """Notes that the agent writes and maintains itself."""

    id: Literal["memories"]
    enabled: Flag = Field(default=True, description="Off keeps the params in the file and grants nothing.")
    implementation: Strategy | None = Field(
        default=None, description="The strategy, required when enabled; this version has no `keyword-search`."
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


Capability = Annotated[
    MemoriesCapability | FilesCapability | ProgramLibraryCapability | AgentManagedContextCapability,
    Field(discriminator="id"),
]
CAPABILITY_IDS: Final = ("memories", "files", "program-library", "agent-managed-context")


class AgentSettings(Settings):
    """One agent profile."""

    id: Identifier = Field(description="Its name in the record and in messages.")
    execution: Execution = Field(
        default="responses_as_code", description="One reply is one TypeScript program."
    )
    code_mode: CodeModeSettings = Field(default=CodeModeSettings(), description="Compiling and healing.")
    prompt: Text = Field(default="", description="The agent's own part of the system prompt.")
    model: ModelSettings | None = Field(
        default=None, description="This agent's model; the run's when absent."
    )
    capabilities: list[Capability] = Field(default=[], description="What its programs may call.")


class RunSettings(Settings):
    """A run configuration."""

    name: Line | None = Field(default=None, description="The run's name; the folder's when absent.")
    task: FilledText = Field(description="What the agent is asked to do.")
    root: Text | None = Field(
        default=None, description="The agent that gets the task; the first when absent."
    )
    model: ModelSettings | None = Field(default=None, description="The model of agents that name none.")
    limits: LimitSettings = Field(default=LimitSettings(), description="What ends the run.")
    sandbox: SandboxSettings = Field(default=SandboxSettings(), description="What a program may use.")
    seed: Seed | None = Field(
        default=None, description="Seed of all randomness in programs; drawn when absent."
    )
    agents: list[AgentSettings] = Field(min_length=1, description="The agents; this version runs one.")
