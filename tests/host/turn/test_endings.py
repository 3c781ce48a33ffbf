"""The ending as a flag: the latest counts, a failure takes it back, the operator is told."""

from host.turn.endings import Ending, EndingFlag


def test_an_ending_stands_once_declared() -> None:
    notes: list[str] = []
    flag = EndingFlag(notes.append)

    assert flag.declared is None
    flag.declare("finish", "done")
    assert (flag.declared, notes) == (Ending("finish", "done"), [])


def test_the_latest_ending_counts() -> None:
    notes: list[str] = []
    flag = EndingFlag(notes.append)
    flag.declare("finish", "first")
    flag.declare("finish", "second")

    assert flag.declared == Ending("finish", "second")
    assert notes == ["the ending was declared again; the latest counts: second"]


def test_a_verdict_replaces_another_and_the_operator_reads_what_it_says() -> None:
    notes: list[str] = []
    flag = EndingFlag(notes.append)
    flag.declare("approve")
    flag.declare("request_changes", items=("Row 3 has no price.", "Say why."))
    assert flag.declared == Ending("request_changes", "", ("Row 3 has no price.", "Say why."))

    flag.declare("approve")
    assert flag.declared == Ending("approve")
    assert notes == [
        "the ending was declared again; the latest counts: Row 3 has no price.; Say why.",
        "the ending was declared again; the latest counts: approve",
    ]


def test_the_operator_reads_the_beginning_of_a_long_summary() -> None:
    notes: list[str] = []
    flag = EndingFlag(notes.append)
    flag.declare("finish", "first")
    flag.declare("finish", "x" * 2**20)

    assert flag.declared == Ending("finish", "x" * 2**20)
    assert notes == [f"the ending was declared again; the latest counts: {'x' * 200}…"]


def test_a_failure_takes_the_ending_back_and_a_later_program_may_declare_it_again() -> None:
    notes: list[str] = []
    flag = EndingFlag(notes.append)
    flag.declare("finish", "first")
    assert flag.revoke("a call failed") is True

    assert flag.declared is None
    assert notes == ["the ending was revoked: a call failed"]

    flag.declare("finish", "second")
    assert flag.declared == Ending("finish", "second")
    assert len(notes) == 1


def test_a_failure_without_an_ending_is_nothing_to_tell() -> None:
    notes: list[str] = []
    assert EndingFlag(notes.append).revoke("a call failed") is False

    assert notes == []
