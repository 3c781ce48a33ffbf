"""The page on records names what the code has."""

import re
from pathlib import Path

from host.core.terms import STOP_WORDS
from host.core.tripwire import SIGNALS
from host.records import codes

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")


def test_it_prints_the_stop_words() -> None:
    quoted = " ".join(line.removeprefix("> ") for line in PAGE.splitlines() if line.startswith("> "))

    assert quoted.split(", ") == sorted(STOP_WORDS)


def test_it_names_every_signal_of_the_tripwire() -> None:
    assert [signal for signal in SIGNALS if f"`{signal}`" not in PAGE] == []


def test_it_names_every_code_of_the_store() -> None:
    named = set(re.findall(r"`(?:G6_E_MEMORY)?(_[A-Z_]+)`", PAGE))
    known = {
        value.removeprefix("G6_E_MEMORY")
        for value in vars(codes).values()
        if isinstance(value, str) and value.startswith("G6_E_MEMORY_")
    }

    assert named == known
