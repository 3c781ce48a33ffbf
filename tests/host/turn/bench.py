"""One agent's loop over a mode that is a function; what is sent, told and recorded can be looked at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import anyio

from host.context import CharacterCounter, Entry, Window
from host.core.errors import HostDefect
from host.core.messages import Message, Reply, ToolSpec
from host.events import Event
from host.providers import ModelProvider, ModelRequest, ScriptedProvider, ScriptedReply
from host.testing import CapturedEvents, FakeClock
from host.turn.ceilings import Ceilings, TurnCount
from host.turn.compaction import Compaction, OnDemand
from host.turn.company import Alone, Company
from host.turn.endings import EndingFlag
from host.turn.latch import Latch
from host.turn.loop import AgentEnd, AgentLoop, LoopParts
from host.turn.modes import Carried
from host.turn.run_state import RunState
from host.turn.thread import AgentThread


def said(text: str) -> tuple[Entry, ...]:
    """What the window keeps of a reply that is a program."""
    return (Entry(role="assistant", band="program", text=text),)


EXACT = CharacterCounter(margin_percent=0)


def masked(text: str) -> str:
    return text.replace("hunter22", "[masked:A]")


@dataclass
class Bench:
    """An agent whose mode is a function of the reply's text, and all that it leaves behind.

    `carry` gets the bench and the reply, and may open views, declare an ending or record a defect. The window
    opens with the system prompt alone, and on `opening` where it is rewritten.
    """

    carry: Callable[["Bench", str], Carried] | None = None
    replies: Sequence[str | Reply | ScriptedReply] = ("a",)
    provider: ModelProvider | None = None
    ceilings: Ceilings = field(default_factory=Ceilings)
    sink: Callable[[Event], None] | None = None
    reply_s: float = 1.0
    clock: FakeClock = field(default_factory=FakeClock)
    captured: CapturedEvents = field(default_factory=CapturedEvents)
    window: Window = field(default_factory=lambda: Window("system", counter=EXACT, mask=masked))
    prompts: list[tuple[Message, ...]] = field(default_factory=list)
    reported: list[HostDefect] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    tools: tuple[ToolSpec, ...] = ()
    forced_tool: str = ""
    opening: tuple[Entry, ...] = ()
    compacting: Callable[["Bench"], Compaction] = lambda bench: OnDemand(bench.thread)
    requests: list[ModelRequest] = field(default_factory=list)
    company: Company = field(default_factory=Alone)
    news: Callable[[], tuple[tuple[str, str], ...]] = tuple
    is_copy: bool = False

    def __post_init__(self) -> None:
        self.endings = EndingFlag(self.notes.append)
        self.count = TurnCount(window=self.ceilings.error_rate_window)
        self.latch = Latch(self.reported.append)
        self.state = RunState(
            clock=self.clock,
            ceilings=self.ceilings,
            latch=self.latch,
            events=self,
            flush=lambda: self.steps.append("flush"),
            mask=masked,
        )
        self.thread = AgentThread(
            self.window,
            opening=lambda: self.opening,
            memories=int,
            turn=lambda: self.count.turns + 1,
            emit=lambda event: self.emit(event, agent_id="root"),
        )

    def emit(self, event: Event, *, agent_id: str) -> None:
        if self.sink is not None:
            self.sink(event)
        self.captured.emit(event, agent_id=agent_id)

    async def reply(self, request: ModelRequest) -> Reply:
        self.prompts.append(request.messages)
        self.requests.append(request)
        self.clock.advance(self.reply_s)
        assert self.provider is not None
        return await self.provider.reply(request)

    def carry_out(self, reply: Reply, *, turn: int) -> Carried:
        self.steps.append(f"turn {turn}: {reply.text}")
        if self.carry is None:
            return Carried(kept=said(reply.text))
        return self.carry(self, reply.text)

    def ended(self) -> None:
        self.steps.append("ended")

    def run(self) -> AgentEnd:
        self.provider = self.provider or ScriptedProvider(self.replies)
        parts = LoopParts(
            agent_id="root",
            window=self.window,
            provider=self,
            mode=self,
            endings=self.endings,
            count=self.count,
            compaction=self.compacting(self),
            turn_ended=lambda: self.steps.append("turn ended"),
            news=self.news,
            is_copy=self.is_copy,
            company=self.company,
        )
        return anyio.run(AgentLoop(parts, self.state).run)

    def told(self) -> list[tuple[str, str]]:
        """The window after its first message: band and text."""
        return [(entry.band, entry.text) for entry in self.window.entries_from(1)]
