"""What two spellings of a text have in common, in time proportional to the text."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.unicode_text import MAX_MARKS, nfc, nfkc, visible

UNSEEN = [
    pytest.param("a\u200bb\u200c\u200d\u2060\ufeff", "ab", id="zero width"),
    pytest.param("co\u00adop", "coop", id="soft hyphen"),
    pytest.param("\u202eab\u202c\u2066c\u2069\u200f\u061c", "abc", id="direction"),
    pytest.param("❤\ufe0f ☎\ufe0e \U000e0100", "❤ ☎ ", id="variations"),
    pytest.param("x\U000e0041\U000e007f", "x", id="tags"),
    pytest.param("\u3164\u115f\u1160\uffa0\u034f", "", id="fillers and joiners"),
    pytest.param(
        "a b\u3000c\td\ud800\u0301", "a b\u3000c\td\ud800\u0301", id="what is seen, or is white space"
    ),
]


@pytest.mark.parametrize(("text", "seen"), UNSEEN)
def test_what_is_not_seen_is_dropped(text: str, seen: str) -> None:
    assert visible(text) == seen


MARKS = [
    pytest.param("e\u0301", "é", id="one"),
    pytest.param("e" + "\u0301" * 99 + "x", "é" + "\u0301" * (MAX_MARKS - 1) + "x", id="too many"),
    pytest.param("e" + "\u0334" * 99, "e" + "\u0334" * MAX_MARKS, id="too many of another class"),
    pytest.param("\U0001f680" * 99 + "-" * 99, "\U0001f680" * 99 + "-" * 99, id="no marks"),
    pytest.param(
        "\uff9e\u0334" * 99, "\u0334" * (MAX_MARKS // 2) + "\u3099" * (MAX_MARKS // 2), id="of half width"
    ),
]


@pytest.mark.parametrize(("text", "expected"), MARKS)
def test_marks_on_one_letter_are_bounded(text: str, expected: str) -> None:
    assert nfkc(text) == expected


@given(st.text(max_size=MAX_MARKS))
def test_a_text_with_few_marks_is_nfkc(text: str) -> None:
    assert nfkc(text) == unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize(
    "unit", ["\u0301\u0316", "\u0301\u0301\u0334", "\uff9e\u0334", "\u3099\u0334", "\u0344\u0345"]
)
def test_a_million_marks_are_sorted(unit: str) -> None:
    # In an hour, were they sorted as one run.
    assert len(nfkc("a" + unit * 500_000)) <= 4 * MAX_MARKS


@pytest.mark.slow
def test_every_character_that_becomes_a_mark_counts_as_one() -> None:
    missed = [
        hex(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.combining(unicodedata.normalize("NFKD", chr(code))[0])
        and len(nfkc("a" + chr(code) * 99)) > 4 * MAX_MARKS
    ]

    assert missed == []


# With marks that come apart to others, and letters that begin with a mark of no class.
AROUND_MARKS = st.sampled_from(
    "a e\u0301\u0327\u0315\u0300\u0344\u0f71\u0f72\u0f73\u0f74\u05b0\u0591\u1100\u1161é\u3099か\uff9e"
)


@given(st.text(AROUND_MARKS, min_size=MAX_MARKS, max_size=5 * MAX_MARKS) | st.text())
def test_nfc_is_that_of_unicode(text: str) -> None:
    assert nfc(text) == unicodedata.normalize("NFC", text)


def test_nfc_sorts_marks_however_many_there_are() -> None:
    """Of a million the usual way takes a quarter of an hour."""
    assert nfc("a" + "\u0315\u0300" * 500_000) == "à" + "\u0300" * 499_999 + "\u0315" * 500_000
