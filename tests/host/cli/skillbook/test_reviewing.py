"""`gg skillbook review` where no terminal is."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.host.cli.skillbook.books import BOOK, answer, held, skillbook, story, waiting, written

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_terminal_they_are_listed_with_their_evidence(
    golden: Callable[[Path, str], None],
) -> None:
    story()
    before = BOOK.read_text()
    ran = skillbook("review")

    assert ran.code == 0
    golden(GOLDEN / "review.txt", f"{ran.out}--\n{ran.err}")
    assert [each["id"] for each in answer("review")["skills"]] == ["web-1"]
    assert BOOK.read_text() == before


def test_one_is_accepted_and_one_rejected_for_a_reason() -> None:
    written(waiting("a"), waiting("b"))
    ran = skillbook("review", "--accept", "a", "--reject", "b", "--reason", "the page told it so")
    kept = held()

    assert (ran.code, ran.out) == (0, "accepted a\nrejected b; restore undoes it\n")
    assert (kept["a"].active, kept["a"].review, kept["a"].evidence_is) == (True, None, "untrusted")
    assert (kept["b"].active, kept["b"].review) == (False, "rejected")
    assert [source.operation_type for source in kept["a"].occurrences] == [None, "ACCEPT"]
    assert kept["b"].occurrences[-1].learning_text == "the page told it so"


def test_what_is_not_held_back_stops_no_other_one() -> None:
    story()
    value = answer("review", "--accept", "nope", "--accept", "web-1", "--reject", "export-1", code=1)

    assert [each["ok"] for each in value["results"]] == [False, True, False]
    assert value["results"][2]["why"] == "export-1 is not held back; gg skillbook remove retires it"
    assert (held()["web-1"].active, held()["export-1"].active) == (True, True)


def test_nothing_waits() -> None:
    ran = skillbook("review")

    assert (ran.code, ran.out, ran.err) == (0, "", "skills 0 skills held back\n")


WRONG = [
    (("--reason", "x"), "--reason is for --reject; leave it out."),
    (("--accept", "a", "--reject", "a"), "--accept and --reject both name `a`; leave one out."),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG)
def test_wrong_use_is_told_in_one_line(arguments: tuple[str, ...], told: str) -> None:
    ran = skillbook("review", *arguments)

    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert ran.err.startswith(f"gg skillbook review: {told}")
