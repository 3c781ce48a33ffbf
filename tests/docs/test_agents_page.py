"""The guide to several agents: its tables have every call, every start and every status of an issue."""

import re
from pathlib import Path
from typing import get_args

import pytest

from host.events import IssueStatus, StartKind
from host.operations import FAMILIES

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
OF_AGENTS = ("delegation", "board", "session")


def first_cells(heading: str) -> list[str]:
    """The first cell of each row of the table that has this heading."""
    table = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return [row.split("|")[1] for row in table.splitlines()[2:]]


def named(heading: str) -> list[str]:
    return re.findall(r"`([\w.]+)`", "".join(first_cells(heading)))


def test_every_call_of_agents_is_in_the_table_once() -> None:
    calls = [
        operation.spelling
        for family in FAMILIES
        if family.name in OF_AGENTS
        for operation in family.operations
    ]

    assert sorted(named("call | who has it")) == sorted([*calls, "memories"])


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("started as | by | its task | ends with | is canceled when", get_args(StartKind)),
        ("the issue is | when | and then", set(get_args(IssueStatus)) - {"done"}),
    ],
)
def test_a_table_has_every_word_there_is(heading: str, words: tuple[str, ...]) -> None:
    assert sorted(named(heading)) == sorted(words)
