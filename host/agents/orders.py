"""What a team has built: an order for one agent, and the agent that comes of it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from anyio.from_thread import BlockingPortal

from host.agents.briefing import Briefing
from host.context import Archive, Window
from host.events import StartKind
from host.memories import Holder
from host.operations import Board, Delegation
from host.turn import Company, LoopParts, News, ProgramLibrary


@dataclass(frozen=True, kw_only=True)
class Copied:
    """What a fork takes along of the agent that it is a copy of, as of the end of a turn.

    `skills_read` are the names of the skills that were read in the window. `told` is what it has to be told
    of what it does not take along.
    """

    window: Window
    archive: Archive
    library: ProgramLibrary | None
    skills_read: tuple[str, ...] = ()
    told: str | None = None


@dataclass(frozen=True, kw_only=True)
class LiveAgent:
    """One instance, ready to run: what its loop drives, and what its team reads besides.

    `copied` makes what a fork takes along; it is called between two turns. `brief` makes what a subagent with
    this task begins with, as of now, and raises `Refusal`. `told` is what the agent has to be told of what it
    holds.
    """

    loop: LoopParts
    holder: Holder | None
    copied: Callable[[], Copied]
    brief: Callable[[str], Briefing]
    told: str | None = None


class Patience(Protocol):
    """How the calls of an agent wait for what comes from outside the run. Several may at a time."""

    def wait_until(self, is_due: Callable[[], bool]) -> None:
        """Blocks until it is due, and keeps no other agent from running meanwhile. `is_due` is asked in the
        event loop. Raises `Refusal` where something else ends the wait first.
        """
        ...

    def without_slot(self) -> AbstractContextManager[None]:
        """Keeps no other agent from running while the block waits for something that no bell rings for."""
        ...

    def look_again(self) -> None:
        """Says that something may be due now."""
        ...


@dataclass(frozen=True, kw_only=True)
class StartOrder:
    """One agent to build.

    Args:
        agent_id: its id, which no other agent of the run has.
        started_as: how it came to be.
        place: the same, but for a successor: the place of the agent that it follows.
        spawner: the agent that it was started by, forked from, or is the successor of.
        task: its task, where that is not the run's.
        briefing: what a subagent begins with, whose task is among it; a copy has it too, and whoever goes on
            with that task in another state.
        prompt: what copies alone were to do besides, of which it is one or follows one.
        state: the state that it acts in, where it does in one.
        offered: the memories that it is offered.
        copied: what a fork begins with.
        company, delegation, board, patience: its side of the team.
        portal: the way into the event loop for threads, for as long as the team runs.
        news: the notices that its team has for it, each once.
    """

    agent_id: str
    profile: str
    started_as: StartKind
    place: StartKind
    company: Company
    delegation: Delegation
    board: Board
    patience: Patience
    portal: BlockingPortal
    news: Callable[[], tuple[News, ...]]
    spawner: str | None = None
    issue: str | None = None
    task: str | None = None
    briefing: Briefing | None = None
    prompt: str | None = None
    state: str | None = None
    offered: Holder | None = None
    copied: Copied | None = None


Build = Callable[[StartOrder], LiveAgent]
"""Builds an agent and records that it began. Blocking. Raises `HostDefect` where that cannot be done."""
