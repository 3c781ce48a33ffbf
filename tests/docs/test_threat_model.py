"""The threat model: each of its lines names tests, and those tests are there."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
LINES: Final = re.findall(
    r"^\| (?!threat |---|who )(.+) \|$", PAGE.partition("## A hostile program")[2], re.MULTILINE
)
TEST: Final = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:50])
def test_a_line_ends_with_its_tests(line: str) -> None:
    threat, defence, tests = line.split(" | ")

    assert threat.strip()
    assert defence.strip()
    assert ", ".join(f"`{path}::{name}`" for path, name in TEST.findall(tests)) == tests


@pytest.mark.parametrize(("path", "name"), sorted(set(TEST.findall(PAGE))))
def test_a_test_that_is_named_is_there(path: str, name: str) -> None:
    assert re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_line_of_a_table_of_threats_was_read() -> None:
    rows = [line for line in PAGE.splitlines() if "::test_" in line]

    assert [f"| {line} |" for line in LINES] == rows
