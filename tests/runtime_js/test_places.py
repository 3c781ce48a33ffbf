"""Positions as esbuild gives them, against a count one character at a time."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_js.places import Place, SourceText

TEXTS = st.text(alphabet="ab \t\r\n\u2028\u2029é字😀\ufeff", max_size=40)
SCRIPT_BREAK = re.compile(r"\r\n|[\r\n\u2028\u2029]")

PLACES = [
    pytest.param("a\nbc", 3, Place("a.ts", 2, 2), id="second line"),
    pytest.param("a\r\nbc", 4, Place("a.ts", 2, 2), id="carriage return and line feed"),
    pytest.param("a\rbc", 3, Place("a.ts", 2, 2), id="carriage return"),
    pytest.param("a\u2028bc", 3, Place("a.ts", 1, 4), id="line separator breaks no line"),
    pytest.param("😀é\tx", 3, Place("a.ts", 1, 4), id="characters, not units"),
    pytest.param("a(\n\n  ", 6, Place("a.ts", 1, 3), id="the end is after the last word"),
    pytest.param("a", 99, Place("a.ts", 1, 2), id="beyond the end"),
    pytest.param("", 0, Place("a.ts", 1, 1), id="empty"),
    pytest.param("\n\n", 2, Place("a.ts", 1, 1), id="blank"),
]


@pytest.mark.parametrize(("text", "offset", "expected"), PLACES)
def test_an_offset_has_a_place(text: str, offset: int, expected: Place) -> None:
    assert SourceText("a.ts", text).place(offset) == expected


def test_a_line_comes_without_its_break() -> None:
    source = SourceText("a.ts", "one\r\ntwo\rthree\u2028\n")

    assert [source.line(number) for number in range(1, 5)] == ["one", "two", "three\u2028", ""]


@given(TEXTS, st.data())
def test_bytes_and_utf16_lead_to_the_same_offset(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":
        offset -= 1
    lines = SCRIPT_BREAK.split(text[:offset])
    column = lines[-1]
    source = SourceText("a.ts", text)

    assert source.offset_of_bytes(len(lines), len(column.encode())) == offset
    assert source.offset_of_utf16(len(lines), len(column.encode("utf-16-le")) // 2) == offset


def test_within_a_line_break_is_the_end_of_the_line() -> None:
    source = SourceText("a.ts", "ab\r\ncd\r\n")

    assert [source.place(offset) for offset in (2, 3, 4, 7)] == [
        Place("a.ts", 1, 3),
        Place("a.ts", 1, 3),
        Place("a.ts", 2, 1),
        Place("a.ts", 2, 3),
    ]


@given(TEXTS, st.integers(1, 60), st.integers(0, 200))
def test_every_position_leads_somewhere(text: str, line: int, column: int) -> None:
    source = SourceText("a.ts", text)

    for offset in (source.offset_of_bytes(line, column), source.offset_of_utf16(line, column)):
        place = source.place(offset)
        assert 0 <= offset <= len(text)
        assert place.column <= len(source.line(place.line)) + 1
