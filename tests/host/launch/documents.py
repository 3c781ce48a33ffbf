"""A document that may be launched, and how a test breaks one place of it."""

import copy
from collections.abc import Callable
from typing import Any

Document = dict[str, Any]

LIMITS: Document = {
    "maxCount": 64,
    "maxLenPerMemory": 0,
    "maxTotalLen": 0,
    "maxLenIndex": 4096,
    "maxLenDescription": 256,
    "maxResults": 25,
}
MEMORIES: Document = {
    "id": "memories",
    "enabled": True,
    "implementation": "scratchpad",
    "params": {"scope": "isolated", **LIMITS},
}
VALID: Document = {
    "name": "quickstart",
    "task": "Summarise exports.csv",
    "root": "analyst",
    "model": {"provider": "scripted", "replies": ["export {}"]},
    "limits": {"maxTurns": 20, "maxRuntimeSecs": 600, "maxConsecutiveErrors": 5},
    "sandbox": {"guestSecs": 30, "memoryMiB": 256},
    "seed": 7,
    "agents": [
        {
            "id": "analyst",
            "execution": "responses_as_code",
            "codeMode": {"typecheck": "error", "healing": {"strip-fences": True}},
            "prompt": "You keep notes.",
            "capabilities": [MEMORIES],
        }
    ],
}


def broken(place: tuple[str | int, ...], value: object) -> Document:
    """The valid document with another value at a place."""
    document = copy.deepcopy(VALID)
    parent: Any = document
    for step in place[:-1]:
        parent = parent[step]
    if isinstance(parent, list) and place[-1] == len(parent):
        parent.append(value)
    else:
        parent[place[-1]] = value
    return document


def changed(change: Callable[[Document], object]) -> Document:
    """The valid document after `change`."""
    document = copy.deepcopy(VALID)
    change(document)
    return document
