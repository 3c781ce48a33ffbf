"""gg itself as tools, asked by the official client in memory."""

import base64
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import anyio
import mcp_types as types
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from host.app import RecordBlock, Service, served_plan
from host.mcp.agent_tools import FAILED
from host.mcp.server import McpServer
from tests.helpers.mcp_client import skills_at, text_of

PICTURE: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Asked:
    """A server in memory over one agent, and what its operator was told."""

    def __init__(self, folder: Path, *capabilities: object) -> None:
        self.folder = folder
        self.told: list[str] = []
        self.config = folder / "run.json"
        agents = [{"id": "agent", "capabilities": capabilities}]
        self.config.write_text(json.dumps({"task": "t", "model": "human", "agents": agents}))
        self.service: Service | None = None

    def run(self, act: Callable[[Client], Awaitable[object]]) -> None:
        async def main() -> None:
            records = RecordBlock({"G6_HOME": str(self.folder / "g6")}, self.told.append)
            plan = served_plan(self.config)
            folder = self.folder / "records"
            with Service(plan, folder, watch=lambda event: None, tell=self.told.append) as self.service:
                server = McpServer(self.service, records, skills_at(self.folder), tell=self.told.append)
                async with Client(server.protocol) as client:
                    await act(client)

        anyio.run(main)


async def ran(client: Client, program: str) -> types.CallToolResult:
    result = await client.call_tool("run_program", {"program": program})
    assert isinstance(result, types.CallToolResult)
    return result


def test_a_picture_comes_as_a_picture_after_the_view_it_belongs_to(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "dot.png").write_bytes(PICTURE)

    async def act(client: Client) -> None:
        result = await ran(client, 'import { views } from "gg"; views.openFile("dot.png");')
        text, image = result.content
        assert isinstance(text, types.TextContent)
        assert text.text == "File: dot.png\n----"
        assert isinstance(image, types.ImageContent)
        assert (image.mime_type, base64.b64decode(image.data)) == ("image/png", PICTURE)
        assert result.structured_content["views"] == [{"title": "File: dot.png", "text": ""}]

    Asked(tmp_path, {"id": "files", "params": {"dir": "files"}}).run(act)


def test_nobody_is_asked_and_nothing_but_tools_is_offered(tmp_path: Path) -> None:
    async def act(client: Client) -> None:
        result = await ran(client, 'import { shell } from "gg"; shell.shell("true");')
        assert "shell.shell (refused)" in text_of(result)
        capabilities = client.server_capabilities
        assert capabilities is not None
        assert (capabilities.prompts, capabilities.resources) == (None, None)
        with pytest.raises(MCPError, match="Method not found"):
            await client.list_prompts()

    Asked(tmp_path, {"id": "shell", "params": {"dir": ".", "approval": "ask"}}).run(act)


def test_an_agent_without_memories_has_no_tools_of_them(tmp_path: Path) -> None:
    async def act(client: Client) -> None:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        ours = [name for name in tools if not name.startswith("ace.")]
        assert ours == ["run_program", "search_docs", "g6_describe", "g6_invoke"]
        result = await client.call_tool("search_docs", {"query": ""})
        assert "There is nothing to look for" in text_of(result)

    Asked(tmp_path).run(act)


WRONG: Final[list[tuple[str, dict[str, Any], str]]] = [
    ("run_program", {}, "run_program needs program, a string"),
    ("run_program", {"program": 5}, "run_program needs program, a string"),
    (
        "run_program",
        {"program": "1;", "a": 1, "b": 2},
        "run_program does not know `a` and `b`; it takes program alone",
    ),
    ("search_docs", {"query": None}, "search_docs needs query, a string"),
]


def test_arguments_that_a_tool_cannot_use_are_told(tmp_path: Path) -> None:
    async def act(client: Client) -> None:
        for tool, arguments, told in WRONG:
            result = await client.call_tool(tool, arguments)
            assert (result.is_error, text_of(result)) == (True, told)

    Asked(tmp_path).run(act)


def test_a_question_is_not_part_of_the_program_that_asks_it(tmp_path: Path) -> None:
    query = '"); throw new Error("in"); ("\u2028`${1}` \\'

    async def act(client: Client) -> None:
        result = await client.call_tool("search_docs", {"query": query})
        assert not result.is_error
        assert text_of(result).startswith("View: search results\n----\nNothing found for ")

    Asked(tmp_path).run(act)


def test_a_run_that_cannot_begin_is_told_to_the_operator_alone(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    records = tmp_path / "records"

    async def act(client: Client) -> None:
        await ran(client, 'import { session } from "gg"; session.finish("done");')
        records.rename(tmp_path / "elsewhere")
        records.write_text("a file where the folder was")
        result = await ran(client, "1;")
        assert (result.is_error, text_of(result)) == (True, FAILED)
        records.unlink()
        (tmp_path / "elsewhere").rename(records)
        assert not (await ran(client, "1;")).is_error

    asked.run(act)

    (told,) = asked.told
    assert told.startswith("run_program failed: ")
    assert str(records) in told


def test_a_record_that_cannot_be_written_is_told_to_the_operator_alone(tmp_path: Path) -> None:
    asked = Asked(tmp_path)
    records = tmp_path / "records"

    async def act(client: Client) -> None:
        records.rename(tmp_path / "elsewhere")
        records.write_text("a file where the folder was")
        result = await ran(client, "1;")
        assert (result.is_error, text_of(result)) == (True, FAILED)
        assert result.structured_content["outcome"] == "ended"
        records.unlink()
        (tmp_path / "elsewhere").rename(records)
        assert not (await ran(client, "1;")).is_error

    asked.run(act)

    (told,) = asked.told
    assert told.startswith(f"the run of {records}")
    assert " ended as internal_error: " in told
