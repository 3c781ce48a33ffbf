"""How an agent organizes its memories: the calls it has, the limits that apply, what its window pins."""

from collections.abc import Mapping
from typing import Final

from host.memories.strategies.base import Strategy
from host.memories.strategies.markdown import Markdown
from host.memories.strategies.scratchpad import Scratchpad

STRATEGIES: Final[Mapping[str, Strategy]] = {
    strategy.name: strategy for strategy in (Scratchpad(), Markdown())
}

__all__ = ["STRATEGIES", "Strategy"]
