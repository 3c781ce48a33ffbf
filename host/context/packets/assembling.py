"""Items become a packet: masked, none above its authority, one for each key, within a budget."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from host.context.codes import UNVERIFIED
from host.context.packets.packet import (
    SECTIONS,
    Conflict,
    ContextPacket,
    handle_of,
    handle_text,
)
from host.context.packets.pruning import checked_budget, enveloped, prune_packet
from host.context.packets.scoring import conflict_of
from host.context.retrieval import Handle
from host.core.context_item import AUTHORITIES, INSTRUCTING, ContextItem
from host.core.scrubbing import scrub
from host.core.text import quoted

MASKING: Final = "recognised secrets masked"


def assemble_packet(
    items: Iterable[ContextItem], budget: int, *, literals: Iterable[str] = ()
) -> ContextPacket:
    """The items as a packet of at most `budget` tokens.

    Secrets in values and sources are masked, also the `literals`. An untrusted item above `operational` is
    lowered to it, which its metadata say (`lowered_from`). Of items under one key of a section the one with
    the highest authority stays, of equals the first; where values differ, that is recorded. Then items are
    dropped in `PRUNE_ORDER` until the rest fits.

    A packet without a task, or whose task and output contract alone do not fit, is blocked. Raises
    `ValueError` for an unknown section and for a budget that is no whole number.
    """
    known = tuple(literals)
    prepared = [_lowered(_masked(_sectioned(item), known)) for item in items]
    winners = _winners(prepared)
    sections: dict[str, Any] = {
        name: tuple(winner for (section, _), winner in winners.items() if section == name)
        for name in SECTIONS
    }
    packet = ContextPacket(
        completion_state="blocked-escalated",  # until it is scored
        code=UNVERIFIED,
        message="not scored",
        budget=checked_budget(budget),
        conflicts=tuple(_conflicts(prepared, winners)),
        **sections,
    )
    packet = replace(packet, repository_handles=_handles(packet.repository))
    return enveloped(prune_packet(packet), checks_run=[MASKING])


def _sectioned(item: ContextItem) -> ContextItem:
    if item.section not in SECTIONS:
        raise ValueError(f"section {quoted(item.section)} is unknown; known are {', '.join(SECTIONS)}")
    return item


def _masked(item: ContextItem, literals: tuple[str, ...]) -> ContextItem:
    value, source = scrub(item.value, literals), scrub(item.source, literals)
    return item if (value, source) == (item.value, item.source) else replace(item, value=value, source=source)


def _lowered(item: ContextItem) -> ContextItem:
    if item.trust == "trusted" or item.authority not in INSTRUCTING:
        return item
    metadata = {**item.metadata, "lowered_from": item.authority}
    return replace(item, authority="operational", metadata=metadata)


def _winners(items: list[ContextItem]) -> Mapping[tuple[str, str], ContextItem]:
    """The item that stays under each section and key, in the order in which keys first appear."""
    winners: dict[tuple[str, str], ContextItem] = {}
    for item in items:
        kept = winners.setdefault((item.section, item.key), item)
        if AUTHORITIES.index(item.authority) < AUTHORITIES.index(kept.authority):
            winners[item.section, item.key] = item
    return winners


def _conflicts(
    items: list[ContextItem], winners: Mapping[tuple[str, str], ContextItem]
) -> Iterable[Conflict]:
    for item in items:
        kept = winners[item.section, item.key]
        if item.value != kept.value:
            yield conflict_of(item.section, kept, item)


def _handles(excerpts: tuple[ContextItem, ...]) -> tuple[Handle, ...]:
    named = {handle_text(handle): handle for item in excerpts if (handle := handle_of(item)) is not None}
    return tuple(named.values())
