"""The agent that there is without a configuration: memories, earlier programs, care for its own window."""

from collections.abc import Mapping
from typing import Final

_MEMORIES: Final[dict[str, object]] = {
    "id": "memories",
    "implementation": "scratchpad",
    "params": {
        "scope": "isolated",
        "maxCount": 64,
        "maxLenPerMemory": 4096,
        "maxTotalLen": 0,
        "maxLenIndex": 0,
        "maxLenDescription": 256,
        "maxResults": 25,
    },
}


def small_run(name: str, task: str, agent_id: str, *capabilities: Mapping[str, object]) -> dict[str, object]:
    """A configuration of that agent, with `capabilities` besides; a person gives its replies."""
    offered = [_MEMORIES, *capabilities, {"id": "program-library"}, {"id": "agent-managed-context"}]
    return {
        "name": name,
        "task": task,
        "model": "human",
        "agents": [{"id": agent_id, "capabilities": offered}],
    }
