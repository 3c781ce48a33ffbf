"""The skillbook as tools, asked by the official client in memory."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import anyio
import mcp_types as types
import pytest
from mcp.client import Client

from host.app import RecordBlock, Service, served_plan
from host.mcp.server import McpServer
from host.skillbook import BookFile
from tests.helpers.mcp_client import skills_at, text_of

TOOLS: Final = [
    "ace.ask",
    "ace.learn.sample",
    "ace.learn.feedback",
    "ace.skillbook.get",
    "ace.skillbook.save",
    "ace.skillbook.load",
]
ASK: Final = {"session_id": "s", "question": "an export of many rows"}


def asked(
    folder: Path, act: Callable[[Client], Awaitable[object]], *, listed: str = "", mode: str = "auto"
) -> None:
    BookFile(folder / "skillbook.json").apply(
        lambda book: book.add_skill(
            "context", "An export of many rows is asked for.", insight="Write it in parts."
        )
    )

    async def main() -> None:
        records = RecordBlock({"G6_HOME": str(folder / "g6")}, lambda told: None)
        service = Service(
            served_plan(None), folder / "records", watch=lambda event: None, tell=lambda told: None
        )
        with service:
            skills = skills_at(folder, listed=listed)
            server = McpServer(service, records, skills, tell=lambda told: None)
            async with Client(server.protocol, mode=mode) as client:
                await act(client)
        records.close()

    anyio.run(main)


async def result_of(client: Client, tool: str, **arguments: Any) -> tuple[dict[str, Any], bool]:  # noqa: ANN401
    """What is answered as JSON, and whether it is an error."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, types.CallToolResult)
    answer: dict[str, Any] = json.loads(text_of(result))
    assert result.structured_content == (None if result.is_error else answer)
    return answer, bool(result.is_error)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_asks_gives_feedback_and_sees_the_counters(tmp_path: Path, mode: str) -> None:
    async def act(client: Client) -> None:
        answer, failed = await result_of(client, "ace.ask", **ASK)
        assert (failed, answer["session_id"]) == (False, "s")
        assert [each["content"] for each in answer["skills"]] == ["Write it in parts."]
        feedback = {**ASK, "answer": "42 parts", "feedback": "good", "ground_truth": "42"}
        learned, failed = await result_of(client, "ace.learn.feedback", **feedback)
        assert (failed, learned["learned"]) == (False, True)
        listed, _ = await result_of(client, "ace.skillbook.get", session_id="s")
        assert [(each["helpful"], each["used"]) for each in listed["skills"]] == [(1, 1)]

    asked(tmp_path, act, listed="ace.learn", mode=mode)


def test_a_refusal_is_an_error_with_a_code(tmp_path: Path) -> None:
    async def act(client: Client) -> None:
        for tool, arguments, code in (
            ("ace.ask", {"question": "a"}, "ACE_MCP_VALIDATION_ERROR"),
            ("ace.skillbook.save", {"session_id": "s", "path": "a.json"}, "ACE_MCP_SAVE_LOAD_DISABLED"),
            ("ace.learn.sample", {"session_id": "s", "samples": []}, "ACE_MCP_FORBIDDEN_IN_SAFE_MODE"),
        ):
            answer, failed = await result_of(client, tool, **arguments)
            assert (failed, answer["code"], set(answer)) == (True, code, {"code", "message", "details"})

    asked(tmp_path, act)


def test_the_tools_say_what_they_take(tmp_path: Path) -> None:
    async def act(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert [name for name in tools if name.startswith("ace.")] == TOOLS
        for name in TOOLS:
            assert tools[name].description
            assert tools[name].input_schema["properties"]["session_id"]["type"] == "string"

    asked(tmp_path, act)
