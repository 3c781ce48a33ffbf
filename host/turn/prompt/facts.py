"""Everything that a system prompt depends on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, get_args

from host.events import CompactionStrategy
from host.memories import Caps, Strategy
from host.operations import Family
from host.tools import Namespace

ExecutionName = Literal["responses_as_code", "tool_calling"]
DeliveryName = Literal["reply", "tool"]


@dataclass(frozen=True, kw_only=True)
class MemoryFacts:
    """How an agent holds its memories.

    Args:
        caps: the limits in force.
        writable: whether it may write at all; otherwise the memories are another agent's.
        is_linked: whether other agents may hold the same store.
        is_filled: whether there are memories before the first turn.
    """

    strategy: Strategy
    caps: Caps
    writable: bool = True
    is_linked: bool = False
    is_filled: bool = False

    @property
    def is_bounded(self) -> bool:
        """Whether a write can be refused for want of room."""
        caps = self.caps
        room = (caps.max_count, caps.max_len_per_memory, caps.max_total_len, caps.max_len_index)
        return any(cap is not None for cap in room)


@dataclass(frozen=True, kw_only=True)
class OtherAgents:
    """Whom an agent may start and hand over to, by the ids of the configuration.

    Args:
        briefs: what each of them is there for, in a line; empty where nothing is known.
        subagents: those that may be started as subagents.
        successors: those that may be handed over to.
        states: the states that may be entered, and whose each of them is.
    """

    briefs: Mapping[str, str] = field(default_factory=dict)
    subagents: tuple[str, ...] = ()
    successors: tuple[str, ...] = ()
    states: Mapping[str, str] = field(default_factory=dict)


SectionName = Literal["parent", "records", "skillbook", "account"]
SECTION_NAMES: Final = frozenset[SectionName](get_args(SectionName))


@dataclass(frozen=True, kw_only=True)
class PromptFacts:
    """One agent before its first turn.

    Args:
        calls: operation id to spelling, of the calls that it has.
        families: the families in the order in which they are presented; those without a call are left out.
        agent_prompt: the agent's own part, which comes first as it was written.
        delivery: where the program of a reply stands; for programs alone, as `rejects_types` is.
        rejects_types: whether a program is rejected for its types.
        compaction: how a window that is nearly full is compacted, where it is.
        skills: name to description, of the skills that it may read.
        sections: the sections that its window holds besides its memories.
        others: the agents that it may have to do with, where it has calls for that.
        namespaces: the tools that it is given from outside, less those that it may not call.
    """

    execution: ExecutionName
    calls: Mapping[str, str]
    families: tuple[Family, ...]
    agent_prompt: str = ""
    delivery: DeliveryName = "reply"
    rejects_types: bool = True
    memories: MemoryFacts | None = None
    compaction: CompactionStrategy | None = None
    skills: Mapping[str, str] = field(default_factory=dict)
    sections: frozenset[SectionName] = frozenset()
    others: OtherAgents = OtherAgents()
    namespaces: tuple[Namespace, ...] = ()

    @cached_property
    def modules(self) -> tuple[Family, ...]:
        """The families of which it has a call."""
        return tuple(
            family for family in self.families if any(op.id in self.calls for op in family.operations)
        )

    @property
    def compacts(self) -> bool:
        """Whether its window can be compacted, by itself or by the agent."""
        return self.compaction is not None or "context.compact" in self.calls

    @property
    def reads_files(self) -> bool:
        return "files.read_file" in self.calls
