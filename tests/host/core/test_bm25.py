"""BM25: what a score is, and how far repetition carries."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from host.core.bm25 import K1, B, idf, scores, weight

REPEATS = 50


def test_the_parameters() -> None:
    assert (K1, B) == (0.9, 0.4)


IDFS = [(1, 1, math.log(4 / 3)), (10, 1, math.log(1 + 9.5 / 1.5)), (10, 10, math.log(1 + 0.5 / 10.5))]


@pytest.mark.parametrize(("count", "df", "expected"), IDFS)
def test_the_worth_of_a_term(count: int, df: int, expected: float) -> None:
    assert idf(count, df) == expected > 0


WEIGHTS = [
    pytest.param(1, 8, 8.0, 1.0, id="once in a document as long as others"),
    pytest.param(1, 16, 8.0, 1.9 / 2.26, id="in a longer one"),
    pytest.param(3, 4, 8.0, 5.7 / 3.72, id="more often in a shorter one"),
]


@pytest.mark.parametrize(("tf", "length", "average_length", "expected"), WEIGHTS)
def test_the_weight_of_a_term(tf: int, length: int, average_length: float, expected: float) -> None:
    assert weight(tf, length, average_length) == pytest.approx(expected, rel=1e-15)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.floats(1, 10**6))
def test_repetition_adds_less_and_less(tf: int, length: int, average_length: float) -> None:
    assert weight(tf, length, average_length) <= weight(tf + 1, length, average_length) < K1 + 1


def test_scores_are_summed_in_the_order_of_the_query() -> None:
    documents = [["a", "b", "a", "c"], ["b"], ["d"], []]
    average = 1.5

    assert scores(["b", "a", "x", "b"], documents) == [
        idf(4, 2) * weight(1, 4, average) + idf(4, 1) * weight(2, 4, average),
        idf(4, 2) * weight(1, 1, average),
        0.0,
        0.0,
    ]


NOTHING = [([], [["a"]], [0.0]), (["a"], [], []), (["a"], [[], []], [0.0, 0.0])]


@pytest.mark.parametrize(("query", "documents", "expected"), NOTHING)
def test_nothing_scores_nothing(query: list[str], documents: list[list[str]], expected: list[float]) -> None:
    assert scores(query, documents) == expected


def test_age_is_nothing_of_a_score() -> None:
    documents = [["refund", "parcel"], *([f"lunch{n}", "friday", "refund"] for n in range(60))]
    query = ["refund", "parcel"]

    assert scores(query, documents) == scores(query, documents[::-1])[::-1]


def least_worth_of_the_others(length: int, average_length: float) -> float:
    """How much the other words of a query have to be worth together, in units of the repeated one's worth, so
    that a document of that length which has each once comes before any number of repetitions.

    The bound follows from `weight(tf, …) < K1 + 1`.
    """
    return K1 * (1 - B + B * length / average_length)


WORDS = ["w0", "w1", "w2", "w3", "w4"]
DOCUMENTS = st.lists(st.lists(st.sampled_from([*WORDS, "x", "y", "z"]), min_size=1, max_size=20), max_size=40)


@given(DOCUMENTS, st.integers(2, 5), st.integers(0, 40), st.integers(0, 4), st.integers(1, 200))
def test_one_repeated_word_comes_after_all_words_that_are_worth_enough(
    others: list[list[str]], query_length: int, filler: int, repeated: int, repeats: int
) -> None:
    query = WORDS[:query_length]
    word = query[repeated % query_length]
    documents = [query + ["x"] * filler, [word] * repeats, *others]
    average = sum(map(len, documents)) / len(documents)
    worth = {term: idf(len(documents), sum(term in document for document in documents)) for term in query}
    needed = least_worth_of_the_others(len(documents[0]), average) * worth[word]
    assume(sum(worth.values()) - worth[word] >= needed)

    relevant, repeating = scores(query, documents)[:2]

    assert relevant > repeating


@pytest.mark.parametrize("count", [0, 2, 60, 5_000])
@pytest.mark.parametrize("length", [2, 8, 12])
def test_fifty_times_a_word_comes_after_two_words_that_are_as_rare(count: int, length: int) -> None:
    others = [[f"other{n}"] * 8 for n in range(count)]
    documents = [["refund", "parcel"] + ["x"] * (length - 2), ["refund"] * REPEATS, *others]

    relevant, repeating = scores(["refund", "parcel"], documents)[:2]

    assert relevant > repeating


LIMITS = [
    pytest.param(["refund"], 60, ["note"] * 8, id="one word"),
    pytest.param(["refund", "note"], 60, ["note"] * 8, id="the other word is in most documents"),
    pytest.param(["refund", "parcel"], 60, ["other"] * 3, id="the document is four times as long as others"),
]


@pytest.mark.parametrize(("query", "count", "other"), LIMITS)
def test_where_fifty_times_a_word_comes_first(query: list[str], count: int, other: list[str]) -> None:
    relevant = ["refund", "parcel", "note", *["x"] * 12]
    documents = [relevant, ["refund"] * REPEATS, *[other] * count]

    found, repeating = scores(query, documents)[:2]

    assert found < repeating
