"""Texts of others in comments."""

import pytest

from host.tools.doc_comments import comment, plain_text

COMMENTS = [
    pytest.param("", "", id="nothing"),
    pytest.param("Does it.", "/** Does it. */", id="one line"),
    pytest.param("a\n\nb", "/**\n * a\n *\n * b\n */", id="several lines"),
    pytest.param("a */ b **/ c", "/** a *\\/ b **\\/ c */", id="its end"),
    pytest.param("/** a", "/** /** a */", id="its beginning"),
    pytest.param("/ a\n/", "/**\n * / a\n * /\n */", id="an end over two lines"),
    pytest.param("@ts-expect-error", "/**\n * @ts-expect-error\n */", id="a directive"),
    pytest.param("a\n@ts-ignore", "/**\n * a\n * @ts-ignore\n */", id="a directive last"),
]


@pytest.mark.parametrize(("text", "expected"), COMMENTS)
def test_a_text_as_a_comment(text: str, expected: str) -> None:
    assert comment(text) == expected


TEXTS = [
    pytest.param("  a\r\n    b\r\n", "a\nb", id="line ends, indentation"),
    pytest.param("a\n\n\n\n\nb  \n", "a\n\nb", id="blank lines"),
    pytest.param("a\u202eb\u2028c\x00\x1b[31m", "a\\u202eb\\u2028c\\u0000\\u001b[31m", id="controls"),
    pytest.param("a\ud800", "a\\ud800", id="a lone surrogate"),
    pytest.param(" \n\t\n", "", id="nothing"),
    pytest.param("x" * 20, "x" * 20, id="as long as may be"),
    pytest.param("x" * 21, f"{'x' * 20}… (1 more characters)", id="longer"),
    pytest.param("x" * 1_000_020, f"{'x' * 20}… (1,000,000 more characters)", id="much longer"),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_a_text_fit_to_be_shown(text: str, expected: str) -> None:
    assert plain_text(text, 20) == expected
