"""`gg run`: a session, watched as it happens."""

import shlex
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from host.app import RunResult, Session, environment
from host.cli.approval import person_at_terminal
from host.cli.doing import Doing
from host.cli.interrupts import interruptible
from host.cli.lines import Line, Span, line
from host.cli.live import LiveRenderer
from host.cli.options import examples, json_option, out_option, quiet_option
from host.cli.output import Output, stdout_of_others
from host.cli.person import Person
from host.cli.program_input import program_reader
from host.cli.terminal import kept_terminal
from host.cli.turn_lines import Detail
from host.core.messages import Usage, dollars
from host.core.text import escape_controls
from host.events import Defect, LimitExceeded, SessionSummary, StampedEvent
from host.launch import HumanModel, load

_TITLES_ALONE: Final = Detail(program_lines=0, view_lines=0, calls="named")


@click.command(
    short_help="Run a session and watch it.",
    epilog=examples("gg run fixtures/quickstart", "gg run study.yaml --out records/first --json"),
)
@click.argument("config", type=click.Path(path_type=Path))
@out_option
@json_option
@quiet_option
def run(config: Path, out: Path | None, as_json: bool, quiet: bool) -> int:
    """Run the session that CONFIG describes: a file *.json, *.yaml or *.toml, or a folder with one run.*.

    Prints the ending's summary, or with --json one object {status, exitCode, ending, record, usage}. What
    happens meanwhile goes to stderr. Where a rule of approval is ask, the person at the terminal is asked,
    also with --json and --quiet. Ctrl-C stops at the end of the turn, and a second one at once.
    """
    output = Output(quiet=quiet)
    with stdout_of_others():
        result = _ran(config, out, output, quiet=quiet)
    _conclude(result, output, as_json=as_json)
    return result.exit_code


def _ran(config: Path, out: Path | None, output: Output, *, quiet: bool) -> RunResult:
    plan = load(config, environ=environment())
    asks = any(isinstance(agent.model, HumanModel) for agent in plan.agents)
    has_others = any(agent.delegates for agent in plan.agents)
    person = _person(output, names_agents=has_others) if asks else None
    detail = replace(_TITLES_ALONE if asks else Detail(), colours=output.is_styled)
    watcher = _Watcher(output, LiveRenderer(detail, names_agents=has_others))
    approver = person_at_terminal(output)
    session = Session.create(plan, out=out, ask=person, approve=approver, arriving=watcher.arriving)
    session.subscribe(watcher)
    # Who only watches may be in the background, where the terminal is somebody else's to change.
    with (
        kept_terminal(in_use=asks) as restore,
        nullcontext() if asks else output.waiting("starting"),
        interruptible(session, output, before_exit=restore),
    ):
        result = session.run()
        if approver is not None:
            approver.rest()
    watcher.rest()
    if result.error is not None and (quiet or not watcher.told_why):
        output.problem([line(Span(f"{result.status}: ", "bad"), result.error)])
    return result


def _person(output: Output, *, names_agents: bool) -> Person:
    """Who is shown everything on stderr: stdout is for the summary."""
    read = program_reader(styled=output.is_styled)
    return Person(read, show=output.problem, say=output.problem, names_agents=names_agents)


def result_json(result: RunResult) -> dict[str, object]:
    """What `--json` prints."""
    ending = result.ending
    return {
        "status": result.status,
        "exitCode": result.exit_code,
        "ending": {"kind": ending.kind, "summary": ending.summary} if ending else None,
        "record": str(result.record),
        "usage": _usage_json(result.usage),
    }


def _usage_json(usage: Usage) -> dict[str, object]:
    """Of what is not known there is no key."""
    told: dict[str, object] = {"inputTokens": usage.input_tokens, "outputTokens": usage.output_tokens}
    if usage.cached_input_tokens:
        told["cachedInputTokens"] = usage.cached_input_tokens
    return told if usage.cost is None else {**told, "cost": dollars(usage.cost)}


class _Watcher:
    """Shows each event as it is recorded, and what is waited for next.

    `told_why`: an event said what ended the run; one that cannot be written is told by none.
    """

    def __init__(self, output: Output, renderer: LiveRenderer) -> None:
        self._output: Final = output
        self._renderer: Final = renderer
        self._doing: Final = Doing()
        self.told_why = False

    def __call__(self, stamped: StampedEvent) -> None:
        self._output.progress(self._renderer.lines(stamped))
        self.told_why |= isinstance(stamped.event, Defect | LimitExceeded | SessionSummary)
        if (doing := self._doing.at(stamped)) is not None:
            self._output.doing(doing)

    def arriving(self, agent_id: str, chars: int) -> None:
        """Shows that a reply is on its way."""
        self._output.still_doing(self._doing.arriving(agent_id, chars))

    def rest(self) -> None:
        """Shows what was not shown of turns that were never ended."""
        self._output.progress(self._renderer.rest())


def _conclude(result: RunResult, output: Output, *, as_json: bool) -> None:
    if as_json:
        output.json(result_json(result))
    elif result.ending is not None:
        output.data(escape_controls(result.ending.summary))
    output.progress([*_next_steps(result)])


def _next_steps(result: RunResult) -> Iterator[Line]:
    yield line(Span("record  ", "dim"), str(result.record))
    yield line(Span("show    ", "dim"), f"gg show {shlex.quote(str(result.record))}")
