"""The board family through the bracket: from a program, and as tools."""

import pytest

from host.operations import IssueEnd
from tests.host.operations.callers import Desk, error
from tests.host.operations.others import Issues

CLEAN = {"title": "Clean the rows", "body": "Those of data.csv."}


def test_an_issue_is_put_on_the_board() -> None:
    board = Issues()
    at = Desk(board=board)

    assert at.call("board.create_issue", {**CLEAN, "title": " Clean the rows\n"}) == {"ok": {"id": "issue-1"}}
    assert at.call("board.create_issue", {**CLEAN, "blockedBy": ["issue-1", "issue-1"]}) == {
        "ok": {"id": "issue-2"}
    }
    assert at.tool("create_issue", **CLEAN, blocked_by=["issue-2"]) == '{"id":"issue-3"}'
    assert board.created == [
        ("Clean the rows", "Those of data.csv.", ()),
        ("Clean the rows", "Those of data.csv.", ("issue-1",)),
        ("Clean the rows", "Those of data.csv.", ("issue-2",)),
    ]


def test_what_a_wait_gives() -> None:
    board = Issues(
        ended={
            "issue-1": IssueEnd(id="issue-1", title="Clean", status="done", summary="Merged."),
            "issue-2": IssueEnd(id="issue-2", title="Sum", status="failed"),
        }
    )
    at = Desk(board=board)

    assert at.call("board.wait_for_issue") == {
        "ok": [
            {"id": "issue-1", "title": "Clean", "status": "done", "summary": "Merged."},
            {"id": "issue-2", "title": "Sum", "status": "failed"},
        ]
    }
    assert at.tool("wait_for_issue", ids=["issue-2"]) == (
        '[{"id":"issue-2","title":"Sum","status":"failed","summary":null}]'
    )
    assert at.call("board.wait_for_issue", []) == {"ok": []}
    assert board.waited == [None, ("issue-2",), ()]


REFUSED = [
    pytest.param(
        {"title": " "},
        "invalid-argument: The title is empty; say in a line what is to be done.",
        id="no title",
    ),
    pytest.param(
        {"title": "Clean\nthe rows"},
        "invalid-argument: The title is not one line, character 6 is U+000A; give one line without control"
        " characters.",
        id="two lines",
    ),
    pytest.param(
        {"title": "Clean\u2028it"},
        "invalid-argument: The title is not one line, character 6 is U+2028; give one line without control"
        " characters.",
        id="two lines of another kind",
    ),
    pytest.param(
        {"title": "é" * 201},
        "limit-exceeded: The title has 201 of 200 characters; shorten it.",
        id="a long title",
    ),
    pytest.param(
        {"title": "x" * 70_000},
        "limit-exceeded: The title has 70,000 of 200 characters; shorten it.",
        id="a very long title",
    ),
    pytest.param(
        {"title": "\ud800"},
        "invalid-argument: The title holds a lone surrogate, which is half a character; take it out.",
        id="half a character in the title",
    ),
    pytest.param(
        {"body": "\n"}, "invalid-argument: The body is empty; say what is to be done.", id="no body"
    ),
    pytest.param(
        {"body": "\udfff"},
        "invalid-argument: The body holds a lone surrogate, which is half a character; take it out.",
        id="half a character in the body",
    ),
    pytest.param(
        {"body": "x" * 65_537},
        "limit-exceeded: The body has 65,537 of 65,536 bytes; shorten it.",
        id="a long body",
    ),
]


@pytest.mark.parametrize(("fields", "message"), REFUSED)
def test_an_issue_that_cannot_be_one(fields: dict[str, str], message: str) -> None:
    board = Issues()

    assert Desk(board=board).tool("create_issue", **{**CLEAN, **fields}) == message
    assert board.created == []


def test_texts_at_their_limits_and_with_control_characters_in_the_body() -> None:
    board = Issues()
    title, body = "é" * 200, "\x00\x1b" + "x" * 65_534

    assert Desk(board=board).tool("create_issue", title=title, body=body) == '{"id":"issue-1"}'
    assert board.created == [(title, body, ())]


def test_a_run_without_a_board() -> None:
    at = Desk()

    assert at.call("board.create_issue", CLEAN) == error(
        "unavailable", "board.createIssue", "This run has no board."
    )
    assert at.tool("wait_for_issue") == "unavailable: This run has no board."


def test_a_script_may_create_issues_but_not_wait_for_them() -> None:
    board = Issues()
    at = Desk(board=board)

    assert at.call("board.create_issue", CLEAN, origin="onUse") == {"ok": {"id": "issue-1"}}
    assert at.call("board.wait_for_issue", origin="onUse") == error(
        "unavailable", "board.waitForIssue", "board.waitForIssue is not available to an onUse script."
    )
    assert board.waited == []
