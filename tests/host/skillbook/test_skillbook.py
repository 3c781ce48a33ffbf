"""What may be done to skills, and why nothing is."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from host.skillbook import Done, Refused, Skill, Skillbook
from host.testing.clock import FakeClock
from tests.helpers.skillbooks import START, book_of, own, skill, source


def ok(skill_id: str | None, did: str) -> Done:
    return Done(ok=True, skill_id=skill_id, did=did)


def test_a_skill_that_is_added_has_an_id_of_its_section() -> None:
    book = Skillbook(clock=FakeClock())

    added = book.add_skill(
        "context",
        "  The lock is held ",
        keywords=["Two  Words", "lock", "LOCK", " "],
        insight=" Wait for it ",
        insight_source=[source("1"), source("1")],
        scope="shop",
        evidence_is="host",
    )

    assert added == ok("context-00001", "added context-00001")
    assert book.skills() == [
        Skill(
            id="context-00001",
            section="context",
            issue="The lock is held",
            insight="Wait for it",
            keywords=("two_words", "lock"),
            occurrences=(source("1"),),
            created_at=START,
            updated_at=START,
            scope="shop",
            evidence_is="host",
        )
    ]
    assert book.add_skill("harness", "x").skill_id == "harness-00002"
    assert own(book, "harness-00002").keywords == ("harness",)
    assert book.add_skill("harness", "x", skill_id="mine").skill_id == "mine"


UNSOUND: list[tuple[dict[str, object], str]] = [
    ({"section": "batch"}, "section `batch` is none of context and harness"),
    ({"issue": " "}, "the issue is empty; say what the situation is"),
    ({"insight": ""}, "the insight is empty; say what to do about it"),
    ({"issue": "a \ud83d"}, "a text of it holds a lone surrogate, which is half a character; take it out"),
    ({"skill_id": "a,b"}, "the id `a,b` holds a comma, by which a file joins two ids; leave it out"),
    ({"skill_id": ""}, "the id `` is empty, has white space around it or half a character in it"),
    ({"skill_id": " a"}, "the id ` a` is empty, has white space around it or half a character in it"),
    ({"scope": "*"}, "`*` is no scope; name one, or none for everywhere"),
    ({"scope": " "}, "` ` is no scope; name one, or none for everywhere"),
    ({"skill_id": "a"}, "there is a skill `a` already; update it, or add another id"),
]


@pytest.mark.parametrize(("fields", "why"), UNSOUND)
def test_a_skill_that_is_unsound_is_not_added(fields: dict[str, object], why: str) -> None:
    book = book_of(skill("a"))
    before = book.contents

    refused = book.add_skill(**{"section": "context", "issue": "x", "insight": "y", **fields})  # type: ignore[arg-type]

    assert (refused.ok, refused.why) == (False, why)
    assert book.contents == before


def test_an_update_keeps_the_id_and_what_is_not_named() -> None:
    book = book_of(skill("a", helpful_count=2))

    assert book.update_skill("a", insight="Ask who holds it", insight_source=source("2")) == ok(
        "a", "updated a"
    )
    assert own(book, "a") == skill(
        "a", helpful_count=2, insight="Ask who holds it", occurrences=(source("2"),)
    )
    assert book.update_skill("a", keywords=["New one"], issue="x").ok
    assert (own(book, "a").keywords, own(book, "a").issue) == (("new_one",), "x")


TAGS = [(1, "helpful"), (0, "neutral"), (-1, "harmful")]


@pytest.mark.parametrize(("delta", "name"), TAGS)
def test_a_tag_is_counted_and_decides_nothing(delta: int, name: str) -> None:
    book = book_of(skill("a"))

    for _ in range(100):
        assert book.tag_skill("a", delta, insight_source=source("1")) == ok("a", f"tagged a {name}")  # type: ignore[arg-type]

    assert book.skills() == [skill("a", occurrences=(source("1"),), **{f"{name}_count": 100})]


def test_uses_are_counted_of_what_runs_may_see() -> None:
    book = book_of(
        skill("a"), skill("b", active=False), skill("old", active=False, merged_into="a"), skill("c")
    )

    assert book.mark_used(["a", "b", "old", "c", "none", "a"]) == ok(None, "counted a use of a and c")
    assert [each.used_count for each in book.skills(include_invalid=True)] == [1, 0, 0, 1]
    assert book.mark_used(["b"]).why == "none of them is an active skill"


def test_a_removal_keeps_the_skill_with_its_reason_and_is_undone() -> None:
    book = book_of(skill("a", helpful_count=3, occurrences=(source("1"),)))

    assert book.remove_skill("a", insight_source=source("2", "misleads")) == ok(
        "a", "removed a; restore undoes it"
    )
    assert book.skills() == []
    assert book.skills(include_invalid=True) == [
        skill("a", helpful_count=3, occurrences=(source("1"), source("2", "misleads")), active=False)
    ]
    assert book.restore("a") == ok("a", "restored a")
    assert book.skills() == [skill("a", helpful_count=3, occurrences=(source("1"), source("2", "misleads")))]


def test_a_purge_drops_the_skill_and_every_decision_about_it() -> None:
    book = book_of(skill("a"), skill("b"), skill("c"))
    for one, other in (("a", "b"), ("a", "c"), ("b", "c")):
        book.set_similarity_decision(one, other, "differ")

    assert book.remove_skill("a", soft=False) == ok("a", "purged a and 2 decisions about it")
    assert set(book.decisions) == {frozenset("bc")}
    assert book.own("a") is None
    assert book.purge("a").why == "there is no skill `a`"
    assert book.purge("b") == ok("b", "purged b and 1 decision about it")


def test_a_skill_on_untrusted_evidence_is_held_back_until_it_is_accepted() -> None:
    book = Skillbook()

    assert book.add_skill("harness", "x", evidence_is="untrusted") == ok(
        "harness-00001", "added harness-00001, held back until it is accepted"
    )
    assert book.skills() == []
    held = own(book, "harness-00001")
    assert (held.active, held.review) == (False, "pending")
    assert book.accept("harness-00001").ok
    assert [each.id for each in book.skills()] == ["harness-00001"]
    assert own(book, "harness-00001").evidence_is == "untrusted"


def test_an_update_on_untrusted_evidence_holds_the_skill_back() -> None:
    book = book_of(skill("a", evidence_is="host"))

    assert book.update_skill("a", insight="x", evidence_is="untrusted").did == (
        "updated a, held back until it is accepted"
    )
    assert book.skills() == []
    assert book.update_skill("a", insight="y", evidence_is="host").ok  # says nothing of what it said before
    held = own(book, "a")
    assert (held.evidence_is, held.review, held.active) == ("untrusted", "pending", False)


def test_what_a_skill_said_before_an_update_comes_back_by_nothing() -> None:
    book = book_of(skill("a", evidence_is="host"))

    book.update_skill("a", insight="x", evidence_is="untrusted")

    assert book.remove_skill("a").ok
    assert book.restore("a").ok
    assert book.accept("a").ok
    assert own(book, "a").insight == "x"


def test_what_was_removed_before_it_was_accepted_is_held_back_when_it_is_restored() -> None:
    book = book_of(skill("a", active=False, review="pending", evidence_is="untrusted"))

    assert book.remove_skill("a").ok
    assert own(book, "a").review == "rejected"
    assert book.accept("a").why == "a is not held back"
    assert book.restore("a") == ok("a", "restored a, held back until it is accepted")
    assert book.skills() == []
    assert book.accept("a").ok
    assert book.remove_skill("a").ok
    assert book.restore("a") == ok("a", "restored a")
    assert len(book.skills()) == 1


GONE = skill("gone", active=False)
OLD = skill("old", active=False, merged_into="a")
REFUSED: list[tuple[Callable[[Skillbook], Done], str]] = [
    (lambda book: book.update_skill("none", issue="x"), "there is no skill `none`"),
    (lambda book: book.update_skill("a", issue=" "), "the issue is empty; say what the situation is"),
    (lambda book: book.update_skill("a", insight=" "), "the insight is empty; say what to do about it"),
    (lambda book: book.update_skill("a", keywords=[" "]), "there are no keywords; give one or more"),
    (lambda book: book.update_skill("a"), "it says so already, and nothing of it changes"),
    (lambda book: book.update_skill("gone", issue="x"), "gone is removed; restore it first"),
    (lambda book: book.update_skill("old", issue="x"), "old was merged into a; name that one"),
    (lambda book: book.tag_skill("none", 1), "there is no skill `none`"),
    (lambda book: book.tag_skill("a", 2), "delta 2 is none of 1, 0 and -1"),  # type: ignore[arg-type]
    (lambda book: book.tag_skill("a", True), "delta True is none of 1, 0 and -1"),  # type: ignore[arg-type]
    (lambda book: book.remove_skill("none"), "there is no skill `none`"),
    (lambda book: book.remove_skill("gone"), "gone is removed already"),
    (lambda book: book.remove_skill("old"), "old was merged into a; name that one"),
    (lambda book: book.restore("none"), "there is no skill `none`"),
    (lambda book: book.restore("a"), "a is not removed"),
    (lambda book: book.accept("none"), "there is no skill `none`"),
    (lambda book: book.accept("a"), "a is not held back"),
    (lambda book: book.purge("none"), "there is no skill `none`"),
    (lambda book: book.mark_used([]), "none of them is an active skill"),
    (
        lambda book: book.set_similarity_decision("a", "a", "r"),
        "a skill is kept apart from another one, not from itself",
    ),
    (lambda book: book.set_similarity_decision("a", "none", "r"), "there is no skill `none`"),
    (lambda book: book.set_similarity_decision("a", "old", "r"), "old was merged into a; name that one"),
]


@pytest.mark.parametrize(("operation", "why"), REFUSED)
def test_what_is_refused_changes_nothing(operation: Callable[[Skillbook], Done], why: str) -> None:
    book = book_of(skill("a"), GONE, OLD)
    before = book.contents

    refused = operation(book)

    assert (refused.ok, refused.did, refused.why) == (False, "", why)
    assert book.contents == before


def test_an_id_that_was_merged_leads_to_the_skill_that_it_was_merged_into() -> None:
    book = book_of(skill("a"), OLD, skill("older", active=False, merged_into="old"))

    assert book.get_skill("older") == skill("a")
    assert book.tag_skill("older", 1).skill_id == "a"
    assert own(book, "a").helpful_count == 1
    assert book.get_skill("none") is None


def test_ids_that_lead_in_a_circle_lead_nowhere_for_long() -> None:
    book = book_of(skill("a", merged_into="b"), skill("b", merged_into="a"), skill("c", merged_into="c"))

    assert book.get_skill("a") == skill("b", merged_into="a")
    assert book.get_skill("c") == skill("c", merged_into="c")
    assert book.restore("a").ok


def test_a_new_number_is_given_to_nobody_twice() -> None:
    book = book_of(skill("context-00001"))

    assert book.add_skill("context", "x", insight="y").skill_id == "context-00002"
    assert book.purge("context-00002").ok
    assert book.add_skill("context", "x", insight="y").skill_id == "context-00003"


def test_a_book_is_saved_where_it_was_loaded_from(tmp_path: Path) -> None:
    path = tmp_path / "books" / "book.json"
    book = book_of(skill("a"))

    book.save_to_file(path)
    book.tag_skill("a", 1)
    book.save_to_file(str(path))

    again = Skillbook.load_from_file(path)
    assert again.skills() == [skill("a", helpful_count=1)]
    again.save_to_file(path)


def test_a_book_is_not_saved_over_what_another_has_written(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    book_of(skill("a")).save_to_file(path)
    one, other = Skillbook.load_from_file(path), Skillbook.load_from_file(path)
    one.add_skill("context", "x", insight="y", skill_id="one")
    one.save_to_file(path)
    other.add_skill("context", "x", insight="y", skill_id="other")

    with pytest.raises(Refused, match="holds what this book was not read from"):
        other.save_to_file(path)

    assert [each.id for each in Skillbook.load_from_file(path).skills()] == ["a", "one"]
    other.save_to_file(tmp_path / "other.json")


def test_a_file_that_is_not_there_is_no_book(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is not there; name a file that is, or begin a new book"):
        Skillbook.load_from_file(tmp_path / "book.json")


def test_a_skill_may_be_replaced_as_it_is() -> None:
    book = book_of(skill("a"))
    book.put(replace(own(book, "a"), scope="shop"))

    assert book.skills(scope="shop") == [skill("a", scope="shop")]
