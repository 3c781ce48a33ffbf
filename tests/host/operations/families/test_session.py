"""The session family through the bracket."""

import pytest

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


def test_a_script_cannot_end_the_session() -> None:
    at = Desk()

    assert at.call("session.finish", "done", origin="onUse") == error(
        "unavailable", "session.finish", "session.finish is not available to an onUse script."
    )
    assert at.endings.endings == []


def test_a_reply_ends_the_session_with_a_tool() -> None:
    at = Desk()

    assert at.tool("finish", summary=" done\n") == "null"
    assert at.tool("finish", summary="\ud800") == (
        "invalid-argument: The summary holds a lone surrogate, which is half a character; take it out."
    )
    assert at.tool("finish") == "invalid-argument: finish needs summary, and it is missing."
    assert at.endings.endings == [("finish", "done")]
