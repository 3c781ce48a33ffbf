"""What is sent to a model and what comes back, as values."""

import hashlib
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Literal

Role = Literal["system", "user", "assistant", "tool"]
FinishReason = Literal["stop", "length", "timeout"]


@dataclass(frozen=True)
class Image:
    """A picture that goes with a message. `data` are the bytes of the file."""

    media_type: str
    data: bytes = field(repr=False)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the bytes, in hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """A call of a tool that a model asks for. `arguments` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, kw_only=True)
class ToolSpec:
    """A tool that a model is offered. `parameters` is the JSON Schema of its arguments, as JSON text."""

    name: str
    description: str
    parameters: str


@dataclass(frozen=True)
class Message:
    """One message of a prompt. One of the role `tool` answers the call whose id is `answers`."""

    role: Role
    text: str
    images: tuple[Image, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    answers: str | None = None


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens that a provider billed for one request or, summed, for a run.

    `cached_input_tokens` are those of `input_tokens` that it read from a cache of its own. `cost` is in US
    dollars, `None` where no price is known; of a sum it is that of the requests whose price is known.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    cost: Decimal | None = None

    def __add__(self, other: "Usage") -> "Usage":
        priced = [each.cost for each in (self, other) if each.cost is not None]
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_input_tokens=self.cached_input_tokens + other.cached_input_tokens,
            cost=sum(priced, Decimal(0)) if priced else None,
        )


def dollars(cost: Decimal | None) -> float | None:
    """The cost as a number of JSON, in millionths of a cent."""
    return None if cost is None else round(float(cost), 8)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A model's whole answer to one request.

    `length` means that the provider cut it off, `timeout` that it was given up; of both nothing is used.
    `model` is what the provider says has answered, where it says so.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    usage: Usage = field(default_factory=Usage)
    model: str = ""
