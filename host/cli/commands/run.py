"""`gg run`: a session, watched as it happens."""

import os
import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

import click

from host.app import RunResult, Session
from host.cli.failures import INTERRUPTED
from host.cli.lines import Line, Span, line, one_line
from host.cli.live import LiveRenderer
from host.cli.options import json_option, quiet_option
from host.cli.output import Output
from host.core.text import escape_controls
from host.events import Defect, LimitExceeded, ModelReply, Prompt, SessionSummary, StampedEvent, TurnOutcome
from host.launch import load

_FIRST: Final = "stopping at the end of this turn; press Ctrl-C again to stop at once"
_SECOND: Final = "stopped at once; {record} holds every turn that ended"


@click.command(short_help="Run a session and watch it.")
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Directory of the session record, absent or empty; .gg/runs/ID when omitted.",
)
@json_option
@quiet_option
def run(config: Path, out: Path | None, as_json: bool, quiet: bool) -> int:
    """Run the session that CONFIG describes: a file *.json, *.yaml or *.toml, or a folder with one run.*.

    Prints the ending's summary, or with --json one object {status, exitCode, ending, record, usage}. What
    happens meanwhile goes to stderr. Ctrl-C stops at the end of the turn, twice at once.
    """
    _refuse_used_directory(out)
    output = Output(quiet=quiet)
    session = Session.create(load(config), out=out)
    watcher = _Watcher(output)
    session.subscribe(watcher)
    with output.waiting("starting"), _interruptible(session, output):
        result = session.run()
    if result.error is not None and (quiet or not watcher.told_why):
        output.problem([line(Span(f"{result.status}: ", "bad"), result.error)])
    _conclude(result, output, as_json=as_json)
    return result.exit_code


def _refuse_used_directory(out: Path | None) -> None:
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise click.UsageError(f"--out {out} is in use; name a directory that is absent or empty")


def result_json(result: RunResult) -> dict[str, object]:
    """What `--json` prints."""
    ending = result.ending
    return {
        "status": result.status,
        "exitCode": result.exit_code,
        "ending": {"kind": ending.kind, "summary": ending.summary} if ending else None,
        "record": str(result.record),
        "usage": {"inputTokens": result.usage.input_tokens, "outputTokens": result.usage.output_tokens},
    }


class _Watcher:
    """Shows each event as it is recorded, and what is waited for next.

    `told_why`: an event said what ended the run; one that cannot be written is told by none.
    """

    def __init__(self, output: Output) -> None:
        self._output: Final = output
        self._renderer: Final = LiveRenderer()
        self.told_why = False

    def __call__(self, stamped: StampedEvent) -> None:
        self._output.progress(self._renderer.lines(stamped))
        match stamped.event:
            case Defect() | LimitExceeded() | SessionSummary():
                self.told_why = True
            case Prompt(turn=turn):
                self._output.doing(f"turn {turn}: waiting for the model")
            case ModelReply(turn=turn):
                self._output.doing(f"turn {turn}: running the program")
            case TurnOutcome(turn=turn):
                self._output.doing(f"turn {turn}: done")


@contextmanager
def _interruptible(session: Session, output: Output) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM cancels at the next turn boundary, the second ends the process."""
    presses = 0

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal presses
        presses += 1
        if presses == 1:
            session.cancel()
            output.say_at_once(_FIRST)
            return
        # Threads may be inside exchanges that only their workers' death would end. All children die with this
        # process, and the record needs no closing to be loadable.
        output.say_at_once(_SECOND.format(record=one_line(str(session.record))))
        os._exit(INTERRUPTED)

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _conclude(result: RunResult, output: Output, *, as_json: bool) -> None:
    if as_json:
        output.json(result_json(result))
    elif result.ending is not None:
        output.data(escape_controls(result.ending.summary))
    output.progress([*_next_steps(result)])


def _next_steps(result: RunResult) -> Iterator[Line]:
    yield line(Span("record  ", "dim"), str(result.record))
    yield line(Span("show    ", "dim"), f"gg show {shlex.quote(str(result.record))}")
