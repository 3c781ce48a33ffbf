"""How an agent organizes its memories: the calls it has, the limits that apply, what its window pins."""

from collections.abc import Mapping
from typing import Final

from host.memories.strategies.base import Strategy
from host.memories.strategies.keyword_search import KeywordSearch
from host.memories.strategies.markdown import Markdown
from host.memories.strategies.scratchpad import Scratchpad

_BY_NAME: Final[Mapping[str, Strategy]] = {
    strategy.name: strategy for strategy in (Scratchpad(), Markdown(), KeywordSearch())
}


def strategy_of(name: str) -> Strategy:
    """The strategy that a checked configuration names."""
    return _BY_NAME[name]


__all__ = ["Strategy", "strategy_of"]
