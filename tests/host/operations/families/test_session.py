"""The session family through the bracket."""

import pytest

from host.core.errors import Refusal
from host.operations import OPERATIONS, Role, granted_by
from tests.host.operations.callers import Desk, error


def test_the_latest_ending_counts() -> None:
    at = Desk()

    assert at.call("session.finish", "first") == {"ok": None}
    assert at.call("session.finish", "  second\n") == {"ok": None}
    assert at.endings.endings == [("finish", "first"), ("finish", "second")]


@pytest.mark.parametrize("summary", ["", " \n"])
def test_an_ending_needs_a_summary(summary: str) -> None:
    at = Desk()

    assert at.call("session.finish", summary) == error(
        "invalid-argument", "session.finish", "The summary is empty; say what was achieved."
    )
    assert at.endings.endings == []


def test_half_a_character_is_stored_in_no_ending() -> None:
    at = Desk()

    assert at.call("session.finish", "done \ud800") == error(
        "invalid-argument",
        "session.finish",
        "The summary holds a lone surrogate, which is half a character; take it out.",
    )
    assert at.endings.endings == []


def test_a_summary_has_a_cap() -> None:
    at = Desk()

    assert at.call("session.finish", "x" * 65_537) == error(
        "limit-exceeded", "session.finish", "The summary has 65,537 of 65,536 bytes; shorten it."
    )
    assert at.call("session.finish", " " + "x" * 65_536) == {"ok": None}
    assert at.endings.endings == [("finish", "x" * 65_536)]


def test_a_verdict() -> None:
    at = Desk()

    assert at.call("session.approve") == {"ok": None}
    assert at.call("session.request_changes", [" Row 3 has no price.\n", "Say\x07\nwhy."]) == {"ok": None}
    assert at.tool("approve") == "null"
    assert at.tool("request_changes", items=["Row 3."]) == "null"
    assert at.endings.endings == [
        ("approve", ""),
        ("request_changes", "", "Row 3 has no price.", "Say\x07\nwhy."),
        ("approve", ""),
        ("request_changes", "", "Row 3."),
    ]


NO_CHANGES = [
    pytest.param([], "invalid-argument", "There is no item; say what has to be changed.", id="none"),
    pytest.param(
        ["a", " \n"],
        "invalid-argument",
        "Item 2 is empty; say what has to be changed, or leave it out.",
        id="an empty one",
    ),
    pytest.param(
        ["\udc00"],
        "invalid-argument",
        "Item 1 holds a lone surrogate, which is half a character; take it out.",
        id="half a character",
    ),
    pytest.param(
        ["x"] * 101,
        "limit-exceeded",
        "There are 101 of 100 items; put several changes into one.",
        id="too many",
    ),
    pytest.param(
        ["x" * 65_537],
        "limit-exceeded",
        "Item 1 has 65,537 of 65,536 bytes; shorten it.",
        id="a long one",
    ),
    pytest.param(
        ["x" * 32_768, "x" * 32_768],
        "limit-exceeded",
        "The list of items has 65,537 of 65,536 bytes; shorten it.",
        id="long ones",
    ),
]


@pytest.mark.parametrize(("items", "code", "message"), NO_CHANGES)
def test_changes_that_say_nothing_or_too_much(items: list[str], code: str, message: str) -> None:
    at = Desk()

    assert at.call("session.request_changes", items) == error(code, "session.requestChanges", message)
    assert at.endings.endings == []


ENDINGS = [("session.finish", ["done"]), ("session.approve", []), ("session.request_changes", [["Row 3."]])]


@pytest.mark.parametrize(("operation_id", "arguments"), ENDINGS)
def test_a_script_cannot_end_the_session(operation_id: str, arguments: list[object]) -> None:
    at, spelling = Desk(), OPERATIONS[operation_id].spelling

    assert at.call(operation_id, *arguments, origin="onUse") == error(
        "unavailable", spelling, f"{spelling} is not available to an onUse script."
    )
    assert at.endings.endings == []


OF_ANOTHER_ROLE = [
    pytest.param("worker", "session.approve", [5], "session.finish", "finish", id="a worker"),
    pytest.param("worker", "session.request_changes", [[]], "session.finish", "finish", id="changes"),
    pytest.param(
        "reviewer",
        "session.finish",
        [""],
        "session.approve and session.requestChanges",
        "approve and request_changes",
        id="a reviewer",
    ),
]


@pytest.mark.parametrize(("role", "operation_id", "arguments", "has", "tools"), OF_ANOTHER_ROLE)
def test_the_ending_of_another_role_is_refused_before_its_arguments_with_the_one_that_there_is(
    role: Role, operation_id: str, arguments: list[object], has: str, tools: str
) -> None:
    at = Desk(granted=granted_by(OPERATIONS.values(), frozenset(), frozenset(), role))
    operation = OPERATIONS[operation_id]
    assert operation.native is not None

    assert at.call(operation_id, *arguments) == error(
        "unavailable",
        operation.spelling,
        f"{operation.spelling} is not available to this agent. The calls there are: {has}.",
    )
    assert at.tool(operation.native.name, wrong=1) == (
        f"unavailable: {operation.native.name} is not available to this agent. The calls there are: {tools}."
    )
    assert at.endings.endings == []


@pytest.mark.parametrize(("operation_id", "arguments"), ENDINGS)
def test_an_agent_can_end_when_the_runs_time_is_spent(operation_id: str, arguments: list[object]) -> None:
    def spent() -> None:
        raise Refusal("limit-exceeded", "The time is spent.", kind="run_time")

    assert Desk(refuse_over_run_time=spent).call(operation_id, *arguments) == {"ok": None}


def test_a_reply_ends_the_session_with_a_tool() -> None:
    at = Desk()

    assert at.tool("finish", summary=" done\n") == "null"
    assert at.tool("finish", summary="\ud800") == (
        "invalid-argument: The summary holds a lone surrogate, which is half a character; take it out."
    )
    assert at.tool("finish") == "invalid-argument: finish needs summary, and it is missing."
    assert at.endings.endings == [("finish", "done")]
