"""A session record as lines, besides its events: agents, how it ended, stores, one memory, checks."""

from collections.abc import Iterable, Iterator
from typing import Final

from host.app import MemoryOfStore, Overview, RevisionRow, StoreOverview
from host.cli.highlight import program_block
from host.cli.lines import Line, Span, block, counted, labeled, line, styled
from host.cli.table import Cell, Column, table
from host.cli.team_lines import STATUS_STYLES
from host.core.text import join_words
from host.events import AgentView, Check, FoldedMemory, FoldedStore, Holding

_AGENT_COLUMNS: Final = (
    Column(title="agent"),
    Column(title="profile", rank=5),
    Column(title="started as", rank=2),
    Column(title="by", rank=3),
    Column(title="status", rank=1),
    Column(title="turns", rank=4, is_number=True),
    Column(title="store"),
)
_HALVES: Final = 4  # columns that the name of a half, or the number of a revision, is indented by


def end_lines(overview: Overview, *, writer: int | None, torn: bool) -> Iterator[Line]:
    """What the events cannot say themselves: that there are no more of them, and why."""
    summary = overview.summary
    yield from cut_lines(overview.events, has_ended=summary is not None, writer=writer, torn=torn)
    if summary is not None and summary.ending is not None:
        yield from block(summary.ending.summary, may_crop=False)
    for mismatch in overview.mismatches:
        yield line(Span("contradiction: ", "bad"), str(mismatch))


def cut_lines(events: int, *, has_ended: bool, writer: int | None, torn: bool) -> Iterator[Line]:
    """That the run has not ended, or that the record is not whole."""
    if not has_ended:
        told = "the run is still going on" if writer is not None else "the run was cut off"
        yield Line()
        yield line(Span(told, "warn"), f" after {counted(events, 'event')}")
    if torn:
        yield line(Span("the last line of the record was cut short and is left out", "warn"))


def agent_table(agents: Iterable[AgentView], *, is_running: bool, width: int | None) -> Iterator[Line]:
    """A line for each agent: how it came to be, how it ended, what it held."""
    rows = [_agent_row(agent, "running" if is_running else "cut off") for agent in agents]
    return table(_AGENT_COLUMNS, rows, width)


def store_lines(overview: StoreOverview, *, is_alone: bool, colours: bool) -> Iterator[Line]:
    """A store: what it holds now, and every revision of every memory that it ever held."""
    store = overview.store
    yield from _store_heading(store, is_alone=is_alone)
    for name, rows in overview.revisions.items():
        held = store.memories.get(name)
        yield _heading(name, held)
        yield from map(_revision_line, rows)
        if held is not None:
            yield from memory_text_lines(held.body, held.code, held.on_use, colours=colours)


def held_lines(store: FoldedStore, *, is_alone: bool, colours: bool) -> Iterator[Line]:
    """A store as it was at one moment: what it held, and at which revisions."""
    yield from _store_heading(store, is_alone=is_alone)
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
    of = f" of {join_words(memory.holders)}" if memory.holders else ""
    store = "" if is_alone else f", in {memory.module_id}{of}"
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


def _store_heading(store: FoldedStore, *, is_alone: bool) -> Iterator[Line]:
    """Its name, and where it is not the run's only one who held it, which the ids tell."""
    state, count = store.state, counted(len(store.memories), "memory")
    yield Line()
    if is_alone:
        how = f" ({state.strategy}, {state.scope})" if state else ""
        yield line(Span("Memories", "strong"), f"{how}: {count}")
        return
    words = {
        "shared": store.is_shared,
        "handed on": store.is_handed_on,
        "never written": not store.is_written,
    }
    told = "".join(f", {word}" for word, is_so in words.items() if is_so)
    how = f" ({state.strategy})" if state else ""
    yield line(Span("Memories", "strong"), f" of {store.module_id}{how}: {count}{told}")
    if store.copied_from is not None:
        yield labeled("copy", f"of {store.copied_from.module_id}")
    for holding in store.holders:
        yield labeled("holder", styled(holding.agent_id, "name"), f" {_hold(holding)}")


def _hold(holding: Holding) -> str:
    """`inherited, to write, under inherited, 15:24:05 to 15:24:31`."""
    origin = f"{holding.origin}, " if holding.origin else ""
    scope = f", under {holding.scope}" if holding.scope else ""
    until = f" to {holding.until.at:%H:%M:%S}" if holding.until else ""
    return f"{origin}to {holding.access}{scope}, {holding.since.at:%H:%M:%S}{until}"


def _agent_row(agent: AgentView, unended: str) -> list[Cell]:
    spawned = agent.spawned
    status = agent.status or unended
    rows = agent.modules.modules if agent.modules else ()
    held = [row for row in rows if row.module_id is not None]
    return [
        Cell(agent.agent_id, "name"),
        Cell(spawned.profile if spawned else ""),
        Cell(spawned.started_as if spawned else ""),
        Cell((spawned.issue or spawned.spawner or "") if spawned else ""),
        Cell(status, STATUS_STYLES.get(status, "bad")),
        Cell(f"{agent.turns:,}"),
        Cell(", ".join(f"{row.module_id}{'' if row.writable else ' to read'}" for row in held)),
    ]


def _heading(name: str, held: FoldedMemory | None) -> Line:
    told = f": {held.description}" if held and held.description else "" if held else " (deleted)"
    return line(styled(name, "name"), told, indent=2)


def _revision_line(row: RevisionRow) -> Line:
    turn = f", turn {row.turn}" if row.turn else ""
    size = "" if row.change == "deleted" else f", {counted(row.len, 'character')}"
    return labeled(f"#{row.revision}", f"{row.change} by {row.author}{turn}{size}", indent=_HALVES)
