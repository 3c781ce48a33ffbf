"""Where replies come from."""

from host.providers.base import ModelProvider, ModelRequest
from host.providers.human import Ask, HumanProvider, TypedCall
from host.providers.models import VENDORS, RealModel, RunModels, Vendor, split_name
from host.providers.scripted import (
    ScriptedFunction,
    ScriptedProvider,
    ScriptedReply,
    ScriptedSource,
    read_reply_folder,
)

__all__ = [
    "VENDORS",
    "Ask",
    "HumanProvider",
    "ModelProvider",
    "ModelRequest",
    "RealModel",
    "RunModels",
    "ScriptedFunction",
    "ScriptedProvider",
    "ScriptedReply",
    "ScriptedSource",
    "TypedCall",
    "Vendor",
    "read_reply_folder",
    "split_name",
]
