"""`gg skillbook export` and `gg skillbook import`."""

import json
from pathlib import Path
from typing import Any

import pytest

from host.skillbook import BookFile, markdown
from tests.helpers.skillbooks import skill
from tests.host.cli.skillbook.books import BOOK, answer, held, skillbook, story, written

V1: dict[str, Any] = {
    "skills": {
        "csv-00001": {
            "id": "csv-00001",
            "section": "CSV files",
            "content": "Quote a field that holds a comma.",
            "justification": "The import broke.",
            "evidence": "run 7",
            "helpful": 3,
            "harmful": 1,
            "neutral": 0,
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": "2026-01-02T00:00:00Z",
            "status": "active",
            "sources": [],
            "x_team": "ops",
        }
    },
    "sections": {"CSV files": ["csv-00001"]},
    "next_id": 1,
    "similarity_decisions": {},
    "x_team": "ops",
}
BULLETS = {"bullets": V1["skills"], **{key: value for key, value in V1.items() if key != "skills"}}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("name", "given"), [("v1", V1), ("bullets", BULLETS)])
def test_a_book_of_ace_comes_in_and_goes_out_as_it_was(name: str, given: dict[str, Any], here: Path) -> None:
    (here / "theirs.json").write_text(json.dumps(given))
    taken = skillbook("import", "theirs.json")
    out = skillbook("export", "--format", name)
    filed = skillbook("export", "--format", name, "out.json")

    assert (taken.code, taken.out, taken.err) == (0, "csv-00001\n", "skills 1 added\n")
    assert json.loads(out.out) == given
    assert (filed.out, filed.err) == ("", "skills 1 skill exported\n")
    assert json.loads((here / "out.json").read_text()) == given
    assert json.loads(BOOK.read_text())["schema_version"] == "2"
    told = answer("export", "again.json", "--format", name)
    assert told == {"file": "again.json", "format": name, "skills": 1}


def test_the_format_of_the_file_is_the_file(here: Path) -> None:
    story()

    assert skillbook("export", "--format", "v2").out == BOOK.read_text()


def test_markdown_is_for_a_person() -> None:
    story()
    book = BookFile(BOOK).read().skillbook

    assert skillbook("export").out == markdown(book)
    assert skillbook("export", "-").out == markdown(book)


def test_a_file_that_is_there_is_left_alone(here: Path) -> None:
    story()
    (here / "out.md").write_text("mine")
    ran = skillbook("export", "out.md")

    assert (ran.code, ran.out, (here / "out.md").read_text()) == (2, "", "mine")
    assert ran.err.startswith("gg skillbook export: `out.md` is there; name a file that is not.")


def test_ids_that_are_there_are_not_overwritten() -> None:
    written(skill("a"), skill("b", "one thing"))
    written(skill("a"), skill("b", "another thing"), skill("c"), at=Path("theirs.json"))
    ran = skillbook("import", "theirs.json")

    assert (ran.code, ran.out) == (1, "c\n")
    assert ran.err == (
        "not taken `b` is another skill here, and stays as it is; --replace puts the other in its place\n"
        "skills 1 added, 1 there already and 1 not taken\n"
    )
    assert held()["b"].issue == "one thing"

    replaced = skillbook("import", "theirs.json", "--replace")
    assert (replaced.code, replaced.out) == (0, "b  replaced\n")
    assert held()["b"].issue == "another thing"


def test_what_cannot_be_read_is_told_and_stops_no_other_one(here: Path) -> None:
    (here / "theirs.json").write_text(
        '{"schema_version": "2", "skills": {"a": {"issue": 7}, "b": {"issue": "x", "insight": "y"}}}'
    )
    ran = skillbook("import", "theirs.json")
    value = answer("import", "theirs.json", code=1)

    assert (ran.code, ran.out) == (1, "b\n")
    assert ran.err.startswith("not read skill `a`: its issue is ")
    assert [each["became"] for each in value["skills"]] == ["there"]
    assert [problem["place"] for problem in value["problems"]] == ["skill `a`"]


def test_skills_of_others_may_have_to_wait_for_a_review() -> None:
    written(skill("a"), at=Path("theirs.json"))
    skillbook("import", "theirs.json", "--hold-back")

    assert (held()["a"].active, held()["a"].review) == (False, "pending")
    assert [each["id"] for each in answer("review")["skills"]] == ["a"]


def test_a_secret_in_them_is_told_and_stays() -> None:
    key = "sk-proj-" + "a1B2c3D4" * 6
    written(skill("a", f"The key is {key}."), at=Path("theirs.json"))
    ran = skillbook("import", "-", typed=Path("theirs.json").read_text())

    assert (ran.code, ran.out) == (0, "a\n")
    assert ran.err.startswith("secret something in `a` looks like one, and is kept as it is\n")
    assert key in held()["a"].issue
    assert key not in ran.err


def test_json_is_about_a_file() -> None:
    story()
    ran = skillbook("export", "--json")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("gg skillbook export: --json says where the book was written to; name a FILE")


NO_BOOKS = ["", "{", "[]", '{"a": 1}', '{"schema_version": "3", "skills": {}}', "[" * 200_000]


@pytest.mark.parametrize("text", NO_BOOKS)
def test_what_is_no_book_is_refused(text: str, here: Path) -> None:
    story()
    before = BOOK.read_text()
    (here / "theirs.json").write_text(text)
    piped, named = skillbook("import", "-", typed=text), skillbook("import", "theirs.json")

    assert (piped.code, piped.out, named.code, named.out) == (1, "", 1, "")
    assert piped.err.startswith("gg: what stdin holds is no skillbook: ")
    assert named.err.startswith("gg: G6_E_SKILLBOOK_FILE: `")
    assert BOOK.read_text() == before


def test_a_file_that_is_not_there_is_named() -> None:
    ran = skillbook("import", "none.json")

    assert (ran.code, ran.out) == (1, "")
    assert "none.json` is not there; name a file that is" in ran.err
