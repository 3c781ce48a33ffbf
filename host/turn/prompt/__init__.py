"""What an agent is told before anything else: how it works in its mode, and how its memories are kept.

It speaks of no guardrail, since a model that is told of one behaves differently.
"""

from host.turn.prompt.facts import MemoryFacts, OtherAgents, PromptFacts
from host.turn.prompt.system import system_prompt

__all__ = ["MemoryFacts", "OtherAgents", "PromptFacts", "system_prompt"]
