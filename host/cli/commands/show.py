"""`gg show`: a session record, as text for a person or as one JSON object."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from host.app import (
    MemoryName,
    Overview,
    RequestWindow,
    WindowFold,
    WindowTotals,
    agent_of_turn,
    check_agents,
    is_held_by,
    memories_named,
    moment_at,
    only_of,
    windows_at,
)
from host.cli.exit_codes import DONE, FAILED
from host.cli.lines import Line, counted, line, styled
from host.cli.live import LiveRenderer
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.cli.parameters import AgentId, RecordName, SlugAndRevision, WholeNumber
from host.cli.record_lines import (
    agent_table,
    check_lines,
    cut_lines,
    end_lines,
    held_lines,
    memory_lines,
    store_lines,
)
from host.cli.turn_lines import Detail
from host.cli.window_lines import WindowLines
from host.events import (
    RecordReader,
    SessionStarted,
    SessionSummary,
    StampedEvent,
    plain,
    until_turn,
    verify_record,
)

_WHOLE: Final = Detail(program_lines=None, view_lines=20, error_lines=None, calls="whole")
_ONE_TURN: Final = replace(_WHOLE, view_lines=None, whole_prompt=True)


@click.command(
    short_help="Show the record of a run.",
    epilog=examples(
        "gg show last",
        "gg show last --memory csv-tools@1",
        "gg show 20261130-1840 --at 3",
        "gg show last --agent scout --agent scout-2",
        "gg show last --window --at 3",
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
@click.option(
    "--agent",
    "chosen",
    type=AgentId(),
    multiple=True,
    metavar="ID",
    help="The agents to show, one for each time that it is given; all when omitted. With --at whose turn.",
)
@click.option(
    "--window",
    "of_windows",
    is_flag=True,
    help="What the context of each request was made of, by band and by cost. With --at each message, too.",
)
@click.option("--verify", is_flag=True, help="Hold the record against itself; exits with 1 if it is wrong.")
@json_option
@quiet_option
def show(
    record: Path,
    name: MemoryName | None,
    turn: int | None,
    chosen: tuple[str, ...],
    of_windows: bool,
    verify: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Show the run that RECORD holds: its agents, turns, programs, views, diagnostics, memories with their
    revisions.

    RECORD is the directory of a session record, the id of one under .gg/runs, the beginning of an id, or
    last. A run that is still going on, or was cut off, is shown as far as it came.
    """
    if verify and (name is not None or turn is not None or chosen or of_windows):
        others = "--memory, --at, --agent and --window"
        raise click.UsageError(f"--verify looks at the whole record; leave {others} out")
    if of_windows and name is not None:
        raise click.UsageError("--window shows requests; leave --memory out")
    if turn is not None and len(set(chosen)) > 1:
        raise click.UsageError("--at is a turn of one agent; give --agent once")
    reader = RecordReader(record)
    shown = _Shown(record, reader, Output(quiet=quiet), chosen=chosen, as_json=as_json)
    if verify:
        return shown.checks()
    if of_windows:
        shown.windows(turn)
    elif name is not None:
        shown.memory(name, turn)
    elif turn is not None:
        shown.turn(turn)
    else:
        shown.run()
    return DONE


class _Shown:
    """The ways in which a record is shown. `chosen` are the agents to show; none stands for all."""

    def __init__(
        self, record: Path, reader: RecordReader, output: Output, *, chosen: tuple[str, ...], as_json: bool
    ) -> None:
        self._record: Final = record
        self._reader: Final = reader
        self._output: Final = output
        self._as_json: Final = as_json
        self._colours: Final = output.has_colours
        with output.waiting("reading"):
            self._agents: Final = reader.agents()
        known = [agent.agent_id for agent in self._agents]
        check_agents(chosen, known)
        self._shown: Final = [agent_id for agent_id in known if not chosen or agent_id in chosen]
        self._is_filtered: Final = bool(chosen)
        self._are_several: Final = len(known) > 1

    def run(self) -> None:
        """The whole run. As text it is shown while it is read, however long it was."""
        reader, output = self._reader, self._output
        if self._as_json:
            with output.waiting("reading"):
                view = reader.view()
            self._json(plain(only_of(view, self._shown) if self._is_filtered else view))
            return
        renderer, overview = self._renderer(_WHOLE), Overview()
        for stamped in reader.events():
            overview.add(stamped)
            if self._is_shown(stamped):
                output.data_lines(renderer.lines(stamped))
            if self._are_several and isinstance(stamped.event, SessionStarted):
                self._table()
        output.data_lines(renderer.rest())
        output.data_lines(end_lines(overview, writer=reader.writer, torn=reader.torn))
        stores = overview.stores()
        for each in stores:
            if not self._is_filtered or is_held_by(each.store, self._shown):
                output.data_lines(
                    store_lines(each, is_alone=self._is_alone(len(stores)), colours=self._colours)
                )

    def turn(self, turn: int) -> None:
        """One turn, and the stores as they were when it had ended."""
        with self._output.waiting("reading"):
            moment = moment_at(self._reader.events(), turn, self._agent_of(turn))
        if self._as_json:
            prompts = [{"agentId": moment.agent_id, **plain(prompt)} for prompt in moment.prompts]
            told = {"turns": plain(moment.turns), "stores": plain(moment.stores)}
            self._json({"agentId": moment.agent_id, "turn": turn, "prompts": prompts, **told})
            return
        renderer = self._renderer(_ONE_TURN)
        for stamped in (*moment.surfaces, *moment.events):
            self._output.data_lines(renderer.lines(stamped))
        self._output.data_lines(renderer.rest())
        is_alone = self._is_alone(len(moment.stores))
        for store in moment.stores.values():
            self._output.data_lines(held_lines(store, is_alone=is_alone, colours=self._colours))

    def memory(self, name: MemoryName, turn: int | None) -> None:
        """One memory, at the end or at a turn."""
        events = self._reader.events()
        with self._output.waiting("reading"):
            until = events if turn is None else until_turn(events, turn, self._agent_of(turn))
            found = memories_named(until, name, self._shown if self._is_filtered else None)
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

    def windows(self, turn: int | None) -> None:
        """What the context of each request was made of: of all of them while the record is read, or of those
        of a turn.
        """
        reader, output, fold, totals = self._reader, self._output, WindowFold(), WindowTotals()
        requests = self._requests(fold) if turn is None else self._requests_of(turn)
        if self._as_json:
            with output.waiting("reading"):
                kept = tuple(totals.taken(request) for request in requests)
            self._json(plain(totals.report(kept)))
            return
        lines = WindowLines(names_agents=self._are_several, width=output.width, colours=self._colours)
        for request in requests:
            output.data_lines(lines.of(totals.taken(request)))
        output.data_lines(lines.totals(totals))
        if turn is None:
            end = cut_lines(fold.events, has_ended=fold.has_ended, writer=reader.writer, torn=reader.torn)
            output.data_lines(end)

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

    def _requests(self, fold: WindowFold) -> Iterator[RequestWindow]:
        for stamped in self._reader.events():
            requests = fold.add(stamped)
            if self._is_shown(stamped):
                yield from requests
        yield from (request for request in fold.rest() if request.agent_id in self._shown)

    def _requests_of(self, turn: int) -> tuple[RequestWindow, ...]:
        with self._output.waiting("reading"):
            return windows_at(self._reader.events(), turn, self._agent_of(turn))

    def _json(self, value: dict[str, object]) -> None:
        self._output.json({"record": str(self._record), **value})

    def _renderer(self, detail: Detail) -> LiveRenderer:
        return LiveRenderer(replace(detail, colours=self._colours), names_agents=self._are_several)

    def _table(self) -> None:
        shown = [agent for agent in self._agents if agent.agent_id in self._shown]
        is_running = self._reader.writer is not None
        lines = agent_table(shown, is_running=is_running, width=self._output.width)
        self._output.data_lines([Line(), *lines])

    def _is_shown(self, stamped: StampedEvent) -> bool:
        is_of_run = isinstance(stamped.event, SessionStarted | SessionSummary)
        return not self._is_filtered or is_of_run or stamped.agent_id in self._shown

    def _is_alone(self, stores: int) -> bool:
        """Whether a store need not be named: it is the only one, and one agent alone can have held it."""
        return stores == 1 and not self._are_several

    def _agent_of(self, turn: int) -> str | None:
        """Whose turn of that number is meant; `None` where the run has but one agent."""
        if not self._are_several:
            return None
        return agent_of_turn(self._reader.events(), turn, self._shown)
