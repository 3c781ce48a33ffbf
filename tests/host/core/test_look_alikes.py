"""Texts that look alike fold into one."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.look_alikes import _LETTERS, fold

FOLDED = [
    pytest.param("  Plain \t\n text ", "plain text", id="white space and case"),
    pytest.param("a\u00a0\u3000\u2028b", "a b", id="white space of Unicode"),
    pytest.param("Claud\u0435", "claude", id="Cyrillic"),
    pytest.param("\u0421\u04cf\u0430ud\u0435 \u0405\u0443\u0455t\u0435m", "claude system", id="more of it"),
    pytest.param("\u0391gent \u039f\u03c1\u03b5\u03bdAI", "agent opevai", id="Greek"),
    pytest.param("\u039cODEL \u039dew s\u0397ow", "model new show", id="Greek capitals beside Latin letters"),
    pytest.param("\u03f2laude \u03f9laude", "claude claude", id="lunate sigma"),
    pytest.param("m\u0585del h\u057dman", "model human", id="Armenian"),
    pytest.param("\u13aagent \uab7agent", "agent agent", id="Cherokee"),
    pytest.param("t\u2c9f\u2c9fl \ua4d4ool \U0001042cpus", "tool tool opus", id="Coptic, Lisu and Deseret"),
    pytest.param("\u1d1b\u1d0f\u1d0f\u029f \u0262\u1d18\u1d1b", "tool gpt", id="small capitals"),
    pytest.param("\uff21\uff29 \U0001d40c\U0001d4f8\U0001d555el \u24d0i", "ai model ai", id="NFKC"),
    pytest.param("\U0001f150\U0001f176ent", "agent", id="white on black"),
    pytest.param("a\u200bg\u00ade\ufeffn\u2060t\ufe0f \u202etool\U000e0041", "agent tool", id="not seen"),
    pytest.param("Z\u0337\u0322a\u0338l\u035dg\u0335o m\u0300odel", "zalgo model", id="marks by the dozen"),
    pytest.param("José Àgent ØLE \u0141ukasz \u0456\u0308", "jose agent ole lukasz i", id="accents"),
    pytest.param("\u0130stanbul Straße \ufb01le", "istanbul strasse file", id="letters taken apart"),
    pytest.param("don\u2019t \u201cx\u201d a\u2014b\u2212c", "don't \"x\" a-b-c", id="quotes and dashes"),
    pytest.param("gpt-4o l1I0O", "gpt-4o l1i0o", id="digits are no letters"),
    pytest.param("\u041c\u043e\u0434\u0435\u043b\u044c \u0439", "mo\u0434e\u043bb \u0439", id="Russian"),
    pytest.param("強い \uff76\uff9e \ud55c \u0939\u093f \u0e01\u0e47", "強い ガ 한 हि ก็", id="other scripts"),
    pytest.param("\ud800x", "\ud800x", id="lone surrogate"),
    pytest.param("\u200b \u00ad", "", id="nothing is seen"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "folded"), FOLDED)
def test_a_text_is_folded(text: str, folded: str) -> None:
    assert fold(text) == folded


CAPITALS = "\u0397\u039c\u039d\u03a5\u03f2\u03f9\u03d2"  # which pass for another letter than the small ones
APART = [("5 µs", "5 ms"), ("ok", "0k"), ("l", "1"), ("強", "弱"), ("no", "on"), ("a b", "ab"), ("и", "n")]


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_says_something_else_stays_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize(("letters", "latin"), _LETTERS)
def test_the_table_is_of_letters_as_they_are_when_they_are_looked_up(letters: str, latin: str) -> None:
    assert [fold(letter) for letter in letters] == list(latin)
    assert len(set(letters)) == len(letters)


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_spellings_of_one_text_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(text)
    assert fold(f" {text}\n\u200b") == fold(text)


@pytest.mark.slow
def test_every_character_folds_for_good_whatever_its_case() -> None:
    for char in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.category(char) in {"Cn", "Co"}:
            continue
        for text in (char, f"x{char}", f"{char}x"):
            folded = fold(text)
            assert fold(folded) == folded, ascii(text)
            assert fold(text.casefold()) == folded or char in CAPITALS, ascii(text)


@pytest.mark.parametrize(
    "unit", ["\u0435", "e\u0301", "\u0301\u0316", " \u00a0", "\u200b", "\u039cx", "\ud55c", "a"]
)
def test_a_hostile_text_is_folded(unit: str) -> None:
    # In minutes, were any of it quadratic.
    assert len(fold(unit * 200_000)) <= len(unit) * 200_000
