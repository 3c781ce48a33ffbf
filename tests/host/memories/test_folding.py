"""A text as a search compares it, and the places of the original that a place in it stands for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.memories.folding import fold, original_span

TRAPS = (
    "aI\u0130\u0131i\u00df\u1e9e\ufb01\ufb03\u03a3\u03c3\u03c2e\u00e9\u0301\u0327\u0345\u00c5\u212b"
    "\uac00\u1100\u1161\u11a8\uac01\u304b\u3099\u304c"
    "\u0915\u093c\u093f\u0dd9\u0dca\u0dcf\u05e9\u05c1"
    "\u200d\U0001f469\ufe0f \n"
)
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
    pytest.param("ab\u0327\u0301c", "c", "c", id="after several marks"),
]


@pytest.mark.parametrize(("text", "keyword", "shown"), SPANS)
def test_a_place_is_mapped_back_to_whole_characters(text: str, keyword: str, shown: str) -> None:
    folded = fold(text)
    at = folded.index(keyword)

    start, end = original_span(text, folded, at, at + len(keyword))

    assert text[start:end] == shown


def test_a_place_that_the_text_does_not_have() -> None:
    with pytest.raises(ValueError, match="the folded text has no character 2"):
        original_span("e\u0301x", fold("e\u0301x"), 2, 3)


@given(st.text(st.sampled_from(TRAPS) | st.characters(exclude_categories=["Cs"]), max_size=12), st.data())
def test_what_is_mapped_back_shows_what_was_found(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    if not folded:
        return
    start = data.draw(st.integers(0, len(folded) - 1))
    end = data.draw(st.integers(start + 1, len(folded)))

    begin, stop = original_span(text, folded, start, end)

    assert 0 <= begin < stop <= len(text)
    assert fold(text[:begin]) + fold(text[begin:stop]) + fold(text[stop:]) == folded
    assert len(fold(text[:begin])) <= start
    assert end <= len(fold(text[:stop]))
    assert folded[start:end] in fold(text[begin:stop])
