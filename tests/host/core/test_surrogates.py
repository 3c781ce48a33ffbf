"""What stands in the place of halves of surrogate pairs."""

import pytest

from host.core.surrogates import sendable

SENT = [
    pytest.param("", "", id="empty"),
    pytest.param("a\U0001f600é", "a\U0001f600é", id="whole characters"),
    pytest.param("a\ud83db", "a\ufffdb", id="a first half"),
    pytest.param("a\ude00b", "a\ufffdb", id="a second half"),
    pytest.param("\ud83d\ude00", "\U0001f600", id="halves that meet"),
    pytest.param("\ude00\ud83d", "\ufffd\ufffd", id="the wrong way round"),
]


@pytest.mark.parametrize(("text", "sent"), SENT)
def test_halves_are_replaced_or_joined(text: str, sent: str) -> None:
    assert sendable(text) == sent
