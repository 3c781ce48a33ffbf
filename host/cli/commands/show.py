"""`gg show`: a session record, as text for a person or as one JSON object."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from host.app import MemoryName, Overview, memories_named, moment_at
from host.cli.exit_codes import DONE, FAILED
from host.cli.lines import counted, line, styled
from host.cli.live import Detail, LiveRenderer
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.cli.parameters import RecordName, SlugAndRevision, WholeNumber
from host.cli.record_lines import check_lines, end_lines, held_lines, memory_lines, store_lines
from host.events import RecordReader, plain, until_turn, verify_record

_WHOLE: Final = Detail(program_lines=None, view_lines=20, error_lines=None, calls="whole")
_ONE_TURN: Final = replace(_WHOLE, view_lines=None, whole_prompt=True)


@click.command(
    short_help="Show the record of a run.",
    epilog=examples(
        "gg show last",
        "gg show last --memory csv-tools@1",
        "gg show 20261130-1840 --at 3",
        "gg show last --verify",
    ),
)
@click.argument("record", type=RecordName())
@click.option(
    "--memory",
    "name",
    type=SlugAndRevision(),
    metavar="SLUG[@REV]",
    help="One memory, whole: as it is held, with all its revisions, or as revision REV left it.",
)
@click.option(
    "--at", "turn", type=WholeNumber(1), metavar="TURN", help="The run as it stood when that turn had ended."
)
@click.option("--verify", is_flag=True, help="Hold the record against itself; exits with 1 if it is wrong.")
@json_option
@quiet_option
def show(
    record: Path, name: MemoryName | None, turn: int | None, verify: bool, as_json: bool, quiet: bool
) -> int:
    """Show the run that RECORD holds: turns, programs, views, diagnostics, memories with their revisions.

    RECORD is the directory of a session record, the id of one under .gg/runs, the beginning of an id, or
    last. A run that is still going on, or was cut off, is shown as far as it came.
    """
    if verify and (name is not None or turn is not None):
        raise click.UsageError("--verify looks at the whole record; leave --memory and --at out")
    reader = RecordReader(record)
    shown = _Shown(record, reader, Output(quiet=quiet), as_json=as_json)
    if verify:
        return shown.checks()
    if name is not None:
        shown.memory(name, turn)
    elif turn is not None:
        shown.turn(turn)
    else:
        shown.run()
    return DONE


class _Shown:
    """The ways in which a record is shown."""

    def __init__(self, record: Path, reader: RecordReader, output: Output, *, as_json: bool) -> None:
        self._record: Final = record
        self._reader: Final = reader
        self._output: Final = output
        self._as_json: Final = as_json
        self._colours: Final = output.has_colours

    def run(self) -> None:
        """The whole run. As text it is shown while it is read, however long it was."""
        reader, output = self._reader, self._output
        if self._as_json:
            with output.waiting("reading"):
                view = reader.view()
            self._json(plain(view))
            return
        renderer, overview = LiveRenderer(replace(_WHOLE, colours=self._colours)), Overview()
        for stamped in reader.events():
            overview.add(stamped)
            output.data_lines(renderer.lines(stamped))
        output.data_lines(end_lines(overview, writer=reader.writer, torn=reader.torn))
        stores = overview.stores()
        for store in stores:
            output.data_lines(store_lines(store, is_alone=len(stores) == 1, colours=self._colours))

    def turn(self, turn: int) -> None:
        """One turn, and the stores as they were when it had ended."""
        with self._output.waiting("reading"):
            moment = moment_at(self._reader.events(), turn)
        if self._as_json:
            prompts = [{"agentId": agent_id, **plain(prompt)} for agent_id, prompt in moment.prompts]
            stores = plain(moment.stores)
            self._json({"turn": turn, "prompts": prompts, "turns": plain(moment.turns), "stores": stores})
            return
        renderer = LiveRenderer(replace(_ONE_TURN, colours=self._colours))
        for stamped in (*moment.surfaces, *moment.events):
            self._output.data_lines(renderer.lines(stamped))
        for store in moment.stores.values():
            self._output.data_lines(
                held_lines(store, is_alone=len(moment.stores) == 1, colours=self._colours)
            )

    def memory(self, name: MemoryName, turn: int | None) -> None:
        """One memory, at the end or at a turn."""
        events = self._reader.events()
        with self._output.waiting("reading"):
            found = memories_named(events if turn is None else until_turn(events, turn), name)
        if self._as_json:
            self._json({"name": name.slug, "revision": name.revision, "turn": turn, "stores": plain(found)})
            return
        for memory in found:
            lines = memory_lines(
                name.slug,
                memory,
                with_revisions=name.revision is None,
                is_alone=len(found) == 1,
                colours=self._colours,
            )
            self._output.data_lines(lines)

    def checks(self) -> int:
        """Every check; the exit code."""
        with self._output.waiting("checking"):
            checks = verify_record(self._reader)
        wrong = sum(not check.ok for check in checks)
        if self._as_json:
            self._json({"ok": not wrong, "checks": [{"ok": check.ok, **plain(check)} for check in checks]})
        else:
            self._output.data_lines(check_lines(checks))
        told = f"{counted(wrong, 'check')} wrong" if wrong else "the record is right in everything"
        self._output.progress([line(styled(told, "bad" if wrong else "good"))])
        return FAILED if wrong else DONE

    def _json(self, value: dict[str, object]) -> None:
        self._output.json({"record": str(self._record), **value})
