"""A text as a search compares it, and the places of the original that a place in it stands for."""

import pytest

from host.memories.folding import fold, original_span

FOLDED = [
    ("Straße", "strasse"),
    ("STRASSE", "strasse"),
    ("İ", "i\u0307"),
    ("\u0131", "\u0131"),
    ("ΟΔΟΣ", "οδοσ"),
    ("οδος", "οδοσ"),
    ("ﬁle", "file"),
    ("cafe\u0301", "caf\u00e9"),
    ("CAFÉ", "caf\u00e9"),
    ("\u212bngström", "ångström"),
    ("\u1112\u1161\u11ab", "\ud55c"),
    ("か\u3099", "が"),
    ("설비 點檢", "설비 點檢"),
]


@pytest.mark.parametrize(("text", "folded"), FOLDED)
def test_a_text_is_composed_and_without_case(text: str, folded: str) -> None:
    assert fold(text) == folded


ACUTE, DOT_BELOW = "\u0301", "\u0323"  # in this order they are not as they are composed


def test_marks_are_ordered_so_many_at_once_however_many_there_are() -> None:
    begins = "e" + "x" * 500
    ordered = DOT_BELOW * 15 + ACUTE * 15

    assert fold(begins + (ACUTE + DOT_BELOW) * 31) == begins + ordered * 2 + DOT_BELOW + ACUTE
    assert fold((ACUTE + DOT_BELOW) * 150_000) == ordered * 10_000


def test_marks_that_come_apart_to_several_are_marks() -> None:
    assert fold("x" * 500 + "\u0f73" * 30 + "\u0f71") == "x" * 500 + "\u0f71" * 30 + "\u0f72" * 30 + "\u0f71"


SPANS = [
    pytest.param("one two", "two", "two", id="ASCII"),
    pytest.param("ÀÉ two", "two", "two", id="composed"),
    pytest.param("A\u0300E\u0301 two", "two", "two", id="decomposed before it"),
    pytest.param("Straße two", "two", "two", id="a longer one before it"),
    pytest.param("İİİ two", "two", "two", id="dotted capitals before it"),
    pytest.param("the café", "café", "café", id="composed, asked composed"),
    pytest.param("the cafe\u0301!", "café", "cafe\u0301", id="decomposed, asked composed"),
    pytest.param("die Straße", "strasse", "Straße", id="all of a sharp s"),
    pytest.param("die Straße", "stras", "Straß", id="half of a sharp s"),
    pytest.param("die Straße", "se", "ße", id="the other half"),
    pytest.param("a ﬁle", "ile", "ﬁle", id="half of a ligature"),
    pytest.param("x İ y", "\u0307", "İ", id="a dot alone"),
    pytest.param(
        "x \u1112\u1161\u11ab\u1100\u1173\u11af y", "글", "\u1100\u1173\u11af", id="conjoining Hangul"
    ),
    pytest.param("か\u3099き\u3099く\u3099", "ぎ", "き\u3099", id="kana with marks"),
    pytest.param("ΟΔΟΣ ὁδός", "όσ", "ός", id="final sigma"),
    pytest.param("xq\u0327y", "q", "q\u0327", id="with the mark on it"),
    pytest.param("xq\u0327\u0302y", "\u0302", "q\u0327\u0302", id="a mark is where its character is"),
    pytest.param("\u0327x", "\u0327", "\u0327", id="a mark on nothing"),
    pytest.param("ab\u0327\u0301c", "c", "c", id="after several marks"),
]


@pytest.mark.parametrize(("text", "keyword", "shown"), SPANS)
def test_a_place_is_mapped_back_to_whole_characters(text: str, keyword: str, shown: str) -> None:
    folded = fold(text)
    at = folded.index(keyword)

    start, end = original_span(text, folded, at, at + len(keyword))

    assert text[start:end] == shown


def test_a_place_in_a_long_text_is_found() -> None:
    text = "\u0130" + "設" * 100_000 + "e\u0301!" + (ACUTE + DOT_BELOW) * 50_000
    folded = fold(text)

    assert original_span(text, folded, 100_002, 100_003) == (100_001, 100_003)
    assert original_span(text, folded, 100_003, 100_005) == (100_003, len(text))


def test_a_place_that_the_text_does_not_have() -> None:
    with pytest.raises(ValueError, match="the folded text has no character 2"):
        original_span("e\u0301x", fold("e\u0301x"), 2, 3)
