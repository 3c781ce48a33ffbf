"""A team whose agents are functions: what each does in a turn, and all that it leaves behind."""

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import anyio

from host.agents import AtEnd, Copied, LiveAgent, RosterRole, Rules, StartOrder, Team, briefing_of
from host.context import MAX_SUBAGENT_TOKENS, Archive, Entry, Window, assemble_packet
from host.core.errors import HostDefect, Refusal
from host.core.messages import Reply, ToolSpec
from host.events import AgentEnded, Event, EventModel, RecordUnwritable, Status
from host.operations import EndingKind
from host.providers import ScriptedProvider
from host.testing import CapturedEvents, FakeClock
from host.turn import (
    AgentEnd,
    AgentThread,
    Ceilings,
    EndingFlag,
    Latch,
    LoopParts,
    News,
    OnDemand,
    RunState,
    TurnCount,
)
from host.turn.modes import Carried
from host.turn.outcome import Fault


@dataclass
class Turn:
    """A turn that an agent is in: what it may do in it, as its program does, in a thread."""

    order: StartOrder
    number: int
    endings: EndingFlag
    has_failed: bool = False

    def finish(self, summary: str = "done", kind: EndingKind = "finish", items: tuple[str, ...] = ()) -> None:
        self.endings.declare(kind, summary, items)

    def fail(self) -> None:
        """The turn is an error."""
        self.has_failed = True

    def spawn(self, agent: str) -> str:
        return self.order.delegation.spawn(agent, f"task of {agent}")

    def wait(self, *ids: str) -> list[tuple[str, str, str | None]]:
        """How those ended; all that were not waited for, without ids."""
        ended = self.order.delegation.wait(ids or None)
        return [(child.id, child.status, child.summary) for child in ended]


E = TypeVar("E", bound=EventModel)
Act = Callable[[Turn], None]


@dataclass
class Crew:
    """Agents by profile, each a function of its turns; an agent that has none finishes at once.

    All of them may start one another. `unwritable` is a type of events that cannot be recorded.
    """

    acts: Mapping[str, Act] = field(default_factory=dict)
    profiles: tuple[str, ...] = ("root", "a", "b")
    max_parallel: int = 16
    ceilings: Ceilings = field(default_factory=Ceilings)
    rules: Mapping[str, object] = field(default_factory=dict)
    fails_to_build: frozenset[str] = frozenset()
    at_end: AtEnd | None = None
    unwritable: str = ""

    def __post_init__(self) -> None:
        self.clock = FakeClock()
        self.captured = CapturedEvents()
        self._ended = threading.Condition()
        self.defects: list[HostDefect] = []
        self.refusals: dict[str, list[str]] = defaultdict(list)
        self.told: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.released = threading.Event()
        self.orders: dict[str, StartOrder] = {}
        self.run_state = RunState(
            clock=self.clock,
            ceilings=self.ceilings,
            latch=Latch(self.defects.append),
            events=self,
            flush=lambda: None,
            mask=str,
        )

    def run(self) -> AgentEnd | None:
        return anyio.run(self.run_async)

    async def run_async(self) -> AgentEnd | None:
        roles: frozenset[RosterRole] = frozenset({"subagent"})
        roster = dict.fromkeys(self.profiles, roles)
        rules = Rules(
            root=self.profiles[0],
            rosters=dict.fromkeys(self.profiles, roster),
            max_parallel=self.max_parallel,
            **self.rules,  # type: ignore[arg-type]
        )
        self.team = Team(rules, build=self.build, run=self.run_state, at_end=self.at_end)
        return await self.team.run()

    @staticmethod
    def turns(most: int) -> Ceilings:
        """Ceilings that end an agent after so many turns."""
        return Ceilings(max_turns=most)

    def wait_for_ends(self, count: int) -> None:
        """Blocks an agent's thread until so many others have ended."""
        with self._ended:
            self._ended.wait_for(lambda: len(self.ends()) >= count)

    def emit(self, event: Event, *, agent_id: str) -> None:
        if event.type == self.unwritable:
            raise RecordUnwritable(Path("record"), "full")
        with self._ended:
            self.captured.emit(event, agent_id=agent_id)
            self._ended.notify_all()

    def build(self, order: StartOrder) -> LiveAgent:
        if order.agent_id in self.fails_to_build:
            raise HostDefect("workspace", f"{order.agent_id} cannot be built")
        self.orders[order.agent_id] = order
        window = order.copied.window if order.copied else Window(f"system of {order.profile}")
        endings, count = EndingFlag(lambda text: None), TurnCount()
        act = self.acts.get(order.agent_id) or self.acts.get(order.profile) or Turn.finish
        loop = LoopParts(
            agent_id=order.agent_id,
            window=window,
            provider=ScriptedProvider(lambda messages, agent_id: agent_id),
            mode=_Acting(self, order, act, endings),
            endings=endings,
            count=count,
            compaction=OnDemand(_thread(window)),
            turn_ended=lambda: None,
            news=lambda: self._news(order),
            is_copy=order.copied is not None,
            company=order.company,
        )
        return LiveAgent(
            loop=loop,
            holder=None,
            copied=lambda: Copied(window=window.copy(count.turns), archive=Archive(), library=None),
            brief=lambda prompt: briefing_of(
                assemble_packet([], MAX_SUBAGENT_TOKENS), prompt, spawner=order.agent_id, files=None
            ),
        )

    def _news(self, order: StartOrder) -> tuple[News, ...]:
        news = order.news()
        self.told[order.agent_id] += news
        return news

    def of(self, kind: type[E]) -> list[tuple[str, E]]:
        """The events of one type with their agents, in order."""
        return [(agent, event) for agent, event in self.captured.emitted if isinstance(event, kind)]

    def ends(self) -> list[tuple[str, Status]]:
        """How the agents have ended, but the last root, in order."""
        return [(agent, ended.status) for agent, ended in self.of(AgentEnded)]


@dataclass
class _Acting:
    crew: Crew
    order: StartOrder
    act: Act
    endings: EndingFlag
    tools: tuple[ToolSpec, ...] = ()
    forced_tool: str = ""

    def carry_out(self, reply: Reply, *, turn: int) -> Carried:
        doing = Turn(self.order, turn, self.endings)
        try:
            self.act(doing)
        except Refusal as refused:
            self.crew.refusals[self.order.agent_id].append(f"{refused.code}: {refused.message}")
        fault = Fault("threw", "program_throw", "Runtime error", "It threw.") if doing.has_failed else None
        return Carried(kept=(Entry(role="assistant", band="program", text=reply.text),), fault=fault)

    def ended(self) -> None:
        """Nothing is due."""


def _thread(window: Window) -> AgentThread:
    return AgentThread(window, opening=tuple, memories=int, turn=int, emit=lambda event: None)
