"""The protocol of a model provider: messages in, one whole reply out."""

from dataclasses import dataclass
from typing import Protocol

from host.core.messages import Message, Reply


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One request for one agent. `messages` is the whole prompt, masked."""

    agent_id: str
    messages: tuple[Message, ...]


class ModelProvider(Protocol):
    """Gives one agent's replies. Each instance of an agent gets a provider of its own."""

    async def reply(self, request: ModelRequest) -> Reply:
        """Raises `ProviderError` when no usable reply can be had."""
        ...
