"""The configuration document as pydantic models: every key there is, with its type and its default.

A key is here because the capability behind it works; any other refuses the launch. What depends on two
places, or on the disk, is in `rules`.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import Field, GetJsonSchemaHandler, PlainValidator, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from host.core.healing import DROP_DOUBLED_RESPONSE, STRATEGY_IDS, STRIP_FENCES, STRIP_PROSE
from host.launch.capabilities import Capability
from host.launch.fields import (
    Count,
    Dollars,
    FilledText,
    Flag,
    Identifier,
    Line,
    MemoryMiB,
    Seconds,
    Seed,
    Settings,
    Share,
    Text,
    expected,
    one_of,
    words,
)
from host.launch.model_settings import ModelSettings
from host.launch.teams import BoardSettings, RosterSettings, States

EXECUTIONS: Final = ("responses_as_code", "tool_calling")

Execution = Annotated[
    Literal["responses_as_code", "tool_calling"],
    PlainValidator(one_of(*EXECUTIONS, what="execution mode")),
    words(*EXECUTIONS),
]
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
    max_cost: Dollars | None = Field(
        default=None,
        description="US dollars of the whole run, by the prices that are known, before each request.",
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


class AgentSettings(Settings):
    """One agent profile."""

    id: Identifier = Field(description="Its name in the record and in messages.")
    execution: Execution = Field(
        default="responses_as_code",
        description="`responses_as_code`: one reply is one TypeScript program. `tool_calling`: a reply calls"
        " tools.",
    )
    code_mode: CodeModeSettings = Field(
        default=CodeModeSettings(),
        description="Compiling and healing; checked in both modes, of no effect in tool-calling mode.",
    )
    prompt: Text = Field(default="", description="The agent's own part of the system prompt.")
    model: ModelSettings | None = Field(
        default=None, description="This agent's model; the run's when absent."
    )
    roster: list[RosterSettings] = Field(
        default=[],
        description="The agents that it may start or hand over to, with the capability `delegation`.",
        json_schema_extra={"uniqueItems": True},
    )
    capabilities: list[Capability] = Field(default=[], description="What it may do.")


class RunSettings(Settings):
    """A run configuration."""

    name: Line | None = Field(default=None, description="The run's name; the folder's when absent.")
    task: FilledText = Field(description="What the root is asked to do.")
    root: Text | None = Field(
        default=None, description="The agent that gets the task; the first when absent."
    )
    model: ModelSettings | None = Field(default=None, description="The model of agents that name none.")
    limits: LimitSettings = Field(default=LimitSettings(), description="What ends the run.")
    sandbox: SandboxSettings = Field(default=SandboxSettings(), description="What a program may use.")
    max_parallel: Count = Field(
        default=16, description="Agents at work at once; one that waits for others counts no more."
    )
    seed: Seed | None = Field(
        default=None, description="Seed of all randomness in programs; drawn when absent."
    )
    agents: list[AgentSettings] = Field(
        min_length=1, description="The agents, each started as often as it is asked for."
    )
    states: States = Field(
        default={}, description="States by name, between which agents hand over; see `delegation`."
    )
    board: BoardSettings | None = Field(
        default=None, description="Who works on issues; without it none are created."
    )
