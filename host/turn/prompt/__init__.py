"""What an agent is told before anything else: how it works in its mode, and how its memories are kept.

It speaks of no guardrail, since a model that is told of one behaves differently.
"""

from host.turn.prompt.facts import SECTION_NAMES, MemoryFacts, OtherAgents, PromptFacts, SectionName
from host.turn.prompt.system import system_prompt

__all__ = ["SECTION_NAMES", "MemoryFacts", "OtherAgents", "PromptFacts", "SectionName", "system_prompt"]
