"""The tree of agents: who was started by whom, who has ended, who waits for whom."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from host.agents.inbox import Inbox
from host.agents.rules import BoardRole
from host.operations import ChildEnd
from host.turn import AgentEnd


class Awaited(Protocol):
    """What can be waited for: a post or an issue."""

    @property
    def has_ended(self) -> bool: ...

    @property
    def depends_on(self) -> "tuple[Awaited, ...]":
        """What has to end first for it to end."""
        ...


@dataclass(eq=False, kw_only=True)
class Post:
    """A place in the tree, held by one agent after another where they hand over. Those beside it know it by
    the id of the first.

    Args:
        profile: that of the first.
        until: the post with whose end it is canceled; `None` for the root.
        issue: the issue that is worked on here, and `role` what is done for it.
        end: how its last holder has ended; absent before that.
        waits_for: what its holder waits for at the moment.
        is_known: whether its spawner was told of its end.
        is_waited_for: whether its spawner has waited for it.
    """

    id: str
    profile: str
    until: "Post | None" = None
    issue: str | None = None
    role: BoardRole | None = None
    end: AgentEnd | None = None
    inbox: Inbox = field(default_factory=Inbox)
    children: "list[Post]" = field(default_factory=list)
    waits_for: tuple[Awaited, ...] = ()
    is_known: bool = False
    is_waited_for: bool = False

    @property
    def has_ended(self) -> bool:
        return self.end is not None

    @property
    def is_canceled(self) -> bool:
        """Whether one of those has ended that it ends with."""
        post = self.until
        while post is not None:
            if post.end is not None:
                return True
            post = post.until
        return False

    @property
    def depends_on(self) -> tuple[Awaited, ...]:
        return self.waits_for

    def as_child(self) -> ChildEnd:
        """How it has ended, for the agent that started it."""
        assert self.end is not None, "an agent that has not ended has no end to tell"
        finished = self.end.ending
        return ChildEnd(
            id=self.id,
            agent=self.profile,
            status=self.end.status,
            summary=(finished.summary or None) if finished else None,
        )


def waits_for_itself(post: Post, targets: Iterable[Awaited]) -> bool:
    """Whether one of these can only end when the post has."""
    ahead, seen = list(targets), set[int]()
    while ahead:
        found = ahead.pop()
        if found is post:
            return True
        if id(found) not in seen:
            seen.add(id(found))
            ahead.extend(found.depends_on)
    return False
