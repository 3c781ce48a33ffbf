"""What is sent to a model and what comes back, as values."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

Role = Literal["system", "user", "assistant", "tool"]
FinishReason = Literal["stop", "length"]


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
    """Tokens that a provider billed for one request or, summed, for a run."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A model's whole answer to one request. `length` means that the provider cut it off."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    usage: Usage = field(default_factory=Usage)
