"""The protocol of a model provider: messages in, one whole reply out."""

from dataclasses import dataclass
from typing import Protocol

from host.core.messages import Message, Reply, ToolSpec


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One request for one agent. `messages` is the whole prompt, masked.

    `forced_tool` names the tool that the model has to call; it is empty where the model may choose. With
    `wants_text` no call is wanted; tools are offered all the same where earlier messages have calls of them.
    """

    agent_id: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    forced_tool: str = ""
    wants_text: bool = False


class ModelProvider(Protocol):
    """Gives one agent's replies. Each instance of an agent gets a provider of its own."""

    async def reply(self, request: ModelRequest) -> Reply:
        """Raises `ProviderError` when no usable reply can be had."""
        ...
