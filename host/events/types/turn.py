"""Events of a turn: what went to the model, what came back, how it was judged, what it cost."""

from typing import Literal

from pydantic import Field

from host.events.types.base import AsksFor, EventModel, Many, Milliseconds, Part, RunOrigin, Turn


class RequestedCall(Part):
    """A call of a tool that a model asked for."""

    id: str = Field(description="What its answer refers to.")
    name: str = Field(description="The tool.")
    arguments: str = Field(description="The arguments as the model wrote them: a text that should be JSON.")


class PromptImage(Part):
    """A picture that went with a message. Its bytes are not recorded."""

    media_type: str = Field(description="What it is, such as `image/png`.")
    bytes: int = Field(description="Its size.")
    sha256: str = Field(description="SHA-256 of its bytes.")


class PromptMessage(Part):
    """A message that was not in the previous prompt."""

    role: str = Field(description="`system`, `user`, `assistant` or `tool`.")
    band: str = Field(description="What the message is counted as in `context_breakdown`.")
    source: str | None = Field(default=None, description="Where its text came from.")
    authority: str | None = Field(
        default=None,
        description="What it counts for: `governance`, `user_intent`, `task_contract`, `operational` or"
        " `evidence`.",
    )
    trust: str | None = Field(
        default=None, description="`trusted`, or `untrusted`: it is data, and may instruct nobody."
    )
    text: str = Field(description="The message as sent.")
    images: Many[PromptImage] = Field(default=(), description="The pictures that went with it.")
    tool_calls: Many[RequestedCall] = Field(default=(), description="The calls in a message of the model's.")
    answers: str | None = Field(default=None, description="Id of the call that a `tool` message answers.")


class Prompt(EventModel):
    """A request is about to be sent. What it keeps of the previous one stands in earlier events."""

    turn: Turn
    purpose: AsksFor = "turn"
    messages: int = Field(description="Number of messages in the whole prompt.")
    new_messages: Many[PromptMessage] = Field(description="Its last messages, as many as are new.")
    dropped: Many[int] = Field(
        default=(),
        description="Positions, from 0, of the messages of the previous prompt that are no longer in it.",
    )
    prompt_sha256: str = Field(
        description="SHA-256 of the whole prompt as sent, masked: of a line of JSON for each message."
    )


class BandSize(Part):
    """One band's share of a prompt."""

    messages: int = Field(description="Number of messages.")
    chars: int = Field(description="Code points of their texts, and of the calls in them.")
    tokens: int = Field(description="Estimate of their tokens.")


class ContextBreakdown(EventModel):
    """What the prompt was made of."""

    turn: Turn
    purpose: AsksFor = "turn"
    bands: dict[str, BandSize] = Field(description="Size by band; bands without a message are absent.")
    tokens: int | None = Field(
        default=None,
        description="What the whole window takes by its counter, with 4 tokens a message and the margin.",
    )
    window_tokens: int | None = Field(
        default=None, description="The most that it may take before it is rewritten, where it ever is."
    )
    context_window: int | None = Field(default=None, description="That of the model, in tokens, where known.")
    counter: str | None = Field(default=None, description="How its tokens are counted.")
    margin_percent: int | None = Field(default=None, description="What is added to the counter's figure.")


class ModelReply(EventModel):
    """A reply arrived."""

    turn: Turn
    purpose: AsksFor = "turn"
    text: str = Field(description="The reply's text, whole.")
    tool_calls: Many[RequestedCall] = Field(default=(), description="The calls that it asks for.")
    finish_reason: str = Field(
        description="Why the reply ended: `stop`; `length`: it was cut off; `timeout`: it was given up."
    )
    model: str | None = Field(
        default=None, description="What the provider says has answered, where it says so."
    )
    input_tokens: int = Field(description="Tokens billed for the request.")
    output_tokens: int = Field(description="Tokens billed for the reply.")
    duration_ms: Milliseconds = Field(description="From the request to the whole reply.")


class View(EventModel):
    """A view was opened, replaced or closed. Its text stands in the next `prompt`."""

    turn: Turn
    action: Literal["opened", "replaced", "closed"] = Field(description="What happened to it.")
    kind: Literal["text", "file", "docs", "skill"] = Field(description="What it shows.")
    selector: str = Field(description="Label, path, documentation key or name of a skill that addresses it.")
    bytes: int = Field(description="Size of its text in UTF-8 and of its picture; 0 when closed.")
    tokens: int = Field(description="Estimate of its tokens; 0 when closed.")
    media_type: str | None = Field(default=None, description="What its picture is, where it shows one.")
    origin: RunOrigin | Literal["host"] = Field(
        description="The program, an on-use script, or the host, which shows a loaded module's page."
    )


class Usage(EventModel):
    """What a request was billed, and the run so far."""

    turn: Turn
    purpose: AsksFor = "turn"
    input_tokens: int = Field(description="Tokens of the request.")
    output_tokens: int = Field(description="Tokens of the reply.")
    cached_input_tokens: int | None = Field(
        default=None, description="Tokens of the request that the provider had in a cache, if it had any."
    )
    cost: float | None = Field(
        default=None, description="US dollars, by the prices that are known; absent where none is."
    )
    total_input_tokens: int = Field(description="Tokens of all requests of the run so far.")
    total_output_tokens: int = Field(description="Tokens of all replies of the run so far.")
    total_cost: float | None = Field(
        default=None, description="US dollars of those requests of the run so far whose price is known."
    )


class TurnOutcome(EventModel):
    """A turn was judged. A turn without this event did not end."""

    turn: Turn
    outcome: Literal["progressed", "finished", "error", "fatal"] = Field(
        description="Went on, ended the session, failed by the model's fault, or ended the run by another's."
    )
    error_type: str | None = Field(default=None, description="Which kind of failure, where it is one.")
    error: str | None = Field(
        default=None, description="The error as the model reads it; absent for a defect."
    )
    consecutive_errors: int = Field(
        description="Error turns in a row up to here; 0 unless this one is an error."
    )
    turns: int = Field(description="Turns that the agent has taken.")


class TurnTiming(EventModel):
    """Where a turn's time went. `promptMs`, `requestMs` and `responseMs` add up to the whole turn."""

    turn: Turn
    prompt_ms: Milliseconds = Field(description="Building the prompt.")
    request_ms: Milliseconds = Field(description="Waiting for the model.")
    response_ms: Milliseconds = Field(description="Everything after the reply.")
    compile_ms: Milliseconds = Field(default=0.0, description="Bundling, as part of the response.")
    check_ms: Milliseconds = Field(default=0.0, description="Type checking, as part of the response.")
    run_ms: Milliseconds = Field(
        default=0.0, description="Running programs and scripts, as part of the response."
    )
    compact_ms: Milliseconds = Field(
        default=0.0, description="Compacting the window, as part of the response."
    )
