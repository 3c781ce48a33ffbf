"""The page of limitations: each entry names its test, and the test is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "limitations.md").read_text(encoding="utf-8")
ENTRIES = [" ".join(entry.split()) for entry in re.findall(r"^- ((?:.+\n)(?:  .+\n)*)", PAGE, re.MULTILINE)]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry[:50])
def test_an_entry_ends_with_its_test(entry: str) -> None:
    assert re.search(r" \(`tests/[\w/]+\.py`\)\.$", entry)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`(tests/[^`]+)`", PAGE))))
def test_a_test_that_is_named_is_there(path: str) -> None:
    assert (ROOT / path).is_file()
