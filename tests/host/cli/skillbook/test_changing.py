"""`gg skillbook add`, `tag`, `remove`, `restore` and `purge`."""

from pathlib import Path
from typing import Final

import pytest

from tests.helpers.skillbooks import skill
from tests.host.cli.skillbook.books import BOOK, answer, held, skillbook, story, written

KEY: Final = "sk-proj-" + "a1B2c3D4" * 6


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_skill_is_added_and_its_id_printed() -> None:
    ran = skillbook(
        *("add", "An export has 20,000 rows.", "--insight", "Write it in parts."),
        *("--keyword", "CSV files", "--keyword", "export", "--scope", "billing"),
    )
    [added] = held().values()

    assert (ran.code, ran.out, ran.err) == (0, "context-00001\n", "skills added context-00001\n")
    assert (added.section, added.issue, added.insight) == (
        "context",
        "An export has 20,000 rows.",
        "Write it in parts.",
    )
    assert (added.keywords, added.scope, added.active) == (("csv_files", "export"), "billing", True)
    [source] = added.occurrences
    assert (source.trace_uid, source.operation_type) == ("gg:operator", "ADD")


def test_texts_come_from_stdin_and_from_a_file(here: Path) -> None:
    (here / "advice.txt").write_text("Write it.\nIn parts.\n")
    value = answer("add", "-", "--insight-from", "advice.txt", typed="One.\nTwo é.\n")

    assert value == {"ok": True, "skill_id": "context-00001", "did": "added context-00001"}
    assert (held()["context-00001"].issue, held()["context-00001"].insight) == (
        "One.\nTwo é.",
        "Write it.\nIn parts.",
    )


def test_a_secret_is_masked_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BILLING_TOKEN", "tulip-quartz-5511")
    ran = skillbook("add", f"The key is {KEY}.", "--insight", "It is tulip-quartz-5511.", "--keyword", "a")
    added = held()["context-00001"]

    assert ran.err == "masked a secret in the issue and insight\nskills added context-00001\n"
    assert (added.issue, added.insight) == ("The key is [REDACTED].", "It is [masked:BILLING_TOKEN].")
    assert KEY not in BOOK.read_text()


def test_counters_are_counted() -> None:
    story()
    for how in ("helpful", "harmful", "neutral", "helpful"):
        assert skillbook("tag", "export-2", how).out == f"tagged export-2 {how}\n"
    found = held()["export-2"]

    assert (found.helpful_count, found.harmful_count, found.neutral_count, found.active) == (2, 1, 1, True)


def test_a_removal_keeps_its_reason_and_is_undone() -> None:
    story()
    removed = answer("remove", "export-2", "--reason", f"the key {KEY} is in it")
    gone = held()["export-2"]
    restored = skillbook("restore", "export-2")

    assert removed == {"ok": True, "skill_id": "export-2", "did": "removed export-2; restore undoes it"}
    assert (gone.active, gone.occurrences[-1].operation_type) == (False, "REMOVE")
    assert gone.occurrences[-1].learning_text == "the key [REDACTED] is in it"
    assert (restored.out, held()["export-2"].active) == ("restored export-2\n", True)


def test_a_merge_is_taken_back() -> None:
    written(
        skill("a", helpful_count=5),
        skill("b", helpful_count=2, active=False, merged_into="a"),
    )
    ran = skillbook("restore", "b")

    assert ran.out == "restored b; its counters are taken out of a\n"
    assert (held()["a"].helpful_count, held()["b"].active) == (3, True)


def test_what_was_rejected_is_held_back_again() -> None:
    story()

    assert skillbook("restore", "old-3").out == "restored old-3, held back until it is accepted\n"
    assert (held()["old-3"].active, held()["old-3"].review) == (False, "pending")


def test_a_purge_takes_yes_where_nobody_can_be_asked() -> None:
    story()
    asked = skillbook("purge", "old-2")
    purged = skillbook("purge", "old-2", "--yes")

    assert (asked.code, asked.out) == (2, "")
    assert asked.err.startswith("gg skillbook purge: purge asks first, and stdin or stderr is no terminal;")
    assert (purged.code, purged.out, "old-2" in held()) == (0, "purged old-2\n", False)


REFUSED = [
    (("add", "a", "--insight", "b", "--id", "x,y"), "the id `x,y` holds a comma, by which"),
    (("add", "a", "--insight", "b", "--id", "export-1"), "there is a skill `export-1` already;"),
    (("add", "a"), "the insight is empty; say what to do about it"),
    (("add", " ", "--insight", "b"), "the issue is empty;"),
    (("tag", "nope", "helpful"), "there is no skill `nope`"),
    (("remove", "old-2", "--reason", "x"), "old-2 is removed already"),
    (("remove", "old-1", "--reason", "x"), "old-1 was merged into export-2; name that one"),
    (("restore", "export-1"), "export-1 is not removed"),
    (("restore", "web-1"), "web-1 is not removed"),
    (("purge", "nope", "--yes"), "there is no skill `nope`"),
]


@pytest.mark.parametrize(("arguments", "why"), REFUSED)
def test_what_does_nothing_says_why_and_exits_with_1(arguments: tuple[str, ...], why: str) -> None:
    before = story().read_text()
    ran, value = skillbook(*arguments), answer(*arguments, code=1)

    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"gg: {why}")
    assert (value["ok"], value["why"]) == (False, ran.err.removeprefix("gg: ").rstrip("\n"))
    assert BOOK.read_text() == before


def test_there_is_nothing_to_change_without_a_book(here: Path) -> None:
    ran = skillbook("tag", "a", "helpful")

    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "gg: there is no skillbook at `.gg/skillbook.json`; gg skillbook add makes one\n"
    assert list(here.iterdir()) == []


WRONG = [
    (("add",), "add: ISSUE is missing."),
    (("add", "a", "--insight", "b", "--insight-from", "books.py"), "add: --insight-from:"),
    (("add", "a", "--section", "world"), "add: --section: `world` is none of context or harness."),
    (("tag", "a"), "tag: HOW is missing; it is helpful, neutral or harmful."),
    (("tag", "a", "good"), "tag: HOW: `good` is none of helpful, neutral or harmful."),
    (("remove", "a"), "remove: --reason TEXT is missing."),
    (("remove", "a", "--reason", " "), "remove: --reason is empty; say why."),
    (("tag", "a", "helpful", "--book", "none.json"), "tag: --book `none.json` does not exist;"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG)
def test_wrong_use_is_told_in_one_line(arguments: tuple[str, ...], told: str) -> None:
    ran = skillbook(*arguments)

    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert ran.err.startswith(f"gg skillbook {told}")


def test_what_is_no_text_on_stdin_is_wrong_use() -> None:
    ran = skillbook("add", "-", typed=b"a\xff")

    assert (ran.code, ran.err) == (
        2,
        "gg skillbook add: stdin is no UTF-8, from byte 1 on. See gg skillbook add --help\n",
    )


def test_a_book_anywhere_is_made_by_an_add(here: Path) -> None:
    ran = skillbook("add", "a", "--insight", "b", "--book", "deep/down/book.json", "--quiet")

    assert (ran.code, ran.out, ran.err) == (0, "context-00001\n", "")
    assert list(held(here / "deep/down/book.json")) == ["context-00001"]
