"""The issues of a run: where each stands, what blocks what, who is to work on it next."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from host.agents.posts import Awaited, Post
from host.agents.rules import BoardRole
from host.core.errors import Refusal
from host.core.text import join_words, quoted
from host.events import IssueState, IssueStatus
from host.operations import IssueEnd
from host.turn import AgentEnd

_SHOWN_IDS: Final = 20
STATUS_OF: Final[dict[BoardRole, IssueStatus]] = {
    "implementer": "implementing",
    "reviewer": "reviewing",
    "merge": "merging",
}


@dataclass(eq=False, kw_only=True)
class Issue:
    """One issue.

    Args:
        worker: who works on it now, or has last.
        implementer: who has implemented it last, and `work` what that agent finished with.
        items: the changes that a review has requested last.
        summary: what its last worker has finished with.
    """

    id: str
    title: str
    body: str
    creator: Post
    blocked_by: "tuple[Issue, ...]" = ()
    status: IssueStatus = "open"
    worker: Post | None = None
    implementer: str = ""
    work: str = ""
    items: tuple[str, ...] = ()
    summary: str | None = None

    @property
    def has_ended(self) -> bool:
        return self.status in ("done", "failed")

    @property
    def depends_on(self) -> tuple[Awaited, ...]:
        if self.has_ended:
            return ()
        worker = (self.worker,) if self.worker and not self.worker.has_ended else ()
        return (*worker, *(issue for issue in self.blocked_by if not issue.has_ended))

    def as_end(self) -> IssueEnd:
        """How it has ended, for whoever waits for it."""
        summary = self.summary if self.status == "done" else None
        return IssueEnd(id=self.id, title=self.title, status=self.status, summary=summary)

    def as_event(self) -> IssueState:
        """Where it stands."""
        return IssueState(
            issue=self.id,
            title=self.title,
            status=self.status,
            blocked_by=tuple(issue.id for issue in self.blocked_by),
            worker=self.worker.id if self.worker else None,
            items=self.items,
            summary=self.summary,
        )

    def judge(self, role: BoardRole, end: AgentEnd) -> BoardRole | Literal["done", "failed"]:
        """Takes how an agent of that role has ended, and says who works on it next, or how the issue ends."""
        ending = end.ending
        if ending is None:
            return "failed"
        self.summary = ending.summary or None
        match role, ending.kind:
            case "implementer", "finish":
                self.work = ending.summary
                return "reviewer"
            case "reviewer", "approve":
                self.items = ()
                return "merge"
            case "reviewer", "request_changes":
                self.items = ending.items
                return "implementer"
            case "merge", "finish":
                return "done"
        return "failed"


class Issues:
    """All of them, in the order in which they were created."""

    def __init__(self) -> None:
        self._by_id: Final[dict[str, Issue]] = {}

    def create(self, creator: Post, title: str, body: str, blockers: tuple[Issue, ...]) -> Issue:
        """A new one: open, blocked, or failed where what blocks it has."""
        issue = Issue(
            id=f"issue-{len(self._by_id) + 1}",
            title=title,
            body=body,
            creator=creator,
            blocked_by=blockers,
            status=_status_behind(blockers),
        )
        self._by_id[issue.id] = issue
        return issue

    def named(self, ids: Iterable[str]) -> tuple[Issue, ...]:
        """Those with these ids. Raises `Refusal` for one that is of none."""
        ids = tuple(ids)
        unknown = next((id_ for id_ in ids if id_ not in self._by_id), None)
        if unknown is not None:
            known = list(map(quoted, self._by_id))
            latest = join_words(known[-_SHOWN_IDS:])
            there = f" The latest are {latest}." if len(known) > _SHOWN_IDS else f" There are {latest}."
            told = there if known else " There is none yet."
            raise Refusal("not-found", f"There is no issue {quoted(unknown)}.{told}", kind="no_issue")
        return tuple(self._by_id[id_] for id_ in ids)

    def of(self, creator: Post) -> tuple[Issue, ...]:
        """Those that were created from this post."""
        return tuple(issue for issue in self._by_id.values() if issue.creator is creator)

    def settle(self, issue: Issue, status: IssueStatus) -> tuple[tuple[Issue, ...], tuple[Issue, ...]]:
        """Ends an issue, and those that cannot be worked on for it; gives those that have ended, and those
        that nothing blocks any more.
        """
        issue.status = status
        ended, freed = [issue], list[Issue]()
        for gone in ended:  # it grows meanwhile
            for behind in self._behind(gone):
                behind.status = _status_behind(behind.blocked_by)
                if behind.status == "failed":
                    ended.append(behind)
                elif behind.status == "open":
                    freed.append(behind)
        return tuple(ended), tuple(freed)

    def _behind(self, issue: Issue) -> list[Issue]:
        return [i for i in self._by_id.values() if i.status == "blocked" and issue in i.blocked_by]


def _status_behind(blockers: tuple[Issue, ...]) -> IssueStatus:
    if any(issue.status == "failed" for issue in blockers):
        return "failed"
    return "open" if all(issue.status == "done" for issue in blockers) else "blocked"
