"""One place of a text is replaced; what is told where there is none, or where there are several."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.replacement import NotOnce, replace_once

REPLACED = [
    pytest.param("one two three", "two", "2", "one 2 three", id="within a line"),
    pytest.param("a\nb\nc\n", "b\n", "", "a\nc\n", id="an empty text takes it out"),
    pytest.param("a\nb\nc", "a\nb", "x\ny\nz", "x\ny\nz\nc", id="lines"),
    pytest.param("last", "last", "last\nand more", "last\nand more", id="appended"),
    pytest.param("price: 5", "5", r"$& \1 $1 \n \g<0>", r"price: $& \1 $1 \n \g<0>", id="the new is literal"),
    pytest.param("a.c abc", "a.c", "x", "x abc", id="the old is literal"),
    pytest.param("\ufeffone\r\ntwo\rthree", "one\r\ntwo", "x", "\ufeffx\rthree", id="mark and line ends"),
    pytest.param("é😀\0", "😀", "ü", "éü\0", id="characters and NUL"),
    pytest.param("cafe\u0301", "e\u0301", "é", "café", id="code points, not how they look"),
    pytest.param("x", "x", "", "", id="the whole text"),
    pytest.param("abab", "abab", "ab", "ab", id="the whole text, which overlaps itself"),
]


@pytest.mark.parametrize(("text", "old", "new", "expected"), REPLACED)
def test_the_one_place_is_replaced(text: str, old: str, new: str, expected: str) -> None:
    assert replace_once(text, old, new) == expected


@given(st.text("ab\n", max_size=14), st.text("ab\n", min_size=1, max_size=5), st.text("abc", max_size=3))
def test_it_agrees_with_a_look_at_every_place(text: str, old: str, new: str) -> None:
    places = [at for at in range(len(text)) if text[at : at + len(old)] == old]
    replaced = replace_once(text, old, new)

    if len(places) == 1:
        assert replaced == text[: places[0]] + new + text[places[0] + len(old) :]
        return
    assert isinstance(replaced, NotOnce)
    assert replaced.places == len(places)
    if places:
        lines = list(dict.fromkeys(text[:at].count("\n") + 1 for at in places[:5]))
        assert replaced.told.startswith(f"occurs {len(places)} times, ")
        assert [int(number) for number in replaced.told.replace(",", " ").split() if number.isdigit()] == [
            len(places),
            *lines,
        ]


SEVERAL = [
    pytest.param("aaa", "aa", 2, "occurs 2 times, in line 1", id="overlapping"),
    pytest.param("a\nb\na\nb", "a", 2, "occurs 2 times, in lines 1 and 3", id="apart"),
    pytest.param("x\n\naa aa\nb", "aa", 2, "occurs 2 times, in line 3", id="one line"),
    pytest.param("a\na\n" * 2 + "a", "a", 5, "occurs 5 times, in lines 1, 2, 3, 4 and 5", id="all shown"),
    pytest.param(
        "a\n" * 1200, "a", 1200, "occurs 1,200 times, first in lines 1, 2, 3, 4 and 5", id="the first shown"
    ),
    pytest.param(
        "aa\n" * 6 + "aaa",
        "aa",
        8,
        "occurs 8 times, first in lines 1, 2, 3, 4 and 5",
        id="overlap comes late",
    ),
    pytest.param(
        "a" * 9_999 + "\n" + "aa",
        "aa",
        9_999,
        "occurs 9,999 times, first in line 1",
        id="as many as are counted one by one",
    ),
    pytest.param("a" * 30_001, "aa", 15_000, "occurs at least 15,000 times, first in line 1", id="too many"),
    pytest.param(
        "a" * 2**20, "a" * 2**19, 32, "occurs at least 32 times, first in line 1", id="long ones that overlap"
    ),
]


@pytest.mark.parametrize(("text", "old", "places", "told"), SEVERAL)
def test_several_places_are_counted_and_the_first_lines_named(
    text: str, old: str, places: int, told: str
) -> None:
    assert replace_once(text, old, "x") == NotOnce(places, told)


def test_no_place_is_told_with_what_comes_near() -> None:
    assert replace_once("alpha\nbeta", "betta", "x") == NotOnce(
        0, "does not occur in it; the closest is line 2, `beta`"
    )
    assert replace_once("alpha", "omega", "x") == NotOnce(0, "does not occur in it")
