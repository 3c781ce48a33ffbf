"""The text that rules read, and the way back."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.scrubbing.folded import Folded

FOLDED = [
    pytest.param("plain", "plain", id="plain"),
    pytest.param("s\u200bk\u00ad-", "sk-", id="invisible"),
    pytest.param("\uff53\uff4b", "sk", id="full width"),
    pytest.param("cafe\u0301", "caf\u00e9", id="a mark joins the letter before"),
    pytest.param("e\u200b\u0301x", "\u00e9x", id="past what is not visible"),
    pytest.param("\u1112\u1161\u11ab", "\ud55c", id="Hangul"),
    pytest.param("\ufb01\u338f", "fikg", id="one sign that is two letters"),
    pytest.param("\u0301", "\u0301", id="a mark alone"),
    pytest.param("\u200b", "", id="nothing to see"),
]


@pytest.mark.parametrize(("text", "folded"), FOLDED)
def test_how_a_text_is_read(text: str, folded: str) -> None:
    assert Folded(text).text == folded


def test_the_way_back() -> None:
    text = "a\u200be\u0301\ufb01\uff53z"
    folded = Folded(text)

    assert folded.text == "a\u00e9fisz"
    assert folded.ascii == b"a?fisz"
    assert [folded.span(at, at + 1) for at in range(6)] == [(0, 1), (2, 4), (4, 5), (4, 5), (5, 6), (6, 7)]
    assert folded.span(0, 6) == (0, 7)


@given(
    st.text(
        st.sampled_from(
            "ae \u0301\u0323\u200b\ufb01\uff53\u1112\u1161\u11ab\uac00\u11a8\u09c7\u09be\uff76\uff9e"
        )
    )
)
def test_it_is_read_as_unicode_says(text: str) -> None:
    folded = Folded(text)

    assert folded.text == unicodedata.normalize("NFKC", text.replace("\u200b", ""))
    assert len(folded.ascii) == len(folded.text)
