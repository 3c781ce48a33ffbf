"""A document with several agents that may be launched, and how a test changes a place of it."""

import copy
from typing import Any, Final

from tests.host.launch.documents import LIMITS, Document

DELEGATION: Final[Document] = {"id": "delegation", "enabled": True}
REPLIES: Final[Document] = {"provider": "scripted", "replies": ["export {}"]}


def memories(strategy: str = "markdown", scope: str = "inherited", **changes: object) -> Document:
    """The capability with every limit written."""
    return {
        "id": "memories",
        "enabled": True,
        "implementation": strategy,
        "params": {"scope": scope, **LIMITS},
        **changes,
    }


def agent(id_: str, *capabilities: Document, roster: list[Document] | None = None) -> Document:
    """An agent; it has no `roster` unless one is given."""
    made: Document = {"id": id_, "capabilities": copy.deepcopy(list(capabilities))}
    return made if roster is None else {**made, "roster": roster}


TEAM: Final[Document] = {
    "name": "team",
    "task": "Summarise exports.csv",
    "root": "lead",
    "model": REPLIES,
    "maxParallel": 3,
    "agents": [
        agent(
            "lead",
            DELEGATION,
            memories(scope="isolated"),
            roster=[{"agent": "reader", "as": "subagent"}, {"agent": "judge", "as": "reviewer"}],
        ),
        agent("reader", memories()),
        agent("judge", memories("scratchpad", "read-only")),
    ],
    "states": {
        "plan": {"agent": "lead", "to": {"do": {"transfer": ["memories"]}, "plan": {}}},
        "do": {"agent": "reader"},
    },
    "board": {"implementer": "reader", "reviewer": "judge", "merge": "reader"},
}


def put(place: tuple[str | int, ...], value: object) -> Document:
    """The document with another value at a place, which may be one past the end of a list."""
    document = copy.deepcopy(TEAM)
    at: Any = document
    for step in place[:-1]:
        at = at[step]
    if isinstance(at, list) and place[-1] == len(at):
        at.append(value)
    else:
        at[place[-1]] = value
    return document
