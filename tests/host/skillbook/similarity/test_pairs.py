from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.skillbook.similarity import Compared, Lexical, SimilarPair, similar_pairs

LEXICAL = Lexical()
TEXTS = [
    "wait for the lock",
    "wait for a lock",
    "send the order",
    "order is sent",
    "設備の点検",
    "設備を点検する",
    "🚀",
    "...",
]

SKILLS = st.lists(
    st.tuples(
        st.sampled_from(TEXTS), st.sampled_from(["context", "harness"]), st.sampled_from([None, "a", "b"])
    ),
    max_size=12,
).map(
    lambda drawn: [
        Compared(id=f"s-{n:05}", text=text, section=section, scope=scope)
        for n, (text, section, scope) in enumerate(drawn)
    ]
)


def skill(id_: str, text: str, *, section: str = "context", scope: str | None = None) -> Compared:
    return Compared(id=id_, text=text, section=section, scope=scope)


def naive(skills: Sequence[Compared], *, across_sections: bool) -> Iterator[SimilarPair]:
    for one, other in combinations(sorted(skills, key=lambda each: each.id), 2):
        near = across_sections or one.section == other.section
        seen_together = one.scope is None or other.scope is None or one.scope == other.scope
        similarity = LEXICAL.similarity(one.text, other.text)
        if near and seen_together and similarity >= LEXICAL.threshold:
            yield SimilarPair(first_id=one.id, second_id=other.id, similarity=similarity)


@given(SKILLS, st.booleans())
def test_pairs_are_those_of_comparing_each_with_each(skills: list[Compared], across_sections: bool) -> None:
    found = similar_pairs(skills, LEXICAL, across_sections=across_sections)
    expected = sorted(
        naive(skills, across_sections=across_sections),
        key=lambda pair: (-pair.similarity, pair.first_id, pair.second_id),
    )

    assert (found.pairs, found.is_whole) == (tuple(expected), True)


def test_fifty_skills_that_say_the_same_are_all_pairs_of_them() -> None:
    found = similar_pairs([skill(f"c-{n:05}", "wait for the lock") for n in range(50)], LEXICAL)

    assert len(found.pairs) == 50 * 49 // 2
    assert {pair.similarity for pair in found.pairs} == {10_000}


def test_a_pair_of_two_sections_is_one_only_across_sections() -> None:
    skills = [skill("a", "wait for it"), skill("b", "wait for it", section="harness")]

    assert similar_pairs(skills, LEXICAL).pairs == ()
    assert similar_pairs(skills, LEXICAL, across_sections=True).pairs == (
        SimilarPair(first_id="a", second_id="b", similarity=10_000),
    )


SCOPES = [
    pytest.param(None, "a", True, id="everywhere and one scope"),
    pytest.param("a", "a", True, id="one scope"),
    pytest.param("a", "b", False, id="two scopes"),
]


@pytest.mark.parametrize(("one", "other", "is_pair"), SCOPES)
def test_skills_that_no_run_sees_together_are_no_pair(
    one: str | None, other: str | None, is_pair: bool
) -> None:
    skills = [skill("a", "wait for it", scope=one), skill("b", "wait for it", scope=other)]

    assert bool(similar_pairs(skills, LEXICAL).pairs) is is_pair


def test_what_is_not_offered_is_left_out_and_told_its_similarity() -> None:
    asked: list[tuple[str, str, int]] = []

    def offered(first: str, second: str, similarity: int) -> bool:
        asked.append((first, second, similarity))
        return first != "a"

    found = similar_pairs([skill(id_, "wait for it") for id_ in "cba"], LEXICAL, offered=offered)

    assert [(pair.first_id, pair.second_id) for pair in found.pairs] == [("b", "c")]
    assert sorted(asked) == [("a", "b", 10_000), ("a", "c", 10_000), ("b", "c", 10_000)]


def test_of_more_pairs_than_are_held_the_most_similar_stay() -> None:
    texts = [
        "wait for the lock of the file",
        "wait for the lock of a file",
        "wait for the lock",
        "wait for the file",
    ]
    skills = [skill(f"s{n}", text) for n, text in enumerate(texts)]
    whole = similar_pairs(skills, LEXICAL, threshold=3_500)
    some = similar_pairs(skills, LEXICAL, threshold=3_500, max_pairs=2)

    assert (some.pairs, some.is_whole) == (whole.pairs[:2], False)
    assert len(whole.pairs) == 6


def test_skills_that_say_the_same_do_not_take_more_room_than_there_is() -> None:
    found = similar_pairs([skill(f"s-{n}", "wait") for n in range(100)], LEXICAL, max_pairs=10)

    assert (len(found.pairs), found.is_whole) == (10, False)


def test_skills_that_the_measure_cannot_read_are_named() -> None:
    found = similar_pairs([skill("a", "..."), skill("b", "wait"), skill("c", "...")], LEXICAL)

    assert (found.compared, found.unread) == (1, ("a", "c"))
    assert found.pairs == (SimilarPair(first_id="a", second_id="c", similarity=10_000),)
