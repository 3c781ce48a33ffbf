"""gg as a library: run agents whose replies are TypeScript programs.

from host import Agent, Run, scripted

run = Run("Say hello.", [Agent(id="root", model=scripted(replies))])
result = run.execute()
"""

from host.app import Agent, Run, RunResult, scripted
from host.core.errors import Defect, LaunchRefused, ProviderError
from host.core.messages import Message, Reply, Usage
from host.events import StampedEvent

__all__ = [
    "Agent",
    "Defect",
    "LaunchRefused",
    "Message",
    "ProviderError",
    "Reply",
    "Run",
    "RunResult",
    "StampedEvent",
    "Usage",
    "scripted",
]
