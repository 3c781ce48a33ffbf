"""Cuts a packet, or a ranked list, down to a budget of tokens."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, TypeVar

from host.context.codes import BUDGET_EXCEEDED
from host.context.packets.packet import (
    HANDLES,
    ContextPacket,
    Section,
    cost,
    handle_of,
    handle_text,
    handles_alone,
)
from host.context.packets.scoring import RECOMPUTED, score_packet
from host.context.retrieval import Handle
from host.core.context_item import ContextItem
from host.core.envelope import Evidence
from host.core.text import join_words

PRUNE_ORDER: Final[tuple[Section, ...]] = (
    "exemplars",
    "notes",
    "repository",
    "results",
    "verification",
    "components",
    "governance",
)
"""The sections that items are dropped from, the first one first. The task and the output contract stay."""

Datum = TypeVar("Datum", ContextItem, Handle)


def prune_packet(packet: ContextPacket, budget: int | None = None) -> ContextPacket:
    """The packet within its budget, or within another one: items go from the end of each section in
    `PRUNE_ORDER`, and with an excerpt the handle of its file.

    The envelope is computed anew; what retrieval warned of stays. Raises `ValueError` for a budget that is no
    whole number.
    """
    within = checked_budget(packet.budget if budget is None else budget)
    over = packet.tokens - within
    kept: dict[str, Any] = {HANDLES: packet.repository_handles}
    for name in PRUNE_ORDER:
        kept[name], over = _shortened(packet.section(name), over)
        if name == "repository":
            kept[HANDLES], over = _handles(packet, kept[name], over)
    dropped = {name: len(getattr(packet, name)) - len(kept[name]) for name in (*PRUNE_ORDER, HANDLES)}
    pruned = replace(packet, budget=within, **kept)
    return enveloped(pruned, evidence=_pruned(dropped, within))


def select_within_budget(data: Iterable[Datum], budget: int) -> list[Datum]:
    """Those of the items or handles, in order, that fit a budget one after the other; one that does not fit
    is skipped.
    """
    selected: list[Datum] = []
    left = budget
    for datum in data:
        if cost(datum) <= left:
            selected.append(datum)
            left -= cost(datum)
    return selected


def enveloped(
    packet: ContextPacket,
    *,
    evidence: Iterable[Evidence] = (),
    checks_run: Iterable[str] = (),
    not_checked: Iterable[str] = (),
) -> ContextPacket:
    """The packet with the envelope that its content earns, and with what was found in making it."""
    card = score_packet(packet)
    earlier = [found for found in packet.evidence if found.code not in RECOMPUTED]
    before = packet.warning_card
    return replace(
        packet,
        completion_state=card.completion_state,
        code=card.code,
        message=card.message,
        evidence=(*card.evidence, *earlier, *evidence),
        warning_card=replace(
            card.warning_card,
            checks_run=tuple(dict.fromkeys((*card.warning_card.checks_run, *before.checks_run, *checks_run))),
            not_checked=tuple(
                dict.fromkeys((*card.warning_card.not_checked, *before.not_checked, *not_checked))
            ),
        ),
    )


def checked_budget(budget: int) -> int:
    """A number of tokens. Raises `ValueError` for what is none."""
    if not isinstance(budget, int) or isinstance(budget, bool):
        raise ValueError(f"budget {budget!r} is no whole number of tokens")
    return budget


def _shortened(items: tuple[ContextItem, ...], over: int) -> tuple[tuple[ContextItem, ...], int]:
    """The items without the last ones, as many as were too much, and how much is too much still."""
    end = len(items)
    while over > 0 and end:
        end -= 1
        over -= cost(items[end])
    return items[:end], over


def _handles(
    packet: ContextPacket, excerpts: tuple[ContextItem, ...], over: int
) -> tuple[tuple[Handle, ...], int]:
    """The handles of the excerpts that are left, and of those that never had one, as many as fit."""
    alone = handles_alone(packet)
    while over > 0 and alone:
        over -= cost(alone[-1])
        alone = alone[:-1]
    named = {handle_text(handle) for item in excerpts if (handle := handle_of(item)) is not None}
    named |= set(map(handle_text, alone))
    return tuple(handle for handle in packet.repository_handles if handle_text(handle) in named), over


def _pruned(dropped: dict[str, int], budget: int) -> list[Evidence]:
    told = {name: count for name, count in dropped.items() if count}
    if not told:
        return []
    listed = join_words(f"{count:,} of {name}" for name, count in told.items())
    detail = f"dropped to fit the budget of {budget:,} tokens: {listed}"
    return [Evidence(code=BUDGET_EXCEEDED, detail=detail, more={"dropped": told})]
