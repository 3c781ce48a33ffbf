"""`gg skillbook show`."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from host.skillbook import BookFile
from tests.helpers.skillbooks import skill, source
from tests.host.cli.skillbook.books import BOOK, answer, skillbook, story, written

GOLDEN = Path(__file__).parent / "golden"
Golden = Callable[[Path, str], None]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


SHOWN = {
    "list": (),
    "all": ("--all",),
    "found": ("--search", "rows of an export"),
    "whole": ("export-1", "web-1"),
    "merged": ("old-1", "--all"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_person_reads(name: str, golden: Golden) -> None:
    story()
    BookFile(BOOK).apply(
        lambda book: book.set_similarity_decision(
            "export-1", "export-2", "One is for large ones.", similarity=8_235, measure="lexical/1"
        )
    )
    ran = skillbook("show", *SHOWN[name])

    assert ran.code == 0
    golden(GOLDEN / f"show_{name}.txt", f"{ran.out}--\n{ran.err}")


def test_data_is_the_file_s() -> None:
    story()
    value = answer("show", "--section", "context")

    assert (value["book"], value["problems"], value["decisions"]) == (str(BOOK), [], [])
    assert [each["id"] for each in value["skills"]] == ["export-1", "export-2"]
    assert value["skills"][0] == BookFile(BOOK).read().skillbook.to_dict()["skills"]["export-1"]


def test_a_search_gives_scores_in_order() -> None:
    story()
    found = answer("show", "--search", "export of many rows", "--top-k", "1")["skills"]

    assert [each["id"] for each in found] == ["export-1"]
    assert found[0]["score"] > 0


def test_what_is_held_back_or_removed_is_not_found() -> None:
    story()

    assert answer("show", "--search", "password page nobody needs")["skills"] == []
    assert answer("show", "--search", "設備 🚀")["skills"] == []


def test_a_scope_has_its_own_skills_and_those_for_everywhere() -> None:
    written(skill("a", scope="x"), skill("b", scope="y"), skill("c"))

    assert [each["id"] for each in answer("show", "--scope", "x")["skills"]] == ["a", "c"]
    assert [each["id"] for each in answer("show")["skills"]] == ["a", "b", "c"]
    assert [each["id"] for each in answer("show", "--search", "lock", "--scope", "y")["skills"]] == ["b", "c"]


def test_the_id_of_a_merged_skill_shows_what_it_became() -> None:
    story()
    ran = skillbook("show", "old-1")

    assert ran.out.startswith("skill export-2\n")
    assert ran.err == "skills old-1 was merged into export-2\n"


def test_a_skill_that_is_not_there_is_told() -> None:
    story()
    ran = skillbook("show", "export-2", "nope\x1b")
    value = answer("show", "nope", code=1)

    assert ran.code == 1
    assert ran.err == (
        "gg: there is no skill `nope\\u001b`; gg skillbook show --all lists those that are there\n"
    )
    assert ran.out.startswith("skill export-2\n")
    assert (value["skills"], value["missing"]) == ([], ["nope"])


def test_without_a_book_it_says_how_to_begin_one() -> None:
    ran = skillbook("show")

    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "skills there is no skillbook at `.gg/skillbook.json`; gg skillbook add makes one\n"
    assert not BOOK.parent.exists()


def test_what_cannot_be_read_is_told_and_the_rest_is_shown(here: Path) -> None:
    book = '{"schema_version": "2", "skills": {"a": {"issue": 7}, "b": {"issue": "x", "insight": "y"}}}'
    (here / "b.json").write_text(book)
    ran = skillbook("show", "--book", "b.json")

    assert (ran.code, ran.out.count("\n")) == (0, 2)
    assert ran.err.startswith("not read skill `a`: its issue is ")
    assert skillbook("show", "a", "--book", "b.json").err.endswith("gg: skill `a` could not be read\n")
    assert (here / "b.json").read_text() == book


def test_a_book_that_is_cut_in_half_is_refused_and_stays(here: Path) -> None:
    (here / "b.json").write_text('{"schema_version": "2", "skills": {"a"')
    ran = skillbook("show", "--book", "b.json")
    value = answer("show", "--book", "b.json", code=1)

    assert (ran.code, ran.out) == (1, "")
    assert re.match(r"gg: G6_E_SKILLBOOK_FILE: `\S+b.json` is no whole JSON, and stays as it is: ", ran.err)
    assert (value["ok"], value["code"]) == (False, "G6_E_SKILLBOOK_FILE")
    assert (here / "b.json").read_text() == '{"schema_version": "2", "skills": {"a"'


HOSTILE = [
    "\x1b[2J\x1b]0;title\x07",
    "[bold red]a[/]",
    "\u202eevil",
    "a\r\nskill b\n  state        active",
    "x" * 5_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_skill_acts_on_the_terminal(text: str) -> None:
    written(
        skill(
            text.replace(",", ""),
            text,
            insight=text,
            keywords=(text,),
            scope=text,
            created_at=text,
            occurrences=(source(text, text),),
        )
    )
    shown = [skillbook("show"), skillbook("show", "--full"), skillbook("show", text), skillbook("export")]

    assert [ran.code for ran in shown] == [0, 0, 0, 0]
    for ran in shown:
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", ran.out + ran.err)
    states = [row for row in shown[1].out.splitlines() if row.startswith("  state")]
    assert states == ["  state        active"]


WRONG = [
    (("show", "a", "--search", "b"), "show: each ID names a skill to show; leave --search out."),
    (("show", "--top-k", "3"), "show: --top-k is for --search; leave it out."),
    (("show", "--all", "--search", "b"), "show: --search finds active skills alone; leave --all out."),
    (("show", "--search", "b", "--top-k", "0"), "show: --top-k: `0` is no whole number from 1."),
    (("show", "--section", "world"), "show: --section: `world` is none of context or harness."),
    (("show", "--book", "none.json"), "show: --book `none.json` does not exist; gg skillbook add makes one."),
    (("show", "--book", "x" * 300), f"show: --book `{'x' * 120}…` does not exist;"),
    (("shwo",), ": no such command `shwo`; did you mean show?"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG)
def test_wrong_use_is_told_in_one_line(arguments: tuple[str, ...], told: str) -> None:
    ran = skillbook(*arguments)

    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    separator = "" if told.startswith(":") else " "
    assert ran.err.startswith(f"gg skillbook{separator}{told}")
