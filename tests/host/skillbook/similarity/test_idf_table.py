import json
from collections import Counter

import pytest

from host.skillbook.similarity.idf_table import idf_table
from tests.helpers import idf_table as making

WORTHS = [
    pytest.param("the", 2, id="the most frequent word"),
    pytest.param("not", 18, id="a negation"),
    pytest.param("file", 25, id="a word of the trade"),
    pytest.param("geocod", 96, id="a word that is not in it"),
    pytest.param("設備", 96, id="two characters"),
    pytest.param("設", 48, id="one character of a script without spaces"),
    pytest.param("🚀", 96, id="emoji"),
]


@pytest.mark.parametrize(("word", "worth"), WORTHS)
def test_what_a_word_is_worth_in_tenths(word: str, worth: int) -> None:
    assert idf_table().word(word) == worth


def test_what_a_gram_is_worth_in_tenths() -> None:
    assert [idf_table().gram(gram) for gram in ("the|", "ing|", "|設備|")] == [2, 7, 81]


def test_nothing_in_the_table_is_worth_more_than_what_is_not() -> None:
    table = idf_table()

    assert (max(table.words.values()), max(table.grams.values())) == (93, 80)
    assert (len(table.words), len(table.grams)) == (14155, 17573)


def test_terms_are_counted_by_the_texts_that_have_them() -> None:
    bands = making._bands(Counter({"a": 900, "b": 900, "c": 10, "d": 2}), 1000, 3)

    assert bands == {"unknown": 60, "1": "a b", "46": "c"}


def test_a_docstring_is_cut_between_paragraphs_and_sessions_are_left_out() -> None:
    paragraph = " ".join(["word"] * 30)
    text = f"{paragraph}\n\n>>> 1 + 1\n2\n\n{paragraph}\n\n{paragraph}\n\nthe end"

    assert [len(part.split()) for part in making._cut(text)] == [60, 32]


@pytest.mark.slow
def test_the_table_comes_out_the_same_where_its_sources_are_the_same() -> None:
    made, kept = json.loads(making.table()), json.loads(making.TABLE.read_text(encoding="utf-8"))
    if made["made_of"] != kept["made_of"] or made["terms"] != kept["terms"]:
        pytest.skip("other versions are installed than the table was made of")

    assert made == kept
