"""One agent's side of its team: what its calls ask for, in their threads, and what its loop does."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from host.agents.briefing import Briefing
from host.agents.handover import Following, Handover
from host.agents.orders import LiveAgent
from host.agents.posts import Post
from host.agents.texts import NOTHING_STARTED, ended_children, is_original, message
from host.agents.threads import in_loop
from host.core.errors import Refusal
from host.core.text import format_over, join_words, quoted, utf8_length
from host.events import StartKind
from host.operations import ChildEnd, IssueEnd
from host.turn import News

if TYPE_CHECKING:
    from host.agents.team import Team

MAX_UNREAD: Final = 100
"""Messages at a time that wait for one agent."""
MAX_SUMMARIES_BYTES: Final = 4 * 2**20
"""Of all that one wait tells of, half of what a result may have."""
_SHOWN_IDS: Final = 20


class Member:
    """One instance. It is its loop's `Company`, and `Delegation` to its calls; `board` is the other half.

    Args:
        profile: its entry in the configuration.
        place: how the first at its post came to be.
        task: its task, where that is not the run's.
        briefing: what that task is a part of, where another agent has parted it.
        prompt: what copies alone were to do besides, of which it is one or follows one.
        state: the state that it acts in, where it does in one.
    """

    def __init__(
        self,
        team: "Team",
        post: Post,
        *,
        agent_id: str,
        profile: str,
        place: StartKind,
        task: str | None = None,
        briefing: Briefing | None = None,
        prompt: str | None = None,
        state: str | None = None,
    ) -> None:
        self.post: Final = post
        self.agent_id: Final = agent_id
        self.profile: Final = profile
        self.place: Final = place
        self.task: Final = task
        self.briefing: Final = briefing
        self.prompt: Final = prompt
        self.state: Final = state
        self.board: Final = MemberBoard(team, self)
        self.successor: Member | None = None
        self._team: Final = team
        self._handover: Final = Handover()
        self._live: LiveAgent | None = None

    @property
    def live(self) -> LiveAgent:
        """What it was built into."""
        assert self._live is not None, "an agent runs when it is built"
        return self._live

    def built(self, live: LiveAgent) -> None:
        self._live = live
        if live.told is not None:
            self.post.inbox.add("holds", live.told)

    @property
    def not_waited_for(self) -> list[Post]:
        """What was started here, in order, and was not waited for."""
        return [child for child in self.post.children if not child.is_waited_for]

    def news(self) -> tuple[News, ...]:
        """What was sent to it, and which of its children have ended that it has not waited for."""
        ended = [child for child in self.post.children if child.has_ended and not child.is_known]
        for child in ended:
            child.is_known = True
        announced = ended_children([child.as_child() for child in ended]) if ended else ()
        return (*self.post.inbox.take(), *announced)

    # What its loop asks for (`Company`)

    @property
    def is_canceled(self) -> bool:
        return self.post.is_canceled

    @property
    def hands_over(self) -> bool:
        return self._handover.following is not None

    def at_work(self) -> AbstractAsyncContextManager[None]:
        return self._team.slots.taken(self.agent_id)

    def reply_failed(self) -> None:
        if self._take_back():
            self.post.inbox.add("not_started", NOTHING_STARTED)

    async def turn_ended(self, turn: int, *, goes_on: bool) -> bool:
        if not goes_on:
            if self._take_back():
                self._team.note(
                    self, "the session has ended, and what the turn asked to start is not started"
                )
            return False
        copies, following = self._handover.take()
        made = [await self._team.copy(self, prompt, turn) for prompt in copies]
        if following is not None:
            self.successor = await self._team.follow(self, following, turn)
            return True
        for copy in made:
            self.post.inbox.add("forked", is_original(copy))
        return False

    # What its calls ask for (`Delegation`)

    def spawn(self, agent: str, prompt: str) -> str:
        self._team.rules.refuse_subagent(self.profile, agent)
        return in_loop(self._team.portal, lambda: self._team.spawn(self, agent, prompt))

    def wait(self, ids: tuple[str, ...] | None) -> tuple[ChildEnd, ...]:
        return in_loop(self._team.portal, lambda: self._wait(ids))

    def send(self, id_: str, text: str) -> None:
        return in_loop(self._team.portal, lambda: self._send(id_, text))

    def fork(self, prompt: str | None) -> None:
        self._team.places.take()
        self._handover.copy(prompt)

    def succeed(self, agent: str, prompt: str) -> None:
        self._team.rules.refuse_successor(self.profile, agent)
        state = self._team.rules.state_of(agent)
        following = Following(by="exec", profile=agent, task=prompt, state=state, takes_memories=True)
        self._handover.follow(following)

    def transition(self, state: str) -> None:
        agent, kinds = self._team.rules.next_state(self.state, state)
        self._handover.follow(
            Following(
                by="transition",
                profile=agent,
                task=self.task,
                state=state,
                takes_memories="memories" in kinds,
            )
        )

    # What its calls ask for that wait for a person (`Patience`)

    def wait_until(self, is_due: Callable[[], bool]) -> None:
        return in_loop(
            self._team.portal, lambda: self._team.waiting.until_due(self.post, self.agent_id, is_due)
        )

    @contextmanager
    def without_slot(self) -> Iterator[None]:
        slots, portal = self._team.slots, self._team.portal

        async def begin() -> None:
            slots.begin_wait(self.agent_id)

        with suppress(Refusal):  # a run that is stopped has no slots to share out
            in_loop(portal, begin)
        try:
            yield
        finally:
            with suppress(Refusal):
                in_loop(portal, lambda: slots.end_wait(self.agent_id))

    def look_again(self) -> None:
        self._team.bell.ring()

    # Below, in the loop

    def _take_back(self) -> bool:
        """Takes back what the turn has asked to be started; whether that was anything."""
        copies, following = self._handover.take()
        self._team.places.give_back(len(copies))
        return bool(copies or following)

    async def _wait(self, ids: tuple[str, ...] | None) -> tuple[ChildEnd, ...]:
        children = self.not_waited_for if ids is None else [self._child(id_) for id_ in ids]
        await self._team.waiting.until_ended(self.post, self.agent_id, children)
        ended = tuple(child.as_child() for child in children)
        _refuse_over(ended)
        for child in children:
            child.is_known = child.is_waited_for = True
        return ended

    async def _send(self, id_: str, text: str) -> None:
        child = self._child(id_)
        if child.has_ended:
            raise Refusal("conflict", f"{quoted(id_)} has ended, and reads nothing more.", kind="ended")
        if child.inbox.count("message") == MAX_UNREAD:
            raise Refusal(
                "limit-exceeded",
                f"{quoted(id_)} has {MAX_UNREAD} messages that it has not read; tell it more when it has.",
                kind="unread",
            )
        child.inbox.add("message", message(self.agent_id, text))

    def _child(self, id_: str) -> Post:
        found = next((child for child in self.post.children if child.id == id_), None)
        if found is None:
            raise Refusal(
                "not-found",
                f"This agent has started none of the id {quoted(id_)}.{_known(self.post.children)}",
                kind="no_child",
            )
        return found


class MemberBoard:
    """The other half of an agent's side: `Board` to its calls."""

    def __init__(self, team: "Team", member: Member) -> None:
        self._team: Final = team
        self._member: Final = member

    def create(self, title: str, body: str, blocked_by: tuple[str, ...]) -> str:
        return in_loop(
            self._team.portal, lambda: self._team.board.create(self._member, title, body, blocked_by)
        )

    def wait(self, ids: tuple[str, ...] | None) -> tuple[IssueEnd, ...]:
        return in_loop(self._team.portal, lambda: self._wait(ids))

    async def _wait(self, ids: tuple[str, ...] | None) -> tuple[IssueEnd, ...]:
        issues, post = self._team.board.issues, self._member.post
        wanted = issues.of(post) if ids is None else issues.named(ids)
        await self._team.waiting.until_ended(post, self._member.agent_id, wanted)
        return tuple(issue.as_end() for issue in wanted)


def _refuse_over(ended: Sequence[ChildEnd]) -> None:
    """Refuses what would not fit into one result, so that nothing of it counts as told."""
    size = sum(utf8_length(child.summary or "") for child in ended)
    if size > MAX_SUMMARIES_BYTES:
        over = format_over(size, MAX_SUMMARIES_BYTES)
        raise Refusal(
            "limit-exceeded",
            f"Their summaries have {over}; wait for fewer at a time, by their ids.",
            kind="summaries",
        )


def _known(children: Sequence[Post]) -> str:
    if not children:
        return " It has started none yet."
    latest = join_words(quoted(child.id) for child in children[-_SHOWN_IDS:])
    return f" {'The latest are' if len(children) > _SHOWN_IDS else 'It has started'} {latest}."
