"""Names of files for names that people and models choose."""

import pytest
from hypothesis import given

from host.events.layout import defect_file, file_name, module_file, program_stem
from tests.host.events.strategies import PLAIN_TEXT

NAMES = [
    ("analyst", "analyst"),
    ("analyst-2", "analyst-2"),
    ("Ana_lyst.v2", "Ana_lyst.v2"),
    ("", "%"),
    (".", "%2E"),
    ("..", "%2E."),
    (".hidden", "%2Ehidden"),
    ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
    ("a b", "a%20b"),
    ("a%20b", "a%2520b"),
    ("größe", "gr%C3%B6%C3%9Fe"),
    ("nul\0", "nul%00"),
    ("\ud800", "%ED%A0%80"),
    ("x" * 120, "x" * 120),
]


@pytest.mark.parametrize(("text", "name"), NAMES)
def test_a_file_name_for_any_text(text: str, name: str) -> None:
    assert file_name(text) == name


def test_a_long_text_keeps_its_beginning_and_stays_apart_from_others() -> None:
    one, other = file_name("x" * 200), file_name("x" * 201)

    assert one.startswith("x" * 80 + "%~")
    assert len(one) == 106
    assert one != other


@given(PLAIN_TEXT, PLAIN_TEXT)
def test_two_texts_never_share_a_name(one: str, other: str) -> None:
    assert (file_name(one) == file_name(other)) == (one == other)


def test_the_places_of_a_record() -> None:
    assert str(program_stem("root", 3)) == "programs/root/0003"
    assert str(program_stem("a/b", 12345, "on-use-1")) == "programs/a%2Fb/12345.on-use-1"
    assert str(module_file("root", "memories")) == "agents/root/modules/memories.json"
    assert str(defect_file("0ab1")) == "defects/0ab1.txt"
