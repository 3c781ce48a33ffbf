"""Counting, escaping, near names and sizes, at their boundaries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.text import (
    count_lines,
    escape_controls,
    escape_line,
    fenced,
    format_over,
    format_size,
    has_lone_surrogate,
    join_words,
    nearest,
    place_of_control,
    quoted,
    utf8_length,
)

ESCAPED = [
    pytest.param("plain", "plain", id="plain"),
    pytest.param("a\tb\nc", "a\tb\nc", id="tab and line feed stay"),
    pytest.param("a\0b", "a\\u0000b", id="NUL"),
    pytest.param("a\r\nb", "a\\u000d\nb", id="CRLF"),
    pytest.param("\x1b[31mred", "\\u001b[31mred", id="terminal sequence"),
    pytest.param("\x7f\x80\x9f\xa0", "\\u007f\\u0080\\u009f\xa0", id="delete and C1, not the space after"),
    pytest.param("\u2028\u2029", "\\u2028\\u2029", id="line and paragraph separators"),
    pytest.param("\u061c\u200e\u200f", "\\u061c\\u200e\\u200f", id="direction marks"),
    pytest.param("\u202a\u202e\u2066\u2069", "\\u202a\\u202e\\u2066\\u2069", id="bidirectional overrides"),
    pytest.param("\ud800\udfff", "\\ud800\\udfff", id="surrogates"),
    pytest.param(
        "\N{WOMAN}\u200d\N{PERSONAL COMPUTER} ü",
        "\N{WOMAN}\u200d\N{PERSONAL COMPUTER} ü",
        id="a joined emoji stays",
    ),
]


@pytest.mark.parametrize(("text", "expected"), ESCAPED)
def test_control_characters_are_spelled(text: str, expected: str) -> None:
    assert escape_controls(text) == expected


@given(st.text(st.characters()))
def test_an_escaped_text_has_nothing_left_to_escape(text: str) -> None:
    escaped = escape_controls(text)

    assert escape_controls(escaped) == escaped
    assert not has_lone_surrogate(escaped)


def test_an_escaped_line_is_one_line() -> None:
    assert escape_line("a\tb\nc\r") == "a\\u0009b\\u000ac\\u000d"


@given(st.text(st.characters()))
def test_the_place_of_a_control_character_is_where_a_line_would_be_escaped(text: str) -> None:
    place = place_of_control(text)

    kept = text if place is None else text[:place]
    assert escape_line(kept) == kept
    assert place is None or escape_line(text[place]) != text[place]


QUOTED = [
    pytest.param("a.txt", "`a.txt`", id="plain"),
    pytest.param("", "``", id="empty"),
    pytest.param("a\nb", "`a\\u000ab`", id="escaped"),
    pytest.param("a`. Do it. `b", "`` a`. Do it. `b ``", id="with backticks"),
    pytest.param("a```", "```` a``` ````", id="with several backticks"),
    pytest.param("x" * 120, f"`{'x' * 120}`", id="at the cut"),
    pytest.param("x" * 121, f"`{'x' * 120}…`", id="over the cut"),
]


@pytest.mark.parametrize(("text", "expected"), QUOTED)
def test_a_quoted_text_is_one_short_line(text: str, expected: str) -> None:
    assert quoted(text) == expected


SURROGATES = [
    pytest.param("", False, id="empty"),
    pytest.param("\N{GRINNING FACE}", False, id="a whole pair"),
    pytest.param("a\ud83d", True, id="high half"),
    pytest.param("\ude00a", True, id="low half"),
]


@pytest.mark.parametrize(("text", "expected"), SURROGATES)
def test_half_a_pair_is_found(text: str, expected: bool) -> None:
    assert has_lone_surrogate(text) is expected


LINES = [
    pytest.param("", 1, id="empty"),
    pytest.param("a", 1, id="no line feed"),
    pytest.param("a\n", 1, id="a line feed at the end begins no line"),
    pytest.param("\n", 1, id="one empty line"),
    pytest.param("a\nb", 2, id="two"),
    pytest.param("a\r\nb\r\n", 2, id="CRLF"),
    pytest.param("a\n\n", 2, id="an empty line counts"),
    pytest.param("a\rb\x0bc\x85d\u2028e", 1, id="a line feed alone ends a line"),
]


@pytest.mark.parametrize(("text", "expected"), LINES)
def test_lines_are_counted(text: str, expected: int) -> None:
    assert count_lines(text) == expected


BYTES = [
    pytest.param("", 0, id="empty"),
    pytest.param("a", 1, id="one byte"),
    pytest.param("é", 2, id="two bytes"),
    pytest.param("\N{GRINNING FACE}", 4, id="four bytes of one character"),
    pytest.param("\ud800", 3, id="lone surrogate"),
]


@pytest.mark.parametrize(("text", "size"), BYTES)
def test_bytes_of_a_text(text: str, size: int) -> None:
    assert utf8_length(text) == size


SIZES = [
    (0, "0 bytes"),
    (1, "1 byte"),
    (1023, "1023 bytes"),
    (1024, "1 KiB"),
    (1536, "1.5 KiB"),
    (65_536, "64 KiB"),
    (2**20 - 1, "1 MiB"),
    (2**20, "1 MiB"),
    (9_646_899, "9.2 MiB"),
    (2**30, "1 GiB"),
    (5 * 2**40, "5120 GiB"),
]


@pytest.mark.parametrize(("size", "expected"), SIZES)
def test_a_size_has_one_decimal_at_most(size: int, expected: str) -> None:
    assert format_size(size) == expected


OVER = [
    pytest.param(9_646_899, "9.2 MiB, limit 8 MiB", id="apart"),
    pytest.param(8 * 2**20 + 1, "8,388,609 bytes, limit 8,388,608 bytes", id="rounded alike"),
]


@pytest.mark.parametrize(("size", "expected"), OVER)
def test_a_size_over_a_limit_never_looks_like_the_limit(size: int, expected: str) -> None:
    assert format_over(size, 8 * 2**20) == expected


KNOWN = ("readFile", "readTextFile", "writeFile", "listDir", "openText")
NEAR = [
    pytest.param("readfile", ("readFile", "readTextFile", "writeFile"), id="case is ignored, best first"),
    pytest.param("listdirs", ("listDir",), id="one"),
    pytest.param("zzz", (), id="none"),
    pytest.param("", (), id="empty"),
    pytest.param("readFile" * 1_000_000, (), id="megabytes long"),
]


@pytest.mark.parametrize(("name", "expected"), NEAR)
def test_near_names(name: str, expected: tuple[str, ...]) -> None:
    assert nearest(name, KNOWN) == expected


def test_near_names_are_as_many_as_asked_for_and_each_once() -> None:
    assert nearest("openText", ("openText", "OPENTEXT", "openTexts"), count=2) == ("openText", "openTexts")
    assert nearest("openText", ()) == ()


WORDS = [
    ((), ""),
    (("a",), "a"),
    (("a", "b"), "a and b"),
    (("a", "b", "c"), "a, b and c"),
]


@pytest.mark.parametrize(("words", "expected"), WORDS)
def test_words_are_joined(words: tuple[str, ...], expected: str) -> None:
    assert join_words(words) == expected
    assert join_words(words, "or") == expected.replace(" and ", " or ")


FENCED = [
    ("text", "```\ntext\n```"),
    ("a `b` and ``c``", "```\na `b` and ``c``\n```"),
    ("```ts\na();\n````", "`````\n```ts\na();\n````\n`````"),
]


@pytest.mark.parametrize(("text", "expected"), FENCED)
def test_a_fence_is_longer_than_any_within(text: str, expected: str) -> None:
    assert fenced(text) == expected
