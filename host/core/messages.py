"""What is sent to a model and what comes back, as values."""

from dataclasses import dataclass, field
from typing import Literal

Role = Literal["system", "user", "assistant"]
FinishReason = Literal["stop", "length"]


@dataclass(frozen=True)
class Message:
    """One message of a prompt."""

    role: Role
    text: str


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

    text: str
    finish_reason: FinishReason = "stop"
    usage: Usage = field(default_factory=Usage)
