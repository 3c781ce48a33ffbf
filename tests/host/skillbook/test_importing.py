"""The skills of one book, taken into another."""

import json

import pytest

from host.skillbook import Skillbook, import_skills, state_of
from tests.helpers.skillbooks import book_of, own, skill

V1 = {
    "skills": {
        "export-00001": {
            "id": "export-00001",
            "section": "Export Files",
            "content": "Write to a temporary file.",
            "helpful": 3,
            "x_team": "ops",
        }
    },
    "sections": {"Export Files": ["export-00001"]},
    "next_id": 1,
    "similarity_decisions": {},
    "x_team": "ops",
}


def became(book: Skillbook, other: Skillbook, **options: bool) -> dict[str, str]:
    return {each.skill_id: each.became for each in import_skills(book, other, **options)}


def test_what_is_there_is_not_overwritten() -> None:
    book = book_of(skill("a"), skill("b", "one thing"))
    other = book_of(skill("a"), skill("b", "another thing"), skill("c"))

    assert became(book, other) == {"a": "there", "b": "kept", "c": "added"}
    assert own(book, "b").issue == "one thing"
    assert became(book, other, replaces=True) == {"a": "there", "b": "replaced", "c": "there"}
    assert own(book, "b").issue == "another thing"


def test_what_could_not_be_read_keeps_its_id() -> None:
    book = Skillbook.from_dict({"schema_version": "2", "skills": {"a": 7}})

    assert became(book, book_of(skill("a")), replaces=True) == {"a": "kept"}
    assert book.to_dict()["skills"] == {"a": 7}


def test_what_was_active_may_have_to_wait() -> None:
    book, other = book_of(), book_of(skill("a"), skill("b", active=False))

    assert became(book, other, holds_back=True) == {"a": "added", "b": "added"}
    assert [state_of(each) for each in book.skills(include_invalid=True)] == ["held back", "removed"]
    assert became(book, other, holds_back=True) == {"a": "there", "b": "there"}


def test_what_was_merged_into_a_skill_that_is_another_one_here_does_not_lead_to_it() -> None:
    book = book_of(skill("a", "one thing", helpful_count=5))
    merged = {"active": False, "helpful_count": 2}
    other = book_of(
        skill("a", "another thing"),
        skill("b", merged_into="a", **merged),
        skill("c", merged_into="d", **merged),
        skill("d"),
    )

    import_skills(book, other)

    assert [(each.id, state_of(each)) for each in book.skills(include_invalid=True)] == [
        ("a", "active"),
        ("b", "removed"),
        ("c", "merged"),
        ("d", "active"),
    ]
    assert book.restore("b").ok
    assert own(book, "a").helpful_count == 5


def test_decisions_come_along_where_both_skills_say_what_they_said_there() -> None:
    other = book_of(skill("a"), skill("b"), skill("c"))
    for one, two in ("ab", "ac"):
        other.set_similarity_decision(one, two, "other contexts", similarity=9_000, measure="lexical/1")
    book = book_of(skill("b", "says something else"))

    import_skills(book, other)

    assert list(book.decisions) == [frozenset("ac")]
    assert book.has_keep_decision("a", "c")


def test_a_decision_that_is_there_stays() -> None:
    book, other = (book_of(skill("a"), skill("b")) for _ in range(2))
    book.set_similarity_decision("a", "b", "mine")
    other.set_similarity_decision("a", "b", "theirs")

    import_skills(book, other)

    assert book.decisions[frozenset("ab")].reasoning == "mine"


def test_a_new_book_has_all_of_the_first_format_that_the_other_had() -> None:
    book = book_of()

    import_skills(book, Skillbook.from_dict(V1))

    assert Skillbook.from_dict(json.loads(json.dumps(book.to_dict()))).to_dict("v1") == V1


def test_fields_that_nobody_knows_come_along_where_there_are_none() -> None:
    book = Skillbook.from_dict({"schema_version": "2", "skills": {}, "x_team": "dev", "x_a": 1})
    book.put(skill("a"))

    import_skills(book, Skillbook.from_dict(V1 | {"x_b": 2}))

    written = book.to_dict()
    assert (written["x_team"], written["x_a"], written["x_b"]) == ("dev", 1, 2)
    assert written["gg"]["v1"]["export-00001"]["x_team"] == "ops"
    assert "v1_top" not in written["gg"]


@pytest.mark.parametrize("number", [3, 40])
def test_new_ids_begin_after_those_of_both(number: int) -> None:
    book, other = book_of(), Skillbook.from_dict(V1 | {"next_id": number})
    book.add_skill("context", "a", insight="b")

    import_skills(book, other)

    assert book.add_skill("context", "c", insight="d").skill_id == f"context-{number + 1:05d}"
