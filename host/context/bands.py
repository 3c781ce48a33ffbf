"""Bands: the kinds of messages that a window is made of, and what each counts for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from host.core.context_item import Authority, ContextItem, Kind, Trust

Band = Literal[
    "system",
    "task",
    "parent",
    "memories",
    "records",
    "skillbook",
    "account",
    "summary",
    "program",
    "answer",
    "calls",
    "result",
    "results",
    "text_view",
    "file_view",
    "docs_view",
    "skill",
    "notice",
    "error",
]


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Which section of a packet a message belongs to, what it counts for and whether it may be believed.
    `source` is where it came from, unless it says so itself.
    """

    section: str
    authority: Authority
    kind: Kind
    trust: Trust
    source: str


def _own(section: str, kind: Kind, authority: Authority = "operational") -> Standing:
    """What gg or its operator says."""
    return Standing(section=section, authority=authority, kind=kind, trust="trusted", source="gg")


def _data(section: str, kind: Kind, source: str) -> Standing:
    """What was found or said, and gives no orders."""
    return Standing(section=section, authority="evidence", kind=kind, trust="untrusted", source=source)


STANDING: Final[Mapping[Band, Standing]] = {
    "system": _own("governance", "instruction", "governance"),
    "task": Standing(
        section="task", authority="user_intent", kind="instruction", trust="trusted", source="caller"
    ),
    "parent": _data("components", "component", "parent agent"),
    "memories": _data("notes", "memory_note", "memories"),
    "records": _data("notes", "memory_note", "records"),
    "skillbook": _data("notes", "memory_note", "skillbook"),
    "account": _data("results", "evidence", "run"),
    "summary": _data("notes", "memory_note", "conversation"),
    "program": _data("results", "model_output", "model"),
    "answer": _data("results", "evidence", "program"),
    "calls": _data("results", "model_output", "model"),
    "result": _data("results", "evidence", "call"),
    "results": _data("results", "model_output", "subagents"),
    "text_view": _data("results", "evidence", "program"),
    "file_view": _data("repository", "evidence", "workspace"),
    "docs_view": _data("components", "component", "documentation"),
    "skill": _own("components", "component"),
    "notice": _own("verification", "verification"),
    "error": _data("verification", "verification", "program"),
}
"""A notice may quote what others have said: it is gg's, and yet of no authority that may instruct."""


def standing_of(item: ContextItem) -> Standing:
    """That of an item which says it of itself."""
    return Standing(
        section=item.section,
        authority=item.authority,
        kind=item.kind,
        trust=item.trust,
        source=item.source,
    )
