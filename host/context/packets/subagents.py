"""What a subagent is given of its parent's context, and what comes back of it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from host.context.packets.assembling import assemble_packet
from host.context.packets.packet import ContextPacket
from host.context.packets.pruning import prune_packet
from host.core.context_item import ContextItem
from host.core.scrubbing import scrub
from host.core.text import escape_line

MAX_SUBAGENT_TOKENS: Final = 2000
MAX_HANDLES: Final = 10
MAX_ITEMS: Final = 3
"""Items of the components, and of the verification, that a subagent gets."""


def subagent_packet(
    packet: ContextPacket, task: str, budget: int | None = None, *, literals: Iterable[str] = ()
) -> ContextPacket:
    """The packet of a subagent: the parent's governance and task, the first components and verification
    items, the subagent's own task, and the first handles, of which it can load the files.

    It takes at most 2,000 tokens, and no more than `budget`, which is the parent's unless given.
    """
    own_task = ContextItem(
        key=_free_key(packet),
        value=task,
        source="parent agent",
        section="task",
        authority="task_contract",
        kind="instruction",
        trust="trusted",
        freshness_class="live",
    )
    items = (
        *packet.governance,
        *packet.task,
        own_task,
        *packet.components[:MAX_ITEMS],
        *packet.verification[:MAX_ITEMS],
    )
    within = min(packet.budget if budget is None else budget, MAX_SUBAGENT_TOKENS)
    child = assemble_packet(items, within, literals=literals)
    return prune_packet(replace(child, repository_handles=packet.repository_handles[:MAX_HANDLES]))


def synthesize_subagent_results(reports: Mapping[str, str] | Iterable[ContextItem | str]) -> ContextItem:
    """What subagents reported, as one item: untrusted, masked, each report quoted under its agent's name.

    `reports` are texts by name, or items, whose source is the name, or texts, which are numbered from 1.
    """
    named = list(_named(reports))
    return ContextItem(
        key="subagent_results",
        value="\n".join(f"{escape_line(name)}:\n{_quoted(scrub(text))}" for name, text in named),
        source="subagents",
        section="results",
        kind="model_output",
        freshness_class="live",
        metadata={"sources": tuple(name for name, _ in named)},
    )


def _free_key(packet: ContextPacket) -> str:
    """A key that none of the tasks has: the parent may be a subagent itself."""
    taken = {item.key for item in packet.task}
    return next(
        key
        for number in range(len(taken) + 1)
        if (key := f"subagent_task_{number + 1}" if number else "subagent_task") not in taken
    )


def _named(reports: Mapping[str, str] | Iterable[ContextItem | str]) -> Iterable[tuple[str, str]]:
    if isinstance(reports, Mapping):
        yield from reports.items()
        return
    for number, report in enumerate([reports] if isinstance(reports, str) else reports, start=1):
        if isinstance(report, ContextItem):
            yield report.source, report.value
        else:
            yield f"subagent {number}", report


def _quoted(text: str) -> str:
    """Each line behind a mark, so that no report can look like another's name."""
    return "\n".join(f"> {line}" for line in text.splitlines())
