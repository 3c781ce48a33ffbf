"""Positions of the language server, against a count one unit at a time."""

import re

from hypothesis import given
from hypothesis import strategies as st

from runtime_js.places import Place, SourceText

TEXTS = st.text(alphabet="ab\r\n\u2028\u00e9\U0001f600\ud800", max_size=40)


@given(TEXTS, st.data())
def test_every_position_of_an_editor_is_found(text: str, data: st.DataObject) -> None:
    lines = re.split(r"\r\n|\r|\n", text)
    line = data.draw(st.integers(0, len(lines) - 1))
    character = data.draw(st.integers(0, len(lines[line])))
    units = sum(2 if wide > "\uffff" else 1 for wide in lines[line][:character])

    offset = SourceText("a.ts", text).offset_of_editor(line, units)

    assert text[:offset].endswith(lines[line][:character])
    if offset < len(text):
        assert SourceText("a.ts", text).place(offset) == Place("a.ts", line + 1, character + 1)


def test_a_position_beyond_the_text_is_its_end() -> None:
    source = SourceText("a.ts", "ab\ncd")

    assert [source.offset_of_editor(*position) for position in ((5, 0), (1, 99), (2, 0))] == [5, 5, 5]
