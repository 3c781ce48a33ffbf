"""A book on the disk: what is saved, and what is left as it was."""

import json
from pathlib import Path

import pytest

from host.skillbook import BOOK, BookFile, Done, Refused, Skillbook
from tests.helpers.skillbooks import book_of, skill

V1 = {
    "skills": {"batch-00001": {"id": "batch-00001", "section": "Batch", "content": "Wait"}},
    "sections": {"Batch": ["batch-00001"]},
    "next_id": 1,
    "similarity_decisions": {},
}


NO_BOOK = "is no skillbook, and stays as it is: it has neither skills nor bullets"


def add(skill_id: str, book: Skillbook) -> Done:
    return book.add_skill("context", "The lock is held", insight="Wait", skill_id=skill_id)


def test_a_file_that_is_not_there_is_an_empty_book_until_something_changes(tmp_path: Path) -> None:
    file = BookFile(tmp_path / "books" / "book.json")

    assert file.read().skillbook.skills() == []
    assert not file.path.parent.exists()
    assert file.apply(lambda book: add("a,b", book)).ok is False
    assert not file.path.exists()
    assert file.apply(lambda book: add("a", book)).ok
    assert [each.id for each in file.read().skillbook.skills()] == ["a"]


def test_each_change_is_of_the_book_as_it_is_then(tmp_path: Path) -> None:
    one, other = BookFile(tmp_path / "book.json"), BookFile(str(tmp_path / "book.json"))

    one.apply(lambda book: add("a", book))
    other.apply(lambda book: add("b", book))
    one.apply(lambda book: book.tag_skill("b", 1))

    assert [each.id for each in other.read().skillbook.skills()] == ["a", "b"]
    assert other.read().skillbook.skills()[1].helpful_count == 1


def test_what_changes_nothing_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    path.write_text(json.dumps(V1))  # not as gg lays it out

    assert BookFile(path).apply(lambda book: book.tag_skill("none", 1)).ok is False

    assert json.loads(path.read_text()) == V1
    assert "\n" not in path.read_text()


def test_a_change_that_fails_saves_nothing(tmp_path: Path) -> None:
    file = BookFile(tmp_path / "book.json")
    file.apply(lambda book: add("a", book))
    before = file.path.read_bytes()

    def fail(book: Skillbook) -> None:
        add("b", book)
        raise RuntimeError("the model went away")

    with pytest.raises(RuntimeError, match="the model went away"):
        file.apply(fail)

    assert file.path.read_bytes() == before
    assert file.apply(lambda book: add("b", book)).ok  # and holds no lock


def test_a_book_of_the_first_format_becomes_one_of_the_second_by_a_change(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    path.write_text(json.dumps(V1))

    assert BookFile(path).apply(lambda book: book.tag_skill("batch-00001", 1)).ok

    written = json.loads(path.read_text())
    assert written["schema_version"] == "2"
    assert written["skills"]["batch-00001"]["helpful_count"] == 1
    assert written["gg"]["v1"] == V1["skills"]


def test_one_bad_skill_is_told_and_the_rest_is_there(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    payload = book_of(skill("a"), skill("b")).to_dict()
    payload["skills"]["a"]["issue"] = 5
    path.write_text(json.dumps(payload))

    loaded = BookFile(path).read()

    assert list(map(str, loaded.problems)) == ["skill `a`: its issue is `5`, not a text"]
    assert [each.id for each in loaded.skillbook.skills()] == ["b"]
    BookFile(path).apply(lambda book: book.tag_skill("b", 1))
    assert json.loads(path.read_text())["skills"]["a"] == payload["skills"]["a"]


CUTS = [1, 0.5, 0.999]


@pytest.mark.parametrize("part", CUTS)
def test_a_file_that_is_cut_off_is_refused_and_stays_as_it_is(tmp_path: Path, part: float) -> None:
    whole = json.dumps(book_of(*(skill(f"s-{n}") for n in range(20))).to_dict())
    path = tmp_path / "book.json"
    content = whole[: 1 if part == 1 else int(len(whole) * part)]
    path.write_text(content)

    for use in (lambda: BookFile(path).read(), lambda: BookFile(path).apply(lambda book: add("a", book))):
        with pytest.raises(Refused, match="is no whole JSON, and stays as it is") as refused:
            use()
        assert refused.value.code == BOOK

    assert path.read_text() == content
    with pytest.raises(Refused):
        Skillbook().save_to_file(path)
    assert path.read_text() == content


def test_json_that_is_no_book_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    path.write_text('{"servers": []}')

    with pytest.raises(Refused, match=NO_BOOK):
        BookFile(path).apply(lambda book: add("a", book))
    with pytest.raises(Refused, match=NO_BOOK):
        Skillbook.load_from_file(path)

    assert path.read_text() == '{"servers": []}'
