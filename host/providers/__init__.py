"""Where replies come from."""

from host.providers.base import ModelProvider, ModelRequest
from host.providers.scripted import (
    ScriptedFunction,
    ScriptedProvider,
    ScriptedReply,
    ScriptedSource,
    read_reply_folder,
)

__all__ = [
    "ModelProvider",
    "ModelRequest",
    "ScriptedFunction",
    "ScriptedProvider",
    "ScriptedReply",
    "ScriptedSource",
    "read_reply_folder",
]
