"""How the text of a template is laid out."""

import pytest

from host.turn.prompt.layout import lay_out

CASES = [
    pytest.param("", "", id="nothing"),
    pytest.param("\n\nOne.\nTwo.\n\n", "One. Two.", id="the lines of a paragraph are joined"),
    pytest.param("One.\n \n\n\t\n\nTwo.", "One.\n\nTwo.", id="paragraphs are one blank line apart"),
    pytest.param("A list:\n- one\n- two", "A list:\n- one\n- two", id="items have lines of their own"),
    pytest.param("- one\n  more\n- two", "- one more\n- two", id="an item's further lines belong to it"),
    pytest.param("a\n- b\n\nc\n- d", "a\n- b\n\nc\n- d", id="lists are told apart"),
    pytest.param(
        "x" * 60 + " " + "y" * 60 + " z", "x" * 60 + "\n" + "y" * 60 + " z", id="a long line is filled"
    ),
    pytest.param("- " + "x" * 60 + " " + "y" * 60, "- " + "x" * 60 + "\n  " + "y" * 60, id="so is an item"),
    pytest.param("x" * 120, "x" * 120, id="a word is never broken"),
    pytest.param(
        "x" * 95 + ' `import { views } from "gg"`.',
        "x" * 95 + '\n`import { views } from "gg"`.',
        id="nor is what stands in backticks",
    ),
    pytest.param("x" * 96 + " lone-surrogate", "x" * 96 + "\nlone-surrogate", id="nor at a hyphen"),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_text_is_laid_out(text: str, expected: str) -> None:
    assert lay_out(text) == expected
