"""The board of a run: dispatches whoever works on an issue, one agent after another, until it is settled."""

from typing import TYPE_CHECKING, Final

from host.agents.issues import STATUS_OF, Issue, Issues
from host.agents.rules import BoardRole
from host.agents.texts import task_of_issue, task_of_merge, task_of_review
from host.core.errors import Refusal
from host.events import IssueStatus
from host.turn import AgentEnd

if TYPE_CHECKING:
    from host.agents.member import Member
    from host.agents.team import Team


class IssueBoard:
    """Belongs to the event loop's thread. What becomes of an issue is recorded on the stream of the agent
    that brought it about.
    """

    def __init__(self, team: "Team") -> None:
        self.issues: Final = Issues()
        self._team: Final = team

    async def create(self, creator: "Member", title: str, body: str, blocked_by: tuple[str, ...]) -> str:
        """Puts an issue on the board, and has it worked on where nothing blocks it. Raises `Refusal`."""
        if self._team.rules.board is None:
            raise Refusal("unavailable", "This run has no board.", kind="no_board")
        blockers = self.issues.named(blocked_by)
        self._team.places.take()
        issue = self.issues.create(creator.post, title, body, blockers)
        self._report(issue, creator)
        if issue.has_ended:
            self._team.places.give_back()
        if issue.status == "open":
            await self.dispatch(issue, "implementer")
        return issue.id

    def worked(self, member: "Member", end: AgentEnd) -> tuple[tuple[Issue, BoardRole], ...]:
        """Judges the issue of an agent that has ended; what is to be dispatched for that."""
        post = member.post
        if post.role is None or post.issue is None:
            return ()
        (issue,) = self.issues.named([post.issue])
        match issue.judge(post.role, end):
            case "done":
                return self._settle(issue, "done", member)
            case ("implementer" | "reviewer" | "merge") as role if self._team.goes_on:
                return ((issue, role),)
            case _:
                return self._settle(issue, "failed", member)

    async def dispatch(self, issue: Issue, role: BoardRole) -> None:
        """Has an issue worked on, in this role."""
        worker = await self._team.dispatch(role, issue.id, _task(issue, role))
        issue.worker, issue.status = worker.post, STATUS_OF[role]
        if role == "implementer":
            issue.implementer = worker.agent_id
        self._report(issue, worker)

    def _settle(
        self, issue: Issue, status: IssueStatus, member: "Member"
    ) -> tuple[tuple[Issue, BoardRole], ...]:
        ended, freed = self.issues.settle(issue, status)
        self._team.places.give_back(len(ended))
        for each in ended:
            self._report(each, member)
        self._team.bell.wake()
        if self._team.goes_on:
            return tuple((each, "implementer") for each in freed)
        for each in freed:
            self._settle(each, "failed", member)
        return ()

    def _report(self, issue: Issue, member: "Member") -> None:
        self._team.emit(issue.as_event(), member.agent_id)


def _task(issue: Issue, role: BoardRole) -> str:
    match role:
        case "implementer":
            return task_of_issue(issue.title, issue.body, issue.items)
        case "reviewer":
            return task_of_review(issue.title, issue.body, issue.implementer, issue.work)
        case "merge":
            return task_of_merge(issue.title, issue.body, issue.implementer, issue.work)
