"""The examples of a page of documentation, held against what a client is answered."""

from collections.abc import Iterable, Mapping
from typing import Any

import mcp_types as types
from mcp.client import Client

from host.mcp.server import McpServer
from tests.helpers.mcp_client import text_of


async def assert_answered(server: McpServer, examples: Iterable[Mapping[str, Any]]) -> None:
    """Makes the call of each example, in order. The page may leave out keys of objects, and nothing else."""
    async with Client(server.protocol) as client:
        for example in examples:
            result = await client.call_tool(example["tool"], example["arguments"])
            assert isinstance(result, types.CallToolResult)
            told = {
                "isError": result.is_error,
                "structuredContent": result.structured_content,
                "text": text_of(result),
            }
            shown = {key: example[key] for key in told if key in example}
            assert shown == as_far_as(told, shown)


def as_far_as(found: Any, shown: Any) -> Any:  # noqa: ANN401  (JSON)
    """What was found, less what the page leaves out of objects."""
    if isinstance(found, dict) and isinstance(shown, dict):
        return {key: as_far_as(found[key], value) for key, value in shown.items()}
    if isinstance(found, list) and isinstance(shown, list) and len(found) == len(shown):
        return [as_far_as(*pair) for pair in zip(found, shown, strict=True)]
    return found
