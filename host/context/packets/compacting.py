"""A packet as text, within fewer tokens."""

from collections.abc import Iterator

from host.context.packets.packet import SECTIONS, ContextPacket
from host.context.packets.pruning import prune_packet
from host.core.context_item import ContextItem
from host.core.text import escape_line


def compaction(packet: ContextPacket, budget: int) -> str:
    """The packet pruned to a budget, as Markdown in which every value is quoted, and the sources of what
    that left out.

    The budget is that of the values; task and output contract are there in any case.
    """
    pruned = prune_packet(packet, budget)
    return "\n".join((*_kept(pruned), *_left_out(packet, pruned))) + "\n"


def _kept(packet: ContextPacket) -> Iterator[str]:
    for section in SECTIONS:
        for item in packet.section(section):
            yield f"## {section}: {escape_line(item.key)}"
            yield f"{escape_line(item.source)}, {item.authority}, {item.trust}"
            yield from (f"> {line}" for line in item.value.splitlines())
            yield ""


def _left_out(packet: ContextPacket, pruned: ContextPacket) -> Iterator[str]:
    gone: list[ContextItem] = []
    for section in SECTIONS:
        gone += packet.section(section)[len(pruned.section(section)) :]
    if gone:
        yield "## left out"
    yield from (f"- {item.section}: {escape_line(item.source)}" for item in gone)
