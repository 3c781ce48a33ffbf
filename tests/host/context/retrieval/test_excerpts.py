"""An excerpt is cut around the line that holds most of the keywords, and shows no part of a secret."""

from hypothesis import given
from hypothesis import strategies as st

from host.context.retrieval.excerpts import EXCERPT_CHARS, Excerpt, excerpt, masked_cut
from host.core.scrubbing import scrub

KEY = "sk-abcdefghijklmnopqrstuv"
LINES = "\n".join(f"line {number:03}" for number in range(1, 101))  # each of eight characters


def cut(text: str, *wanted: str, max_chars: int = EXCERPT_CHARS) -> tuple[str, int, int]:
    found = excerpt(text, wanted, max_chars=max_chars)
    assert found is not None
    return found.text, found.first_line, found.last_line


def test_a_short_text_is_given_whole() -> None:
    assert cut("one\ntwo parser\nthree\n", "parser") == ("one\ntwo parser\nthree", 1, 3)


def test_lines_on_both_sides_as_many_as_fit() -> None:
    assert cut(LINES, "050", max_chars=27) == ("line 049\nline 050\nline 051", 49, 51)
    assert cut(LINES, "050", max_chars=25) == ("line 050\nline 051", 50, 51)
    assert cut(LINES, "001", max_chars=26) == ("line 001\nline 002\nline 003", 1, 3)
    assert cut(LINES, "100", max_chars=26) == ("line 098\nline 099\nline 100", 98, 100)


def test_the_line_with_most_keywords_is_the_best_and_then_the_first() -> None:
    text = "parser\n" + "." * 60 + "\nfix parser\n" + "." * 60 + "\nparser fix\n"

    assert cut(text, "fix", "parser", max_chars=20) == ("fix parser", 3, 3)


def test_of_a_long_line_what_is_around_the_keyword() -> None:
    text = "x" * 5000 + "parser" + "y" * 5000

    found, first, last = cut(text, "parser", max_chars=40)
    assert (len(found), first, last) == (40, 1, 1)
    assert found == "x" * 10 + "parser" + "y" * 24


def test_at_the_end_of_a_long_line_what_is_before_the_keyword() -> None:
    assert cut("x" * 5000 + "parser", "parser", max_chars=40)[0] == "x" * 34 + "parser"


def test_lines_are_found_where_folding_changes_their_length() -> None:
    text = "ﬃ" * 30 + "\n" + "İ" * 30 + "\nthe \uff30\uff21\uff32\uff33\uff25\uff32\n" + "ﬃ" * 30

    assert cut(text, "parser", max_chars=12) == ("the \uff30\uff21\uff32\uff33\uff25\uff32", 3, 3)


def test_a_text_without_a_keyword_has_no_excerpt() -> None:
    assert excerpt("parse", ("parser",)) is None
    assert excerpt("parse", ()) is None


def test_a_secret_is_masked() -> None:
    assert excerpt(f"parser\napi_key = '{KEY}'\n", ("parser",)) == Excerpt(
        text="parser\napi_key = '[REDACTED]'", first_line=1, last_line=2, is_masked=True
    )


def test_no_end_of_a_secret_is_left_where_a_cut_goes_through_it() -> None:
    text = f"{'x' * 500} parser token {KEY} {'y' * 500}"
    at = text.index(KEY)

    for end in range(at + 1, at + len(KEY)):
        assert masked_cut(text, at - 6, end) == ("token [REDACTED]", True)
        assert masked_cut(text, end, at + len(KEY) + 2) == ("[REDACTED] y", True)


def test_a_key_of_many_lines_is_masked_though_the_cut_shows_one_of_them() -> None:
    block = (
        "-----BEGIN PRIVATE KEY-----\n"
        + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 20
        + "-----END PRIVATE KEY-----"
    )
    at = block.index("MIIE", 200)

    assert masked_cut(block, at, at + 32) == ("[REDACTED]", True)


PIECES = st.lists(st.sampled_from(["a\n", "parser ", f"token {KEY}", " x", "password = 'hunter2'", "é"]))


@given(PIECES.map("".join))
def test_a_cut_of_everything_is_the_scrubbed_text(text: str) -> None:
    assert masked_cut(text, 0, len(text)) == (scrub(text), scrub(text) != text)


@given(st.text(alphabet="ab \n解İﬃ"), st.integers(1, 60))
def test_an_excerpt_is_whole_lines_or_a_piece_of_one_and_never_longer(text: str, max_chars: int) -> None:
    found = excerpt(text, ("a",), max_chars=max_chars)
    if found is None:
        assert "a" not in text
    else:
        assert len(found.text) <= max_chars
        lines = text.split("\n")[found.first_line - 1 : found.last_line]
        assert found.text in "\n".join(lines)
        assert found.text == "\n".join(lines) or len(lines) == 1
