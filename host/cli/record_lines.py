"""A session record as lines, besides its events: how it ended, its stores, one memory, its checks."""

from collections.abc import Iterable, Iterator
from typing import Final

from host.app import MemoryOfStore, Overview, RevisionRow, StoreOverview
from host.cli.highlight import program_block
from host.cli.lines import Line, Span, block, counted, labeled, line, styled
from host.events import Check, FoldedMemory, FoldedStore, MemoryState

_HALVES: Final = 4  # columns that the name of a half, or the number of a revision, is indented by


def end_lines(overview: Overview, *, writer: int | None, torn: bool) -> Iterator[Line]:
    """What the events cannot say themselves: that there are no more of them, and why."""
    summary = overview.summary
    if summary is None:
        told = "the run is still going on" if writer is not None else "the run was cut off"
        yield Line()
        yield line(Span(told, "warn"), f" after {counted(overview.events, 'event')}")
    if torn:
        yield line(Span("the last line of the record was cut short and is left out", "warn"))
    if summary is not None and summary.ending is not None:
        yield from block(summary.ending.summary, may_crop=False)
    for mismatch in overview.mismatches:
        yield line(Span("contradiction: ", "bad"), str(mismatch))


def store_lines(store: StoreOverview, *, is_alone: bool, colours: bool) -> Iterator[Line]:
    """A store: what it holds now, and every revision of every memory that it ever held."""
    yield from _store_heading(store.module_id, store.state, len(store.memories), is_alone=is_alone)
    for name, rows in store.revisions.items():
        held = store.memories.get(name)
        yield _heading(name, held)
        yield from map(_revision_line, rows)
        if held is not None:
            yield from memory_text_lines(held.body, held.code, held.on_use, colours=colours)


def held_lines(store: FoldedStore, *, is_alone: bool, colours: bool) -> Iterator[Line]:
    """A store as it was at one moment: what it held, and at which revisions."""
    yield from _store_heading(store.module_id, store.state, len(store.memories), is_alone=is_alone)
    for name, held in store.memories.items():
        yield _heading(name, held)
        yield labeled(f"#{held.revision}", counted(held.len, "character"), indent=_HALVES)
        yield from memory_text_lines(held.body, held.code, held.on_use, colours=colours)


def memory_lines(
    name: str, memory: MemoryOfStore, *, with_revisions: bool, is_alone: bool, colours: bool
) -> Iterator[Line]:
    """One memory, whole: as the shown revision left it, and all revisions where none was asked for."""
    shown = memory.shown
    told = f": {shown.description}" if shown.description else ""
    deleted = " (deleted)" if shown.change == "deleted" else ""
    store = "" if is_alone else f", in {memory.module_id}"
    yield line(styled(name, "name"), f"{deleted}{told}{store}")
    if with_revisions:
        yield from map(_revision_line, memory.revisions)
    else:
        yield _revision_line(next(row for row in memory.revisions if row.revision == shown.revision))
    yield from memory_text_lines(shown.body, shown.code, shown.on_use, colours=colours, whole=True)


def memory_text_lines(
    body: str, code: str | None, on_use: str | None, *, colours: bool, whole: bool = False
) -> Iterator[Line]:
    """The texts of a memory; `whole` cuts no line of them, however narrow the terminal is."""
    if body:
        yield from block(body, may_crop=not whole, may_cut=not whole)
    for label, half in (("code", code), ("onUse", on_use)):
        if half:
            yield labeled(label, indent=_HALVES)
            yield from program_block(half, may_crop=not whole, may_cut=not whole, colours=colours)


def check_lines(checks: Iterable[Check]) -> Iterator[Line]:
    """`ok     prompts    hashes of 5 prompts`, and below what is wrong."""
    for check in checks:
        mark = Span("ok     ", "good") if check.ok else Span("wrong  ", "bad")
        yield line(mark, Span(check.name.ljust(11)), check.looked_at)
        for problem in check.problems:
            yield line(problem, indent=18, lead=Span("- ", "bad"))
        hidden = check.wrong - len(check.problems)
        if hidden:
            yield line(f"… {hidden:,} more", indent=18)


def _store_heading(
    module_id: str, state: MemoryState | None, count: int, *, is_alone: bool
) -> Iterator[Line]:
    how = f" ({state.strategy}, {state.scope})" if state else ""
    which = "" if is_alone else f" of {module_id}"
    yield Line()
    yield line(Span("Memories", "strong"), which, how, f": {counted(count, 'memory')}")


def _heading(name: str, held: FoldedMemory | None) -> Line:
    told = f": {held.description}" if held and held.description else "" if held else " (deleted)"
    return line(styled(name, "name"), told, indent=2)


def _revision_line(row: RevisionRow) -> Line:
    turn = f", turn {row.turn}" if row.turn else ""
    size = "" if row.change == "deleted" else f", {counted(row.len, 'character')}"
    return labeled(f"#{row.revision}", f"{row.change} by {row.author}{turn}{size}", indent=_HALVES)
