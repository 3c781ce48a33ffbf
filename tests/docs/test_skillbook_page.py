"""The page of the skillbook: its answers are what a client gets, its tables name what the code has."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import anyio

from host.app import SKILL_REQUESTS, RecordBlock, Service, served_plan
from host.cli.commands.skillbook import skillbook
from host.mcp.server import McpServer
from host.operations import FAMILIES
from host.skillbook import COUNTERS, FORMATS, STATES, BookFile, Skill
from tests.helpers.markdown import blocks
from tests.helpers.mcp_client import skills_at
from tests.helpers.mcp_examples import assert_answered

PAGE: Final = Path(__file__).parents[2] / "docs" / "skillbook.md"
TEXT: Final = PAGE.read_text(encoding="utf-8")
WRITTEN: Final[list[dict[str, Any]]] = [
    json.loads(block.text) for block in blocks(PAGE) if block.language == "json" and not block.file
]
EXAMPLES: Final = [each for each in WRITTEN if "tool" in each]


def section(title: str) -> str:
    return re.split(rf"^## {title}\n", TEXT, flags=re.MULTILINE)[1].partition("\n## ")[0]


def first_cells(text: str) -> set[str]:
    """What stands in backticks in the first column of the tables."""
    rows = re.findall(r"^\| ([^|]*) \|", text, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def test_the_examples_are_what_a_client_is_answered(tmp_path: Path) -> None:
    BookFile(tmp_path / "skillbook.json").apply(
        lambda book: book.add_skill("context", "An export has many rows.", insight="Write it in parts.")
    )

    async def main() -> None:
        records = RecordBlock({"G6_HOME": str(tmp_path / "g6")}, lambda told: None)
        plan = served_plan(None)
        skills = skills_at(tmp_path, listed="ace")
        with Service(plan, tmp_path / "r", watch=lambda event: None, tell=lambda told: None) as service:
            server = McpServer(service, records, skills, tell=lambda told: None)
            await assert_answered(server, EXAMPLES)
        records.close()

    assert len(EXAMPLES) == 3
    anyio.run(main)


def test_every_command_is_named() -> None:
    named = {word for cell in first_cells(section("By hand")) for word in cell.split()[:1]}

    assert named == set(skillbook.commands)


def test_every_tool_is_named() -> None:
    assert first_cells(section("For MCP clients")) == set(SKILL_REQUESTS)


def test_every_field_and_state_of_a_skill_is_named() -> None:
    named = first_cells(section("A skill"))
    own = {field.name for field in fields(Skill)} - {"created_at", "updated_at", "extra", "review"}
    rows = re.findall(r"^\| ([a-z ]+) \|", section("A skill").partition("| state |")[2], re.MULTILINE)

    assert named == own | {"gg_review"}
    assert set(COUNTERS) <= named
    assert rows == list(STATES)


def test_every_call_and_every_format_is_named() -> None:
    family = next(family for family in FAMILIES if family.name == "skillbook")
    called = {f"{family.name}.{operation.name}" for operation in family.operations}

    assert {name for name in first_cells(section("In runs")) if "." in name} == called
    assert first_cells(section("Formats")) == set(FORMATS)
