"""An agent's own notes: one store, strategies that organize it, holders that may read or write it."""

from host.memories.changes import Change
from host.memories.handing import handed_module
from host.memories.holder import Access, Holder
from host.memories.limits import MAX_KEYWORDS, MAX_NAME_CHARS, Caps, MemoryLimits
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
from host.memories.notices import render_notice
from host.memories.refusals import Kind, MemoryRefusal
from host.memories.registry import Bound, Start, StoreRegistry, Wanted
from host.memories.scopes import Scope
from host.memories.search import Found, Hit
from host.memories.store import MemoryStore
from host.memories.strategies import Strategy, strategy_of

__all__ = [
    "MAX_KEYWORDS",
    "MAX_NAME_CHARS",
    "Access",
    "Bound",
    "Caps",
    "Change",
    "Figures",
    "Found",
    "Hit",
    "Holder",
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
    "Scope",
    "Start",
    "StateSnapshot",
    "StoreRegistry",
    "Strategy",
    "Wanted",
    "handed_module",
    "render_notice",
    "strategy_of",
]
