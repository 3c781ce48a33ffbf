"""When a decision to keep two skills apart stands, and what opens it again."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from host.skillbook import (
    BookFile,
    Ended,
    Lexical,
    Reopened,
    SimilarityDecision,
    Skillbook,
    embedding_text,
    is_settled,
    reopened,
    tend_decisions,
    text_hash,
)
from host.skillbook.json_file import write_json
from tests.helpers.skillbooks import START, book_of, own, skill, source

PAIR = frozenset("ab")
LEXICAL = "lexical/1"
A, B = skill("a", "the lock is held in batch"), skill("b", "the lock is held in real time")


def settled(similarity: int | None = 8_000, measure: str = LEXICAL) -> Skillbook:
    book = book_of(A, B)
    assert book.set_similarity_decision("a", "b", "differ", similarity=similarity, measure=measure).ok
    return book


def measured_as(figure: int) -> Any:  # noqa: ANN401 - a measure
    return lambda one, other: figure


def test_a_pair_that_was_never_decided_is_neither_settled_nor_open_again() -> None:
    book = book_of(A, B)

    assert not book.has_keep_decision("a", "b")
    assert not is_settled(book, PAIR, 10_000, LEXICAL)
    assert reopened(book, PAIR, 10_000, LEXICAL) is None


def test_a_decision_survives_its_file(tmp_path: Path) -> None:
    file = BookFile(tmp_path / "book.json")
    file.apply(lambda book: [book.put(each) for each in (A, B)])
    file.apply(
        lambda book: book.set_similarity_decision("a", "b", "differ", similarity=8_000, measure=LEXICAL)
    )

    again = BookFile(tmp_path / "book.json").read().skillbook

    assert again.has_keep_decision("b", "a")
    assert is_settled(again, PAIR, 8_000, LEXICAL)


SIDES = [("a", "`a`"), ("b", "`b`")]


@pytest.mark.parametrize(("id_", "side"), SIDES)
@pytest.mark.parametrize("field", ["issue", "insight"])
def test_a_changed_text_opens_it_again_and_is_named(id_: str, side: str, field: str) -> None:
    book = settled()
    book.update_skill(id_, **{field: "something else"})  # type: ignore[arg-type]

    opened = reopened(book, PAIR, 8_000, LEXICAL)

    assert opened == Reopened(pair=PAIR, changed=(id_,))
    assert str(opened) == f"the text of {side} changed since the two were kept apart"
    assert not is_settled(book, PAIR, 8_000, LEXICAL)
    assert not book.has_keep_decision("a", "b")


def test_both_sides_are_named_where_both_changed() -> None:
    book = settled()
    for id_ in "ab":
        book.update_skill(id_, insight="something else")

    assert str(reopened(book, PAIR, 8_000, LEXICAL)) == (
        "the text of `a` and `b` changed since the two were kept apart"
    )


SAME = [
    {"insight": "  wait\n for \u00a0it "},
    {"keywords": ("other",)},
    {"helpful_count": 9, "occurrences": (source("1"),)},
    {"scope": "shop"},
]


@pytest.mark.parametrize("fields", SAME)
def test_what_says_the_same_leaves_it_settled(fields: dict[str, Any]) -> None:
    book = settled()
    book.put(replace(A, **fields))

    assert is_settled(book, PAIR, 8_000, LEXICAL)
    assert book.has_keep_decision("a", "b")


def test_a_text_that_is_composed_otherwise_is_the_same_text() -> None:
    book = book_of(replace(A, issue="the café closes"), B)
    book.set_similarity_decision("a", "b", "differ")
    book.put(replace(A, issue="the cafe\u0301 closes"))

    assert book.has_keep_decision("a", "b")


DRIFTS = [
    (8_000, 8_500, True),
    (8_000, 8_501, False),
    (8_000, 8_600, False),
    (8_000, 2_000, True),
    (9_600, 10_000, True),
]


@pytest.mark.parametrize(("was", "now", "stands"), DRIFTS)
def test_a_similarity_that_rose_by_more_than_500_opens_it_again(was: int, now: int, stands: bool) -> None:
    book = settled(was)

    assert is_settled(book, PAIR, now, LEXICAL) is stands
    assert book.has_keep_decision("a", "b")


def test_a_drift_is_told_with_both_figures() -> None:
    opened = reopened(settled(8_235), PAIR, 8_835, LEXICAL)

    assert opened == Reopened(pair=PAIR, was=8_235, now=8_835)
    assert str(opened) == "similarity rose from 0.8235 to 0.8835"


def test_figures_of_two_measures_are_not_compared() -> None:
    assert is_settled(settled(1_000, "embeddings/1"), PAIR, 10_000, LEXICAL)
    assert is_settled(settled(None), PAIR, 10_000, LEXICAL)


def test_a_pass_stamps_what_another_measure_or_none_has_measured() -> None:
    for book in (settled(1_000, "embeddings/1"), settled(None)):
        tended = tend_decisions(book, LEXICAL, measured_as(9_000))

        assert (tended.stamped, tended.ended) == ((PAIR,), ())
        assert (book.decisions[PAIR].similarity, book.decisions[PAIR].measure) == (9_000, LEXICAL)
        assert (book.decisions[PAIR].reasoning, book.decisions[PAIR].decided_at) == ("differ", START)
        assert not is_settled(book, PAIR, 9_501, LEXICAL)


def test_a_pass_leaves_what_the_same_measure_has_measured() -> None:
    book = settled(8_000)

    assert tend_decisions(book, LEXICAL, measured_as(8_400)).stamped == ()
    assert not is_settled(book, PAIR, 8_501, LEXICAL)  # small steps add up


def test_a_pass_stamps_nothing_where_a_text_changed() -> None:
    book = settled(None)
    book.update_skill("a", insight="something else")

    assert tend_decisions(book, LEXICAL, measured_as(9_000)).stamped == ()
    assert reopened(book, PAIR, 9_000, LEXICAL) == Reopened(pair=PAIR, changed=("a",))


def test_a_pass_measures_the_embedding_texts() -> None:
    book = settled(None)
    asked: list[tuple[str, str]] = []

    tend_decisions(book, LEXICAL, lambda one, other: asked.append((one, other)) or 1)  # type: ignore[func-returns-value]

    assert asked == [(embedding_text(A), embedding_text(B))]


def test_a_decision_about_what_was_merged_or_purged_ends_and_is_told() -> None:
    book = settled()
    book.put(replace(B, active=False, merged_into="c"))

    tended = tend_decisions(book, LEXICAL, measured_as(8_000))

    assert tended.ended == (Ended(pair=PAIR, skill_id="b", merged_into="c"),)
    assert str(tended.ended[0]) == "`b` was merged into `c`, so nothing keeps it apart from `a`"
    assert book.decisions == {}

    gone = SimilarityDecision(reasoning="r", decided_at="d")
    book = Skillbook([A], decisions={PAIR: gone})
    assert not book.has_keep_decision("a", "b")
    assert list(map(str, tend_decisions(book, LEXICAL, measured_as(1)).ended)) == [
        "`b` is gone, so nothing keeps it apart from `a`"
    ]


def test_a_decision_stays_after_a_removal() -> None:
    book = settled()
    book.remove_skill("b")

    assert tend_decisions(book, LEXICAL, measured_as(8_000)).ended == ()
    book.restore("b")
    assert is_settled(book, PAIR, 8_000, LEXICAL)


def test_a_decision_about_a_skill_that_could_not_be_read_stays() -> None:
    payload = settled().to_dict()
    payload["skills"]["b"]["issue"] = 5

    book = Skillbook.from_dict(payload)

    assert tend_decisions(book, LEXICAL, measured_as(8_000)).ended == ()
    assert set(book.decisions) == {PAIR}


def unmeasured(tmp_path: Path) -> BookFile:
    """A book as ACE writes one: nothing of gg's, and a similarity that nobody measured."""
    payload = settled(None).to_dict()
    del payload["gg"]
    assert payload["similarity_decisions"]["a,b"]["similarity_at_decision"] == 0.0
    write_json(tmp_path / "book.json", payload)
    return BookFile(tmp_path / "book.json")


def test_a_decision_of_aces_is_about_the_texts_as_they_are_read_as_similar_as_they_are(
    tmp_path: Path,
) -> None:
    decision = unmeasured(tmp_path).read().skillbook.decisions[PAIR]

    assert decision.hashes == {"a": text_hash(A), "b": text_hash(B)}
    assert (decision.similarity, decision.measure) == (
        Lexical().similarity(embedding_text(A), embedding_text(B)),
        LEXICAL,
    )


def test_the_first_change_of_a_file_keeps_what_its_decisions_are_about(tmp_path: Path) -> None:
    file = unmeasured(tmp_path)
    file.apply(lambda book: book.tag_skill("none", 1))  # changes nothing by itself

    def edited(book: Skillbook) -> None:
        book.put(replace(own(book, "a"), issue="something else"))

    file.apply(edited)

    again = file.read().skillbook
    assert reopened(again, PAIR, 8_000, LEXICAL) == Reopened(pair=PAIR, changed=("a",))


def test_a_similarity_of_nothing_that_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    file = BookFile(tmp_path / "book.json")
    file.apply(lambda book: [book.put(skill("a", "x", insight="y")), book.put(skill("b", "v", insight="w"))])
    file.apply(lambda book: book.set_similarity_decision("a", "b", "r", similarity=0, measure="embeddings/1"))
    before = file.path.read_bytes()

    decision = file.read().skillbook.decisions[PAIR]

    assert (decision.similarity, decision.measure) == (0, "embeddings/1")
    file.apply(lambda book: book.tag_skill("none", 1))
    assert file.path.read_bytes() == before
