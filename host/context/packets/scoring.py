"""The envelope of a packet, computed from what the packet holds and never from what it says of itself."""

from dataclasses import dataclass, field
from typing import Final

from host.context.codes import (
    AUTHORITY_CONFLICT,
    BUDGET_EXCEEDED,
    BUDGET_TOO_SMALL,
    STALE,
    TASK_MISSING,
    UNVERIFIED,
)
from host.context.packets.packet import SECTIONS, Conflict, ContextPacket
from host.core.context_item import INSTRUCTING, ContextItem
from host.core.envelope import Enveloped, Evidence, Warned, WarningCard
from host.core.text import counted, join_words, quoted

CHECKS_RUN: Final = ("task", "budget", "trust and authority", "conflicts", "freshness")
NOT_CHECKED: Final = (
    "relevance",
    "truth",
    "instructions in untrusted text",
    "secrets of unknown shapes",
    "what was left out",
)
RECOMPUTED: Final = frozenset({AUTHORITY_CONFLICT, BUDGET_TOO_SMALL, STALE, TASK_MISSING})
"""The codes that a packet's content alone tells."""
_MAX_NAMED: Final = 10
_KEPT: Final = ("task", "output_contract")


@dataclass(frozen=True, kw_only=True)
class ContextScorecard(Enveloped):
    """What a packet comes to: its size in tokens, by section, and the envelope that its content earns."""

    tokens: int
    budget: int
    tokens_by_section: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """The scorecard as JSON values."""
        return {
            **self.envelope_json(),
            "tokens": self.tokens,
            "budget": self.budget,
            "tokens_by_section": self.tokens_by_section,
        }


def score_packet(packet: ContextPacket) -> ContextScorecard:
    """The envelope that a packet's content earns. Its own state, code, evidence and card are not looked at.

    A packet over its budget, which no assembly makes, is blocked.
    """
    sizes = packet.tokens_by_section()
    tokens = sum(sizes.values())
    blocked = tuple(_blocking(packet, sizes, tokens))
    evidence = (*blocked, *_warnings(packet))
    code, message = UNVERIFIED, "nothing checks that the items are relevant or true"
    if blocked:
        code, message = blocked[0].code, blocked[0].detail
    return ContextScorecard(
        completion_state="blocked-escalated" if blocked else "qualified-draft",
        code=code,
        message=message,
        evidence=evidence,
        warning_card=WarningCard(
            checks_run=CHECKS_RUN, not_checked=NOT_CHECKED, warnings=tuple(_warned(packet))
        ),
        tokens=tokens,
        budget=packet.budget,
        tokens_by_section=sizes,
    )


def conflict_evidence(conflicts: tuple[Conflict, ...]) -> tuple[Evidence, ...]:
    """One warning for each of the conflicts."""
    return tuple(
        Evidence(
            code=AUTHORITY_CONFLICT,
            detail=f"{quoted(conflict.kept_source)} ({conflict.kept_authority}) stays in {conflict.section} "
            f"under {quoted(conflict.key)}; {quoted(conflict.dropped_source)} "
            f"({conflict.dropped_authority}) says otherwise",
        )
        for conflict in conflicts
    )


def _blocking(packet: ContextPacket, sizes: dict[str, int], tokens: int) -> list[Evidence]:
    found = []
    if not packet.task or not all(item.value.strip() for item in packet.task):
        found.append(Evidence(code=TASK_MISSING, detail="the packet has no task; say what is to be done"))
    needed = sum(sizes.get(name, 0) for name in _KEPT)
    if needed > packet.budget:
        detail = (
            f"the task and the output contract take {counted(needed, 'token')}, budget {packet.budget:,}; "
            "raise the budget or shorten them"
        )
        found.append(Evidence(code=BUDGET_TOO_SMALL, detail=detail, more={"needed": needed}))
    elif tokens > packet.budget:
        detail = f"the items take {counted(tokens, 'token')}, budget {packet.budget:,}; prune the packet"
        found.append(Evidence(code=BUDGET_EXCEEDED, detail=detail, more={"tokens": tokens}))
    return found


def _warnings(packet: ContextPacket) -> list[Evidence]:
    found = [*conflict_evidence(packet.conflicts), *conflict_evidence(tuple(_contradictions(packet)))]
    stale = [item for item in packet.items() if item.freshness_class == "stale"]
    if stale:
        names = join_words(quoted(item.source) for item in stale[:_MAX_NAMED])
        detail = f"{counted(len(stale), 'item')} not changed for a long time: {names}"
        found.append(Evidence(code=STALE, detail=detail, more={"count": len(stale)}))
    return found


def _contradictions(packet: ContextPacket) -> list[Conflict]:
    """Items that an assembly would not have left side by side."""
    first: dict[tuple[str, str], ContextItem] = {}
    found = []
    for name in SECTIONS:
        for item in packet.section(name):
            kept = first.setdefault((name, item.key), item)
            if kept.value != item.value:
                found.append(conflict_of(name, kept, item))
    return found


def conflict_of(section: str, kept: ContextItem, dropped: ContextItem) -> Conflict:
    return Conflict(
        section=section,
        key=kept.key,
        kept_source=kept.source,
        kept_authority=kept.authority,
        dropped_source=dropped.source,
        dropped_authority=dropped.authority,
    )


def _warned(packet: ContextPacket) -> list[Warned]:
    """Untrusted items that claim, or claimed, an authority which they cannot have."""
    claimed = tuple(
        item.key
        for item in packet.items()
        if item.trust == "untrusted" and (item.authority in INSTRUCTING or "lowered_from" in item.metadata)
    )
    return [Warned(failure_mode="prompt_injection", record_ids=claimed)] if claimed else []
