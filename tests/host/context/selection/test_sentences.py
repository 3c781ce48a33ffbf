"""Where sentences end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context.selection.sentences import sentence_spans, sentences

SPLITS = [
    pytest.param(
        "One. Two! Three? Four\u2026 Five", ["One.", "Two!", "Three?", "Four\u2026", "Five"], id="marks"
    ),
    pytest.param("lower case. goes on", ["lower case.", "goes on"], id="lower case"),
    pytest.param(
        "It is 3.14 or v1.2.3. See app.py.", ["It is 3.14 or v1.2.3.", "See app.py."], id="decimals"
    ),
    pytest.param(
        "Dr. Ames met J. Smith. He left.", ["Dr. Ames met J. Smith.", "He left."], id="titles, initials"
    ),
    pytest.param(
        "E.g. this, i.e. that, approx. five.", ["E.g. this, i.e. that, approx. five."], id="abbreviations"
    ),
    pytest.param(
        "Nuts, bolts, etc. They fit.", ["Nuts, bolts, etc.", "They fit."], id="an abbreviation that ends"
    ),
    pytest.param("Nuts, etc. and bolts.", ["Nuts, etc. and bolts."], id="an abbreviation that does not"),
    pytest.param("No. 5 is on. No. Yes.", ["No. 5 is on.", "No.", "Yes."], id="a number and an answer"),
    pytest.param("At 5 p.m. We left.", ["At 5 p.m.", "We left."], id="a time of day"),
    pytest.param("Wait... and see. Wait... See.", ["Wait... and see.", "Wait...", "See."], id="dots"),
    pytest.param('"Go." (Now!) End', ['"Go."', "(Now!)", "End"], id="quotes and brackets"),
    pytest.param("1. First it. 2nd", ["1. First it.", "2nd"], id="the number of a list"),
    pytest.param("The cost was 40. It fell.", ["The cost was 40.", "It fell."], id="a figure at the end"),
    pytest.param("他来了。「好吗\uff1f」是\uff01", ["他来了。", "「好吗\uff1f」", "是\uff01"], id="Chinese"),
    pytest.param("版本是3.14。下一句", ["版本是3.14。", "下一句"], id="a decimal in Chinese"),
    pytest.param("यह है। वह है।", ["यह है।", "वह है।"], id="Hindi"),
    pytest.param(
        "one\ntwo\r\nthree\u2028four\n\n five ", ["one", "two", "three", "four", "five"], id="lines"
    ),
    pytest.param(" \n\t ", [], id="blank"),
]


@pytest.mark.parametrize(("text", "expected"), SPLITS)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(st.sampled_from("aB1.!?\u3002\n \u201d)")))
def test_nothing_but_white_space_is_left_out(text: str) -> None:
    spans = sentence_spans(text)

    edges = [position for span in spans for position in span]
    assert edges == sorted(edges)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert all(text[a:b] == text[a:b].strip() != "" for a, b in spans)
