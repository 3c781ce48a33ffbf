"""The board family: issues that other agents work on, review and merge."""

from typing import Final

from pydantic import Field

from host.core.errors import Refusal
from host.events import IssueStatus
from host.operations.families.delegation import NEVER_OVER, OUT_OF_TIME, TOO_MANY, UNTRUSTED, once_each
from host.operations.families.texts import MAX_TEXT_BYTES, MAX_TITLE_CHARS, check_text, checked_title
from host.operations.model import Arguments, Family, Native, Operation, Result
from host.operations.services import Board, Caller

_CAPABILITY: Final = "delegation"
_WHERE: Final = "where the run has a board"


class IssueDraft(Arguments):
    """An issue to put on the board."""

    title: str = Field(description=f"What is to be done, in a line of {MAX_TITLE_CHARS} characters at most.")
    body: str = Field(description="The task, whole: whoever works on it knows nothing else.")
    blocked_by: list[str] | None = Field(
        default=None, description="Issues that have to be done before it is worked on."
    )


class WaitForIssueArguments(Arguments):
    ids: list[str] | None = Field(
        default=None, description="The issues to wait for; all that this agent has created when omitted."
    )


class Issue(Result):
    """An issue on the board."""

    id: str = Field(description="Its id.")


class IssueEnd(Result):
    """How an issue has ended."""

    id: str = Field(description="Its id.")
    title: str = Field(description="Its title.")
    status: IssueStatus = Field(description="How it ended: `done` or `failed`.")
    summary: str | None = Field(
        default=None,
        description=f"What the agent that merged it finished with, where it is done. {UNTRUSTED}",
    )


def _create(caller: Caller, arguments: IssueDraft) -> Issue:
    title = checked_title(arguments.title)
    check_text(arguments.body, "The body", wanted="say what is to be done")
    return Issue(id=_board(caller).create(title, arguments.body, once_each(arguments.blocked_by) or ()))


def _wait(caller: Caller, arguments: WaitForIssueArguments) -> list[IssueEnd]:
    ended = _board(caller).wait(once_each(arguments.ids))
    return [
        IssueEnd(id=issue.id, title=issue.title, status=issue.status, summary=issue.summary)
        for issue in ended
    ]


def _board(caller: Caller) -> Board:
    if caller.board is None:
        raise Refusal("unavailable", "This run has no board.", kind="no_board")
    return caller.board


FAMILY = Family(
    "board",
    "Puts issues on a board, where other agents work on them, review and merge them.",
    (
        Operation(
            id="board.create_issue",
            summary=(
                "Puts an issue on the board and gives its id at once. An agent works on it as soon as what"
                " blocks it is done; another one reviews the work, and a third merges it."
            ),
            arguments=IssueDraft,
            takes="issue",
            run=_create,
            result=Issue,
            failures=(
                (
                    "invalid-argument",
                    "the title is not one line, or a text is empty or holds a lone surrogate",
                ),
                (
                    "limit-exceeded",
                    f"the title is over {MAX_TITLE_CHARS} characters, the body over {MAX_TEXT_BYTES:,} bytes",
                ),
                ("limit-exceeded", TOO_MANY),
                ("not-found", "there is no issue of an id that it is blocked by"),
            ),
            capability=_CAPABILITY,
            where=_WHERE,
            native=Native("create_issue"),
            example=(
                'const first = board.createIssue({ title: "Clean the rows", body: "Those of data.csv." });\n'
                'board.createIssue({ title: "Sum them up", body: "By month.", blockedBy: [first.id] });'
            ),
        ),
        Operation(
            id="board.wait_for_issue",
            summary="Waits until issues are done or have failed, and says which.",
            arguments=WaitForIssueArguments,
            run=_wait,
            result=list[IssueEnd],
            failures=(
                ("not-found", "there is no issue of an id"),
                ("refused", NEVER_OVER),
                ("limit-exceeded", OUT_OF_TIME),
            ),
            capability=_CAPABILITY,
            where=_WHERE,
            in_on_use=False,
            native=Native("wait_for_issue", is_capped=False),
            example='const done = board.waitForIssue().every((issue) => issue.status === "done");',
        ),
    ),
)
