"""Tables that fit the terminal."""

import pytest

from host.cli.lines import Line, Span, to_text
from host.cli.table import Cell, Column, table

COLUMNS = (
    Column(title="id"),
    Column(title="figure", rank=1, is_number=True),
    Column(title="more", rank=2),
    Column(title="told"),
)
ROWS = [
    [Cell("one"), Cell("1,234"), Cell("x"), Cell("A text of thirty characters!!!", "warn")],
    [Cell("twenty"), Cell("5"), Cell("日本"), Cell("a\tb\n\x1b")],
]
WHOLE = """\
id      figure  more  told
one      1,234  x     A text of thirty characters!!!
twenty       5  日本  a    b \\u001b
"""
FITTED = [
    (None, WHOLE),
    (52, WHOLE),
    (
        50,
        """\
id      figure  more  told
one      1,234  x     A text of thirty characters…
twenty       5  日本  a    b \\u001b
""",
    ),
    (
        45,
        """\
id      figure  told
one      1,234  A text of thirty characters!…
twenty       5  a    b \\u001b
""",
    ),
    (
        33,
        """\
id      told
one     A text of thirty charact…
twenty  a    b \\u001b
""",
    ),
    (
        12,
        """\
id      told
one     A t…
twenty  a  …
""",
    ),
    (
        3,
        """\
id      …
one     …
twenty  …
""",
    ),
]


@pytest.mark.parametrize(("width", "text"), FITTED)
def test_columns_go_where_there_is_no_room(width: int | None, text: str) -> None:
    assert to_text(table(COLUMNS, ROWS, width)) == text


def test_cells_keep_their_style() -> None:
    heading, first, _ = table(COLUMNS, ROWS, None)

    assert heading.spans[-1] == Span("told", "dim")
    assert first.spans[-1].style == "warn"


def test_a_table_without_rows_is_its_heading() -> None:
    assert to_text(table(COLUMNS[:2], [], None)) == "id  figure\n"
    assert list(table(COLUMNS[:2], [], 80)) == [Line((Span("id  ", "dim"), Span("figure", "dim")))]
