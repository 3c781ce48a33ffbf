"""`gg show`: a session record, as text for a person or as one JSON object."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from host.cli.lines import Line, Span, block, counted, labeled, line, styled
from host.cli.live import Detail, LiveRenderer
from host.cli.options import json_option, quiet_option
from host.cli.output import Output
from host.events import FoldedMemory, FoldedStore, HistoryEntry, RecordReader, RunView, plain

_WHOLE: Final = Detail(program_lines=None, view_lines=20, error_lines=None)


@click.command(short_help="Show the record of a run.")
@click.argument("record", type=click.Path(exists=True, path_type=Path))
@json_option
@quiet_option
def show(record: Path, as_json: bool, quiet: bool) -> None:
    """Show the run that RECORD holds: turns, programs, views, diagnostics, memories with their revisions.

    RECORD is the directory of a session record. A run that is still going on, or was cut off, is shown as far
    as it came.
    """
    output = Output(quiet=quiet)
    with output.waiting("reading"):
        reader = RecordReader(record)
        view = reader.view()
    if as_json:
        output.json({"record": str(record), **plain(view)})
        return
    renderer = LiveRenderer(_WHOLE)
    for stamped in reader.events():
        output.data_lines(renderer.lines(stamped))
    output.data_lines(end_lines(view, reader.writer))
    for store in view.stores.values():
        output.data_lines(store_lines(store))


def store_lines(store: FoldedStore) -> Iterator[Line]:
    """A store: what it holds now, and every revision of every memory it ever held."""
    state = store.state
    how = f" ({state.strategy}, {state.scope})" if state else ""
    yield Line()
    yield line(Span("Memories", "strong"), how, f": {counted(len(store.memories), 'memory')}")
    for name in dict.fromkeys(entry.revision.name for entry in store.history):
        yield from _memory_lines(name, store.memories.get(name), store.revisions_of(name))


def end_lines(view: RunView, writer: int | None) -> Iterator[Line]:
    """What the events cannot say themselves: that there are no more of them, and why."""
    if view.summary is None:
        told = "the run is still going on" if writer is not None else "the run was cut off"
        yield Line()
        yield line(Span(told, "warn"), f" after {counted(view.events, 'event')}")
    if view.torn:
        yield line(Span("the last line of the record was cut short and is left out", "warn"))
    if view.summary is not None and view.summary.ending is not None:
        yield from block(view.summary.ending.summary, may_crop=False)
    for mismatch in view.mismatches:
        yield line(Span("contradiction: ", "bad"), str(mismatch))


def _memory_lines(name: str, held: FoldedMemory | None, history: tuple[HistoryEntry, ...]) -> Iterator[Line]:
    told = f": {held.description}" if held and held.description else "" if held else " (deleted)"
    yield line(styled(name, "name"), told, indent=2)
    for entry in history:
        revision = entry.revision
        turn = f", turn {revision.turn}" if revision.turn else ""
        size = "" if revision.change == "deleted" else f", {counted(revision.len, 'character')}"
        yield labeled(
            f"#{revision.revision}", f"{revision.change} by {revision.author}{turn}{size}", indent=4
        )
    if held is not None:
        yield from block(held.body)
        for label, half in (("code", held.code), ("onUse", held.on_use)):
            if half:
                yield labeled(label, indent=4)
                yield from block(half, style="dim")
