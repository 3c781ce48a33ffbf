"""gg as a library: run agents whose replies are TypeScript programs.

    from host import Agent, Run, scripted

    run = Run("Say hello.", [Agent(id="root", model=scripted(replies))])
    result = run.execute()

The names are imported when they are first used, so that the packages below do not pay for a whole run.
"""

import importlib as _importlib
import typing as _typing

if _typing.TYPE_CHECKING:
    from host.app import Agent, Run, RunResult, scripted
    from host.core.errors import Defect, HostError, LaunchRefused, ProviderError
    from host.core.messages import Message, Reply, ToolCall, Usage
    from host.events import StampedEvent
    from host.operations import ApprovalAnswer, ApprovalRequest
    from host.tools import ToolFailure

_HOME = {
    "Agent": "host.app",
    "ApprovalAnswer": "host.operations",
    "ApprovalRequest": "host.operations",
    "Defect": "host.core.errors",
    "HostError": "host.core.errors",
    "LaunchRefused": "host.core.errors",
    "Message": "host.core.messages",
    "ProviderError": "host.core.errors",
    "Reply": "host.core.messages",
    "Run": "host.app",
    "RunResult": "host.app",
    "StampedEvent": "host.events",
    "ToolCall": "host.core.messages",
    "ToolFailure": "host.tools",
    "Usage": "host.core.messages",
    "scripted": "host.app",
}

__all__ = [
    "Agent",
    "ApprovalAnswer",
    "ApprovalRequest",
    "Defect",
    "HostError",
    "LaunchRefused",
    "Message",
    "ProviderError",
    "Reply",
    "Run",
    "RunResult",
    "StampedEvent",
    "ToolCall",
    "ToolFailure",
    "Usage",
    "scripted",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'host' has no attribute {name!r}; it has {', '.join(__all__)}")
    globals()[name] = found = getattr(_importlib.import_module(_HOME[name]), name)
    return found
