"""What the record says of memory calls: what they did, what they looked for, and why they were refused."""

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Final

from host.core.errors import Refusal
from host.core.text import escape_line, shortened
from host.events import MemoryCaps, MemoryPeak, MemoryRead, MemoryRevision, MemorySearch, MemoryState
from host.events import MemoryRefusal as MemoryRefused
from host.memories import MAX_NAME_CHARS, Found, Holder, MemoryRefusal, RevisionEntry
from host.operations.services import Caller

MAX_KEYWORD_CHARS: Final = 100


def memory_state_event(holder: Holder) -> MemoryState:
    """A store as one holder sees it, as the event that reports it."""
    state = holder.state()
    return MemoryState(
        module_id=state.module_id,
        strategy=state.strategy,
        memories=tuple(memory.entry for memory in state.memories),
        count=state.figures.count,
        total_len=state.figures.total_chars,
        total_lines=state.figures.total_lines,
        index_len=holder.strategy.index_chars(state.figures),
        peak=MemoryPeak(
            count=state.peak.count, total_len=state.peak.total_chars, total_lines=state.peak.total_lines
        ),
        caps=MemoryCaps(**asdict(state.caps)),
        scope=state.scope,
        writable=state.writable,
    )


def memory_revision_event(holder: Holder, revision: RevisionEntry) -> MemoryRevision:
    """A mutation, with the whole text as of it, as the event that reports it."""
    return MemoryRevision(
        module_id=holder.module_id,
        name=revision.name,
        revision=revision.revision,
        change=revision.change,
        op=revision.op,
        description=revision.description,
        body=revision.body,
        code=revision.code,
        on_use=revision.on_use,
        len=revision.chars,
        lines=revision.lines,
        author=revision.author,
        turn=revision.turn,
    )


def report_revision(caller: Caller, holder: Holder, revision: RevisionEntry) -> None:
    """Emits a mutation."""
    caller.emit(memory_revision_event(holder, revision))


def report_read(caller: Caller, holder: Holder, name: str, *, hit: bool) -> None:
    """Emits that a memory was asked for, and whether it was there."""
    caller.emit(MemoryRead(module_id=holder.module_id, name=name, hit=hit, turn=caller.turn))


def report_search(caller: Caller, holder: Holder, found: Found) -> None:
    """Emits what was looked for, and what was found of it."""
    caller.emit(
        MemorySearch(
            module_id=holder.module_id,
            keywords=tuple(shortened(word, MAX_KEYWORD_CHARS) for word in found.keywords),
            total=found.total,
            names=tuple(hit.name for hit in found.hits),
            turn=caller.turn,
        )
    )


def refusal_reporter(operation_id: str) -> Callable[[Caller, str, Refusal], None]:
    """Emits each refusal of a call as an event of its own, where the agent keeps memories."""

    def report(caller: Caller, arguments_json: str, refusal: Refusal) -> None:
        holder = caller.holder
        if holder is None:
            return
        of_store = refusal if isinstance(refusal, MemoryRefusal) else None
        caller.emit(
            MemoryRefused(
                module_id=holder.module_id,
                call=operation_id,
                name=(of_store and of_store.name) or name_given(arguments_json),
                code=refusal.code,
                kind=refusal.kind,
                message=refusal.message,
                figure=of_store.figure if of_store else None,
                limit=of_store.limit if of_store else None,
                turn=caller.turn,
            )
        )

    return report


def name_given(arguments_json: str) -> str | None:
    """The slug in arguments of whatever form, on one line and cut; `None` where there is none."""
    try:
        given = json.loads(arguments_json, strict=False)
    except (ValueError, RecursionError):
        return None
    if isinstance(given, list):
        given = next(iter(given), None)
        if isinstance(given, str):
            return _shown(given)
    name = given.get("name") if isinstance(given, dict) else None
    return _shown(name) if isinstance(name, str) else None


def _shown(name: str) -> str:
    return escape_line(shortened(name.strip(), MAX_NAME_CHARS))
