"""The record store as tools, asked by the official client in memory."""

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
from tests.helpers.mcp_client import skills_at, text_of

NO_LESSON: Final = "0" * 64
# What the reference of the store shows of each operation, in that order.
EXAMPLES: Final[list[tuple[str, dict[str, Any], str]]] = [
    (
        "put",
        {
            "text": "The billing export runs at 02:00 UTC and takes about 40 minutes.",
            "written_by": "agent:ops-run-12",
            "source": "https://example.org/runbooks/billing",
            "tags": ["billing"],
            "stale_after": "2027-06-30T00:00:00Z",
        },
        "G6_E_MEMORY_KEPT",
    ),
    ("search", {"query": "when does the billing export run", "top_k": 3}, "G6_E_MEMORY_FOUND"),
    ("recall", {"tags": ["billing"], "limit": 10}, "G6_E_MEMORY_FOUND"),
    ("status", {}, "G6_E_MEMORY_STATUS"),
    (
        "approve",
        {"record_ids": [NO_LESSON], "reviewer": "Sam Rivera", "reason": "matches the payments runbook"},
        "G6_E_MEMORY_NOT_FOUND",
    ),
]


def asked(
    folder: Path, act: Callable[[Client], Awaitable[object]], *, listed: str = "", mode: str = "auto"
) -> None:
    async def main() -> None:
        environ = {"G6_HOME": str(folder / "g6"), "G6_MCP_SENSITIVE": listed}
        records = RecordBlock(environ, lambda told: None)
        service = Service(
            served_plan(None), folder / "records", watch=lambda event: None, tell=lambda told: None
        )
        with service:
            server = McpServer(service, records, skills_at(folder), tell=lambda told: None)
            async with Client(server.protocol, mode=mode) as client:
                await act(client)
        records.close()

    anyio.run(main)


async def answer(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The structured answer, which stands as text beside it."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, types.CallToolResult)
    assert not result.is_error
    structured: dict[str, Any] = result.structured_content
    assert json.loads(text_of(result)) == structured
    return structured


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_examples_of_the_store_are_answered(tmp_path: Path, mode: str) -> None:
    async def act(client: Client) -> None:
        answers = [
            await answer(client, "g6_invoke", {"block": "ctx_ace", "op": op, "args": args})
            for op, args, _ in EXAMPLES
        ]
        assert [each["code"] for each in answers] == [code for _, _, code in EXAMPLES]
        put, found, recalled, status, approved = answers
        record = put["record"]
        assert (record["as"], record["trust"], record["status"]) == ("memory_note", "untrusted", "note")
        assert [each["id"] for each in found["records"]] == [record["id"]]
        assert found["records"][0]["score_scale"] == "bm25"
        assert (found["stale"], found["held_back"]) == ([], 0)
        assert [each["id"] for each in recalled["records"]] == [record["id"]]
        assert status["kept"] == 1
        assert approved["completion_state"] == "blocked-escalated"

    asked(tmp_path, act, listed="ctx_ace", mode=mode)


def test_what_is_sensitive_is_refused_unless_it_is_listed(tmp_path: Path) -> None:
    op, args, _ = EXAMPLES[-1]

    async def act(client: Client) -> None:
        refused = await answer(client, "g6_invoke", {"block": "ctx_ace", "op": op, "args": args})
        assert refused["code"] == "G6_E_SENSITIVE"
        kept = await answer(client, "g6_invoke", {"block": "ctx_ace", "op": "put", "args": EXAMPLES[0][1]})
        forget = {"record_ids": [kept["record"]["id"]], "reason": "asked for"}
        forgotten = await answer(client, "g6_invoke", {"block": "ctx_ace", "op": "forget", "args": forget})
        assert (forgotten["code"], forgotten["receipt"]["count"]) == ("G6_E_MEMORY_FORGOTTEN", 1)

    asked(tmp_path, act, listed="ctx_ace.forget")


ASKED: Final[list[tuple[str, dict[str, Any], str]]] = [
    ("g6_invoke", {"block": "ctx_ace", "op": "status", "path": "/tmp/other.db"}, "G6_E_MEMORY_INPUT"),
    ("g6_invoke", {"block": "ctx_ace", "op": "status", "args": {"path": "x"}}, "G6_E_MEMORY_INPUT"),
    ("g6_invoke", {"block": "ctx_ace", "op": "status", "args": []}, "G6_E_MEMORY_INPUT"),
    ("g6_invoke", {"block": "ctx_ace", "op": "status", "args": None}, "G6_E_MEMORY_STATUS"),
    ("g6_invoke", {"block": "ctx_ace", "op": "status"}, "G6_E_MEMORY_STATUS"),
    ("g6_invoke", {"block": "ctx_ace"}, "G6_E_NO_OP"),
    ("g6_invoke", {}, "G6_E_NO_BLOCK"),
    ("g6_invoke", {"block": "context", "op": "build"}, "G6_E_NO_BLOCK"),
    ("g6_describe", {"block": "context"}, "G6_E_NO_BLOCK"),
    ("g6_describe", {"block": "ctx_ace", "db": "x"}, "G6_E_MEMORY_INPUT"),
    ("g6_describe", {}, "G6_E_NO_BLOCK"),
]


def test_an_answer_is_an_answer_whatever_was_asked(tmp_path: Path) -> None:
    async def act(client: Client) -> None:
        for tool, arguments, code in ASKED:
            assert (tool, arguments, (await answer(client, tool, arguments))["code"]) == (
                tool,
                arguments,
                code,
            )

    asked(tmp_path, act)


def test_the_tools_say_what_they_take(tmp_path: Path) -> None:
    async def act(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools)[-2:] == ["g6_describe", "g6_invoke"]
        described = await answer(client, "g6_describe", {"block": "ctx_ace"})
        assert [op["op"] for op in described["ops"]] == [
            "put",
            "search",
            "recall",
            "forget",
            "approve",
            "status",
        ]

    asked(tmp_path, act)
