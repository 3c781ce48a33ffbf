"""An agent's own notes: one store, strategies that organize it, holders that may read or write it."""

from host.memories.holder import Access, Holder
from host.memories.keys import KeyTable
from host.memories.limits import MAX_CODE_CHARS, MAX_KEYWORDS, MAX_NAME_CHARS, Caps, MemoryLimits
from host.memories.model import (
    Figures,
    Memory,
    MemoryDraft,
    MemoryUsage,
    Mutation,
    Peak,
    RevisionEntry,
    StateSnapshot,
)
from host.memories.refusals import Kind, MemoryRefusal
from host.memories.search import Found, Hit
from host.memories.store import MemoryStore
from host.memories.strategies import Strategy, strategy_of

__all__ = [
    "MAX_CODE_CHARS",
    "MAX_KEYWORDS",
    "MAX_NAME_CHARS",
    "Access",
    "Caps",
    "Figures",
    "Found",
    "Hit",
    "Holder",
    "KeyTable",
    "Kind",
    "Memory",
    "MemoryDraft",
    "MemoryLimits",
    "MemoryRefusal",
    "MemoryStore",
    "MemoryUsage",
    "Mutation",
    "Peak",
    "RevisionEntry",
    "StateSnapshot",
    "Strategy",
    "strategy_of",
]
