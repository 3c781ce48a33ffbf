import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.skillbook.similarity import Lexical
from host.skillbook.similarity.idf_table import idf_table

LEXICAL = Lexical()

SIMILARITIES = [
    pytest.param("設備", "設備", 10_000, id="the same in a script without spaces"),
    pytest.param("設備", "設備!", 10_000, id="the same to its words"),
    pytest.param("設備の点検", "設備の停止", 4_417, id="half of it in a script without spaces"),
    pytest.param("café", "cafe\u0301", 10_000, id="two spellings of an accent"),
    pytest.param("café", "tea", 0, id="nothing in common"),
    pytest.param("🚀", "🚀", 10_000, id="emoji"),
    pytest.param("🚀", "🛰", 0, id="another emoji"),
    pytest.param("?!", "...", 0, id="no words"),
    pytest.param("?!", "?!", 10_000, id="no words, and the same"),
    pytest.param("", "wait", 0, id="nothing"),
    pytest.param("retry the upload", "retries of uploads", 8_734, id="stems"),
]

WORDS = st.lists(
    st.sampled_from(["wait", "retry", "file", "the", "設備", "café", "🚀", "order_id", "!"]), max_size=8
)


@pytest.mark.parametrize(("a", "b", "expected"), SIMILARITIES)
def test_similarity_in_ten_thousandths(a: str, b: str, expected: int) -> None:
    assert (LEXICAL.similarity(a, b), LEXICAL.similarity(b, a)) == (expected, expected)


@given(st.text(), st.text())
def test_a_similarity_is_one_of_two_texts_in_either_order(a: str, b: str) -> None:
    similarity = LEXICAL.similarity(a, b)

    assert 0 <= similarity <= 10_000
    assert similarity == LEXICAL.similarity(b, a)


@given(WORDS.flatmap(lambda words: st.tuples(st.just(words), st.permutations(words))))
def test_the_order_of_words_does_not_count(texts: tuple[list[str], list[str]]) -> None:
    one, other = map(" ".join, texts)

    assert LEXICAL.similarity(one, other) == (10_000 if LEXICAL.reads(one) or one == other else 0)


def test_a_similarity_is_the_formula_of_the_measure() -> None:
    table = idf_table()
    twice, once, other = 2 * 2.2 / 3.2 * table.word("file"), table.word("file"), table.word("wait")
    words = twice * once / (math.hypot(twice, other) * once)
    of_file = [table.gram(gram) for gram in ("|fil", "file", "ile|")]
    of_wait = [table.gram(gram) for gram in ("|wai", "wait", "ait|")]
    twice_of_file = [2 * 2.2 / 3.2 * worth for worth in of_file]
    dot = sum(a * b for a, b in zip(of_file, twice_of_file, strict=True))
    grams = dot / (math.hypot(*of_file) * math.hypot(*twice_of_file, *of_wait))

    assert LEXICAL.similarity("file file wait", "file") == round(10_000 * (0.7 * words + 0.3 * grams))


@given(st.lists(WORDS.map(" ".join), max_size=30, unique=True), st.integers(3_500, 10_000))
def test_pairs_are_those_of_comparing_each_with_each(texts: list[str], least: int) -> None:
    expected = {
        (one, other, similarity)
        for other in range(len(texts))
        for one in range(other)
        if (similarity := LEXICAL.similarity(texts[one], texts[other])) >= least
    }
    found = list(LEXICAL.pairs(texts, least))

    assert (set(found), len(found)) == (expected, len(expected))


def test_a_least_that_words_in_common_do_not_follow_from_is_refused() -> None:
    with pytest.raises(
        ValueError,
        match=r"a least similarity of 0\.3499 is below 0\.3500, from where on lexical/1 finds pairs",
    ):
        list(LEXICAL.pairs(["a", "b"], 3_499))


READ = [("wait", True), ("設備", True), ("🚀", True), ("...", False), ("", False)]


@pytest.mark.parametrize(("text", "is_read"), READ)
def test_a_text_is_read_that_has_a_word(text: str, is_read: bool) -> None:
    assert LEXICAL.reads(text) is is_read
