"""The page of gg mcp: its examples are what a client is answered, its snippets start the server."""

import json
from pathlib import Path
from typing import Any, Final

import anyio
import pytest

from host.app import RecordBlock, Service, served_plan
from host.cli.commands.mcp import mcp
from host.mcp.server import McpServer
from tests.helpers.markdown import blocks
from tests.helpers.mcp_client import skills_at
from tests.helpers.mcp_examples import assert_answered

PAGE: Final = Path(__file__).parents[2] / "docs" / "mcp.md"
WRITTEN: Final[list[dict[str, Any]]] = [json.loads(b.text) for b in blocks(PAGE) if b.language == "json"]
EXAMPLES: Final = [each for each in WRITTEN if "tool" in each]
SNIPPETS: Final = [
    server for each in WRITTEN for key in ("mcpServers", "servers") for server in each.get(key, {}).values()
]


def test_the_examples_are_what_a_client_is_answered(tmp_path: Path) -> None:
    async def main() -> None:
        records = RecordBlock({"G6_HOME": str(tmp_path / "g6")}, lambda told: None)
        plan = served_plan(None)
        with Service(plan, tmp_path / "r", watch=lambda event: None, tell=lambda told: None) as service:
            server = McpServer(service, records, skills_at(tmp_path), tell=lambda told: None)
            await assert_answered(server, EXAMPLES)
        records.close()

    assert len(EXAMPLES) == 8
    anyio.run(main)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet.get("type", "stdio"))
def test_a_snippet_is_one_that_gg_takes(snippet: dict[str, Any]) -> None:
    if "url" in snippet:
        assert snippet["url"] == "http://127.0.0.1:8700/mcp"
        assert list(snippet["headers"]) == ["Authorization"]
        assert snippet["headers"]["Authorization"].startswith("Bearer ")
        return
    assert snippet["command"] == "gg"
    name, *arguments = snippet["args"]
    context = mcp.make_context(name, list(arguments))
    assert name == "mcp"
    assert context.params["transport"] == "stdio"
    assert context.params["record"].name == "mcp"


def test_there_is_a_snippet_of_each_kind() -> None:
    assert [("url" in snippet, snippet.get("type")) for snippet in SNIPPETS] == [
        (False, None),
        (False, "stdio"),
        (True, "http"),
    ]
