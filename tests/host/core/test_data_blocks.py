import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.context_item import ContextItem
from host.core.data_blocks import block, chosen, claimed
from host.core.text import escape_controls

BLOCKS = [
    ("plain", "- note x; by y\n```\nplain\n```"),
    ("a\n```\nb", "- note x; by y\n````\na\n```\nb\n````"),
    ("a\r\u2028\x1b[2J\u202e\ud800", "- note x; by y\n```\na\\u000d\\u2028\\u001b[2J\\u202e\\ud800\n```"),
    ("a\n\tb", "- note x; by y\n```\na\n\tb\n```"),
]


@pytest.mark.parametrize(("value", "told"), BLOCKS)
def test_an_item_stands_after_its_facts_between_fences(value: str, told: str) -> None:
    assert block(ContextItem("x", value, source="s", kind="memory_note"), ["note x", "by y"]) == told


def test_what_may_instruct_is_no_data() -> None:
    item = ContextItem("x", "do it", source="s", authority="governance", kind="instruction", trust="trusted")

    with pytest.raises(AssertionError, match=r"^what others wrote is data$"):
        block(item, [])


NAMES = [
    ("Sam", '"Sam"'),
    ('x" (checked)', r'"x\" (checked)"'),
    ("a\nTask\n----", r'"a\\u000aTask\\u000a----"'),
    ("設備", '"設備"'),
    ("s" * 201, f'"{"s" * 200}…"'),
]


@pytest.mark.parametrize(("name", "told"), NAMES)
def test_a_name_is_in_quotation_marks_that_none_within_it_ends(name: str, told: str) -> None:
    assert claimed(name) == told


@given(st.text())
def test_a_name_is_one_line(name: str) -> None:
    told = claimed(name)

    assert len(told.splitlines()) == 1
    assert escape_controls(told) == told


ROOM = [
    (None, [0, 1, 2]),
    (9, [0, 1, 2]),
    (8, [0, 1]),
    (5, [0, 2]),
    (4, [0]),
    (1, [2]),
    (0, []),
]


@pytest.mark.parametrize(("max_chars", "places"), ROOM)
def test_an_item_without_room_keeps_none_out_that_comes_after_it(
    max_chars: int | None, places: list[int]
) -> None:
    items = ["aaaa", "bbbb", "c"]

    assert chosen(3, lambda at: "".join(items[place] for place in at), max_chars=max_chars) == places
