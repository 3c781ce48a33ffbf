"""The limits in force of an agent's memories, told where each call is described."""

from collections.abc import Iterator, Mapping

from host.core.text import counted
from host.memories import Caps, Holder


def limit_notes(holder: Holder | None) -> Mapping[str, str]:
    """Operation id to a sentence on the limits that the call can meet; what is lifted is not told."""
    if holder is None:
        return {}
    strategy, caps = holder.strategy, holder.caps
    of_body = (("a body", caps.max_len_per_memory),)
    of_all = (("all bodies together", caps.max_total_len),)
    of_whole = (
        ("a description", caps.max_len_description),
        *of_body,
        *of_all,
        ("the index", caps.max_len_index),
    )
    told = {
        strategy.creates: [*_most(caps), *_lengths(of_whole)],
        strategy.revises: list(_lengths(of_whole)),
        strategy.edits: list(_lengths((*of_body, *of_all))),
        strategy.searches: [f"{counted(caps.max_results, 'hit')} at most"] if caps.max_results else [],
    }
    return {call: _sentence(parts) for call, parts in told.items() if call and parts}


def _most(caps: Caps) -> Iterator[str]:
    if caps.max_count:
        yield f"at most {'1 memory' if caps.max_count == 1 else f'{caps.max_count:,} memories'}"


def _lengths(limits: tuple[tuple[str, int | None], ...]) -> Iterator[str]:
    for what, cap in limits:
        if cap:
            has = "have" if what.startswith("all") else "has"
            yield f"{what} {has} {counted(cap, 'character')} at most"


def _sentence(parts: list[str]) -> str:
    told = "; ".join(parts)
    return f"{told[0].upper()}{told[1:]}."
