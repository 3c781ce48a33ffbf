"""The form of a message, to the letter."""

import pytest

from host.context import heading, titled

MESSAGES = [
    pytest.param("one\ntwo\n", "Task\n----\none\ntwo\n", id="content as it is"),
    pytest.param("", "Task\n----", id="no content, no empty line"),
    pytest.param("----", "Task\n----\n----", id="content that looks like a rule"),
]


@pytest.mark.parametrize(("content", "expected"), MESSAGES)
def test_a_heading_stands_on_its_own_line_over_a_rule(content: str, expected: str) -> None:
    assert heading("Task", content) == expected
    assert titled("View: a", content) == expected.replace("Task", "View: a", 1)
