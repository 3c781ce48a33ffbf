"""How places are written, and which comes first."""

import pytest

from host.launch.places import ABSENT, Path, position, render_place, value_at

DOCUMENT = {"b": {"x": 1}, "a": [{"k": None}, 2]}
PLACES: list[tuple[Path, str]] = [
    ((), "the document"),
    (("a", 0, "k"), "a[0].k"),
    (("a", 0, "strip-fences"), "a[0].strip-fences"),
    (("a", "two words"), 'a["two words"]'),
    (("",), '[""]'),
    (("\x1b",), '["\\u001b"]'),
]


@pytest.mark.parametrize(("path", "written"), PLACES)
def test_a_place_is_written_as_a_path(path: Path, written: str) -> None:
    assert render_place(path) == written


def test_written_keys_come_in_their_order_and_absent_ones_last() -> None:
    paths: list[Path] = [("c",), ("a", 1), ("a", 0, "z"), ("a", 0, "k"), ("a",), ("b", "x")]

    assert sorted(paths, key=lambda path: position(DOCUMENT, path)) == [
        ("b", "x"),
        ("a",),
        ("a", 0, "k"),
        ("a", 0, "z"),
        ("a", 1),
        ("c",),
    ]


def test_null_is_found_and_what_is_not_written_is_absent() -> None:
    assert value_at(DOCUMENT, ("a", 0, "k")) is None
    assert value_at(DOCUMENT, ("a", 0, "z")) is ABSENT
    assert value_at(DOCUMENT, ("a", 5)) is ABSENT
    assert value_at(DOCUMENT, ("b", "x", "y")) is ABSENT
