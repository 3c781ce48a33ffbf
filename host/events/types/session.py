"""Events of a run as a whole: start, notices, compactions, defects, ceilings, end."""

from typing import Literal

from pydantic import Field

from host.core.errors import ProviderFailure
from host.events.types.base import EventModel, Many, MaybeTurn, Part

Status = Literal[
    "completed",
    "exhausted",
    "timed_out",
    "limit_exceeded",
    "canceled",
    "model_error",
    "auth_error",
    "compaction_failed",
    "internal_error",
]
CompactionStrategy = Literal["summary", "memory-compaction"]
Scalar = str | int | float | bool | None


class SessionStarted(EventModel):
    """The first event of a record. Written once, when the launch was validated."""

    name: str = Field(description="Name of the run, from the configuration.")
    task: str = Field(description="The task as given.")
    config_sha256: str = Field(description="SHA-256 of the configuration as used, before masking.")
    gg_version: str = Field(description="Version of gg that wrote the record.")
    python_version: str = Field(description="Version of Python it ran on.")
    seed: int = Field(description="Seed of the run, from which each program's is drawn.")


class Notice(EventModel):
    """A `Notice` was queued for the model."""

    turn: MaybeTurn = None
    kind: str = Field(description="What it is about.")
    text: str = Field(description="The text as the model reads it.")


class OperatorLog(EventModel):
    """A line for the operator: a program's `console`, or the host's own."""

    level: str = Field(description="`debug`, `log`, `info`, `warn` or `error`.")
    text: str = Field(description="The line.")
    turn: MaybeTurn = None
    source: str = Field(description="Who wrote it: `program`, `onUse` or `host`.")


class Compaction(EventModel):
    """A window was rewritten: everything before this turn was replaced by a summary."""

    turn: MaybeTurn = None
    cause: Literal["agent", "threshold"] = Field(
        description="Who asked for it: the agent, by `context.compact`, or gg, when the window was full."
    )
    strategy: CompactionStrategy = Field(
        description="What it goes on from: `summary`, a text, or `memory-compaction`, what it recorded."
    )
    summary: str = Field(description="What the model reads in place of the messages that are gone.")
    observed_tokens: int | None = Field(
        default=None,
        description="What the window held with the messages of the turn, where that was the cause: an"
        " estimate, or what was billed if that is more.",
    )
    threshold_tokens: int | None = Field(default=None, description="The threshold that it had reached.")
    memories_kept: int = Field(description="Memories that are held across it.")
    messages_before: int = Field(description="Messages in the window before.")
    messages_after: int = Field(description="Messages after; those of the turn follow.")
    tokens_before: int = Field(description="Estimate of their tokens before.")
    tokens_after: int = Field(description="Estimate of their tokens after.")


class Defect(EventModel):
    """A fault of gg's own. The run ends under `internal_error`; the model is told nothing."""

    turn: MaybeTurn = None
    kind: str = Field(description="Which part failed.")
    detail: str = Field(description="What failed, for the operator.")
    agent_id_of: str | None = Field(
        default=None, description="The agent in whose turn it was met, where there is one."
    )
    facts: dict[str, Scalar] = Field(
        default_factory=dict,
        description="Figures to reproduce it with: exit status, end of stderr, hash of the input.",
    )


class LimitExceeded(EventModel):
    """A ceiling of the run or of the agent was reached."""

    limit: str = Field(description="The configuration's key, such as `maxTurns`.")
    threshold: int | float = Field(description="The figure that was written.")
    observed: int | float = Field(description="The figure that was met.")
    turns: int = Field(description="Turns that the agent had taken.")


class Ending(Part):
    """How an agent declared its work done."""

    kind: str = Field(description="The ending call: `finish`, `approve` or `request_changes`.")
    summary: str = Field(description="The text it was given; empty where it takes none.")
    items: Many[str] | None = Field(default=None, description="The changes that it requested, if it did.")


class TokenTotals(Part):
    """Tokens billed over a run."""

    input_tokens: int = Field(description="Tokens of all requests.")
    output_tokens: int = Field(description="Tokens of all replies.")
    cached_input_tokens: int | None = Field(
        default=None, description="Tokens of all requests that the provider had in a cache, if it had any."
    )
    cost: float | None = Field(
        default=None,
        description="US dollars of the requests whose price is known; absent where none is.",
    )


class SessionSummary(EventModel):
    """The last event of a record that was not cut off."""

    status: Status = Field(description="How the run ended.")
    exit_code: int = Field(description="Exit code of the process.")
    ending: Ending | None = Field(
        default=None, description="The root's ending, if it declared one that stood."
    )
    error: str | None = Field(
        default=None, description="What ended the run, where it was no ending: the provider's failure, say."
    )
    error_type: ProviderFailure | None = Field(
        default=None, description="The kind of a provider's failure that ended it, where that is known."
    )
    agents: int = Field(default=1, description="Agents that the run had, those that took over included.")
    turns: int = Field(description="Turns of all agents.")
    errors: int = Field(description="Turns that were errors.")
    error_types: dict[str, int] = Field(default_factory=dict, description="Error turns by `errorType`.")
    usage: TokenTotals = Field(description="Tokens billed.")
    duration_s: float = Field(description="Wall time of the run, seconds.")
