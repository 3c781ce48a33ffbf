"""The agents of one run: starts them, runs each to its end, and ends with the last of them."""

from collections.abc import Awaitable, Callable
from typing import Final, Literal

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup
from anyio.from_thread import BlockingPortal

from host.agents.bell import Bell
from host.agents.board import IssueBoard
from host.agents.briefing import Briefing
from host.agents.handover import Following
from host.agents.ids import InstanceIds
from host.agents.member import Member
from host.agents.orders import Build, Copied, StartOrder
from host.agents.places import Places
from host.agents.posts import Post
from host.agents.rules import BoardRole, Rules
from host.agents.slots import Slots
from host.agents.texts import is_copy, took_over
from host.agents.waiting import Waiting
from host.core.errors import HostDefect
from host.events import AgentEnded, AgentTransition, Event, OperatorLog, RecordUnwritable, StartKind
from host.memories import Holder, handed_module
from host.turn import AgentEnd, AgentLoop, RunState, TurnCount

By = Literal["exec", "transition", "fork"]
AtEnd = Callable[["Team", AgentEnd], Awaitable[None]]
"""What is to follow the end of a root, as the function of its team and how that root has ended."""
MAX_WAITING: Final = 240
"""How many agents and issues may be there at a time beside the agents that may be at work.

An agent that waits in a program has a worker process of its own.
"""


class Team:
    """All of it belongs to the event loop's thread. It is used once.

    `portal` is the way into that thread for others while it runs. What they do there ends when the run is
    stopped.

    Args:
        build: builds one agent, in a thread.
        at_end: awaited when every agent has ended, with the end of the root; it may have others reflect.
    """

    portal: BlockingPortal

    def __init__(self, rules: Rules, *, build: Build, run: RunState, at_end: AtEnd | None = None) -> None:
        self.rules: Final = rules
        self.places: Final = Places(rules.max_parallel + MAX_WAITING)
        self.slots: Final = Slots(rules.max_parallel)
        self.bell: Final = Bell(start=lambda call: self._tasks.start_soon(call), limiter=run.exchanges)
        self.waiting: Final = Waiting(run=run, slots=self.slots, bell=self.bell)
        self.board: Final = IssueBoard(self)
        self.counts: Final[dict[str, TurnCount]] = {}
        self.root: Member | None = None
        self._build: Final = build
        self._run: Final = run
        self._at_end: Final = at_end
        self._ids: Final = InstanceIds(rules.rosters)
        self._tasks: TaskGroup
        self._alive = 0

    async def run(self) -> AgentEnd | None:
        """Runs to the end of every agent: the root's, or `None` where there was no root to begin with."""
        with self._run.stops_told_to(self.bell.ring):
            async with anyio.create_task_group() as self._tasks, BlockingPortal() as self.portal:
                await self._begin()
                await self.bell.until(lambda: not self._alive)
                await self._finish()
        return self.root.post.end if self.root else None

    @property
    def goes_on(self) -> bool:
        """Whether more agents are to be started: neither the root has ended nor the run."""
        run = self._run
        is_over = run.is_canceled or run.latch.defect is not None or run.breach() is not None
        return not is_over and self.root is not None and not self.root.post.has_ended

    async def spawn(self, spawner: Member, agent: str, prompt: str) -> str:
        """Starts a subagent; its id. Raises `Refusal` where it has no place, or its task is too long."""
        briefing = spawner.live.brief(prompt)
        self.places.take()
        id_ = self._ids.next(agent)
        post = Post(id=id_, profile=agent, until=spawner.post)
        child = self._member(post, id_, agent, place="subagent", task=prompt, briefing=briefing)
        await self._start(child, "subagent", spawner=spawner.agent_id, offered=spawner.live.holder)
        spawner.post.children.append(post)
        return id_

    async def dispatch(self, role: BoardRole, issue: str, task: str) -> Member:
        """Starts whoever works on an issue in this role, in the place of the issue."""
        assert self.rules.board is not None, "a run without a board has no issues"
        assert self.root is not None, "the root is there before anything else"
        profile = self.rules.board[role]
        id_ = self._ids.next(profile)
        post = Post(id=id_, profile=profile, until=self.root.post, issue=issue, role=role)
        worker = self._member(post, id_, profile, place=role, task=task)
        await self._start(worker, role)
        return worker

    async def copy(self, original: Member, prompt: str | None, turn: int) -> str:
        """Starts a copy of an agent whose turn has ended, as a child of it, in a place that was taken; its
        id.
        """
        id_ = self._ids.next(original.profile)
        post = Post(id=id_, profile=original.profile, until=original.post)
        copy = Member(
            self,
            post,
            agent_id=id_,
            profile=original.profile,
            place="fork",
            task=original.task,
            briefing=original.briefing,
            prompt="\n\n".join(filter(None, (original.prompt, prompt))) or None,
            state=original.state,
        )
        reviews = original.place == "reviewer"
        post.inbox.add("forked", is_copy(original.agent_id, id_, prompt, reviews=reviews))
        live = original.live
        await self._start(
            copy,
            "fork",
            spawner=original.agent_id,
            offered=live.holder,
            copied=live.copied(),
        )
        original.post.children.append(post)
        self._report_transition(original, copy, "fork", turn)
        return id_

    async def follow(self, member: Member, following: Following, turn: int) -> Member:
        """Builds the successor of an agent whose turn has ended. It runs once that agent has ended."""
        successor = Member(
            self,
            member.post,
            agent_id=self._ids.next(following.profile),
            profile=following.profile,
            place=member.place,
            task=following.task,
            briefing=member.briefing if following.by == "transition" else None,
            prompt=member.prompt if following.by == "transition" else None,
            state=following.state,
        )
        offered = member.live.holder if following.takes_memories else None
        await self._built(successor, "successor", spawner=member.agent_id, offered=offered)
        self._report_transition(member, successor, following.by, turn)
        if left := [child.id for child in member.not_waited_for]:
            member.post.inbox.add("took_over", took_over(member.agent_id, left))
        return successor

    async def reflect(self, profile: str, task: str) -> tuple[str, AgentEnd | None]:
        """Runs an agent that nobody started to its end, when all others have ended: its id, and how it ended.
        It has no end where it could not begin, which is a defect.
        """
        self.places.take()
        id_ = self._ids.next(profile)
        post = Post(id=id_, profile=profile)
        member = self._member(post, id_, profile, place="reflector", task=task)
        if await self._has_begun(member, "reflector"):
            await self.bell.until(lambda: not self._alive)
        return id_, post.end

    def note(self, member: Member, text: str) -> None:
        """Tells the operator of something that an agent asked for and is not done."""
        self.emit(OperatorLog(level="warn", text=text, source="host"), member.agent_id)

    def emit(self, event: Event, agent_id: str) -> None:
        self._run.events.emit(event, agent_id=agent_id)

    # Below

    async def _begin(self) -> None:
        profile = self.rules.root
        self.places.take()
        id_ = self._ids.next(profile)
        root = self._member(Post(id=id_, profile=profile), id_, profile, place="root")
        if await self._has_begun(root, "root"):
            self.root = root

    async def _has_begun(self, member: Member, kind: Literal["root", "reflector"]) -> bool:
        """Starts an agent that no other one waits for; whether it could be."""
        try:
            await self._start(member, kind)
        except RecordUnwritable:
            raise
        except Exception as error:  # the run ends in its record, whatever broke as it began
            self._run.latch.record(HostDefect.of("agents", f"the start of {member.agent_id}", error))
            return False
        return True

    async def _finish(self) -> None:
        """What follows the end of the root, when nobody is at work any more."""
        end = self.root.post.end if self.root else None
        if end is None or self._at_end is None:
            return
        try:
            await self._at_end(self, end)
        except RecordUnwritable:
            raise
        except Exception as error:  # the run ends in its record, whatever broke after the root
            self._run.latch.record(HostDefect.of("agents", "what follows the end of the root", error))

    def _member(
        self,
        post: Post,
        agent_id: str,
        profile: str,
        *,
        place: StartKind,
        task: str | None = None,
        briefing: Briefing | None = None,
    ) -> Member:
        return Member(
            self,
            post,
            agent_id=agent_id,
            profile=profile,
            place=place,
            task=task,
            briefing=briefing,
            state=self.rules.state_of(profile),
        )

    async def _start(
        self,
        member: Member,
        kind: StartKind,
        *,
        spawner: str | None = None,
        offered: Holder | None = None,
        copied: Copied | None = None,
    ) -> None:
        await self._built(member, kind, spawner=spawner, offered=offered, copied=copied)
        self._alive += 1
        self._tasks.start_soon(self._hold, member)

    async def _built(
        self,
        member: Member,
        kind: StartKind,
        *,
        spawner: str | None,
        offered: Holder | None,
        copied: Copied | None = None,
    ) -> None:
        order = StartOrder(
            agent_id=member.agent_id,
            profile=member.profile,
            started_as=kind,
            place=member.place,
            company=member,
            delegation=member,
            board=member.board,
            patience=member,
            portal=self.portal,
            news=member.news,
            spawner=spawner,
            issue=member.post.issue,
            task=member.task,
            briefing=member.briefing,
            prompt=member.prompt,
            state=member.state,
            offered=offered,
            copied=copied,
        )
        live = await anyio.to_thread.run_sync(lambda: self._build(order), limiter=self._run.exchanges)
        member.built(live)
        self.counts[member.agent_id] = live.loop.count

    async def _hold(self, member: Member) -> None:
        """Runs the holders of one post, one after another."""
        try:
            end = await AgentLoop(member.live.loop, self._run).run()
            while member.successor is not None:
                self._leave(member, end)
                if member is self.root:
                    self.root = member.successor
                member = member.successor
                end = await AgentLoop(member.live.loop, self._run).run()
            await self._end(member, end)
        finally:
            self._alive -= 1
            if member.post.issue is None:
                self.places.give_back()
            self.bell.wake()

    async def _end(self, member: Member, end: AgentEnd) -> None:
        """Its end is recorded before what follows from it begins."""
        member.post.end = end
        self.bell.wake()
        try:
            try:
                due = self.board.worked(member, end)
            finally:
                self._leave(member, end)
            for issue, role in due:
                await self.board.dispatch(issue, role)
        except RecordUnwritable:
            raise
        except Exception as error:  # the run ends in its record, whatever broke between two agents
            self._run.latch.record(HostDefect.of("loop", f"the end of {member.agent_id}", error))

    def _leave(self, member: Member, end: AgentEnd) -> None:
        """What is held is let go of. How the root's last agent has ended is in the summary of the run."""
        if member.live.holder is not None:
            member.live.holder.leave()
        if member is self.root and member.successor is None:
            return
        self.emit(
            AgentEnded(
                status=end.status,
                ending=end.ending.as_event() if end.ending else None,
                error=end.error,
                error_type=end.error_type,
                successor=member.successor.agent_id if member.successor else None,
            ),
            member.agent_id,
        )

    def _report_transition(self, member: Member, follower: Member, by: By, turn: int) -> None:
        kind: Literal["fork", "successor"] = "fork" if by == "fork" else "successor"
        self.emit(
            AgentTransition(
                turn=turn,
                by=by,
                to=follower.agent_id,
                profile=follower.profile,
                state=follower.state if by == "transition" else None,
                modules=(handed_module(kind, member.live.holder, follower.live.holder),),
            ),
            member.agent_id,
        )
