"""`gg check`: programs, code memories and skills, compiled and type-checked as a run would."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final

import click
from rich.console import Console

from host.app import (
    Checked,
    CheckRefused,
    CheckSettings,
    SourceReader,
    check_targets,
    configured,
    find_targets,
    watch_paths,
)
from host.cli.check_report import error_count, github_lines, human_lines, report_json, summary_line
from host.cli.exit_codes import DONE, FAILED, INTERRUPTED
from host.cli.interrupts import handled
from host.cli.lines import labeled, styled
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output, stdout_of_others
from runtime_js import UnitKind

_STEP: Final = 10  # texts, after which the progress is told anew

Show = Callable[[Checked], None]


@click.command(
    short_help="Compile and type-check programs, skills and code memories.",
    epilog=examples(
        "gg check programs/*.ts",
        "gg check skills/csv --watch",
        "gg check skills --config study.yaml --agent reader",
    ),
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
@click.option("--watch", is_flag=True, help="Check again on every save, until Ctrl-C.")
@json_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["human", "github"]),
    metavar="FORM",
    help="human, or github: the annotations of a workflow.",
)
@click.option(
    "--as",
    "kind",
    type=click.Choice([kind.value for kind in UnitKind]),
    metavar="KIND",
    help="What files are: program (when omitted), module (a memory's code) or on-use.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="CONFIG",
    help="Check all as an agent's of this configuration, with its tools. Servers of these are started.",
)
@click.option("--agent", metavar="ID", help="Which agent of CONFIG; the root when omitted.")
@quiet_option
def check(
    paths: tuple[Path, ...],
    watch: bool,
    as_json: bool,
    form: str | None,
    kind: str | None,
    config: Path | None,
    agent: str | None,
    quiet: bool,
) -> int:
    """Compile and type-check what is at PATH…, as a run would. Nothing is run.

    PATH is a program, a whole reply (*.md, *.txt), a folder of programs and skills, a skill (a folder with
    skill.md), or a session record, whose code memories are checked against the SDK as it is now.

    It knows no tools unless --config says whose they are.

    Prints located diagnostics, or with --json one object {files, errors, warnings, diagnostics}, which
    --watch prints for each pass. Exits with 1 if there is an error.
    """
    if as_json and form is not None:
        raise _wrong_use("--json and --format are two forms of one report; leave one out")
    output = Output(quiet=quiet)
    show = None if as_json else _github(output) if form == "github" else _human(output)
    unit_kind = None if kind is None else UnitKind(kind)
    try:
        with _settings(config, agent, output) as settings:
            if watch:
                return _watch(paths, unit_kind, settings, output, show)
            return _check(paths, unit_kind, settings, output, show)
    except CheckRefused as refused:
        raise _wrong_use(str(refused)) from refused


def _wrong_use(message: str) -> click.UsageError:
    return click.UsageError(message, ctx=click.get_current_context())


@contextmanager
def _settings(config: Path | None, agent: str | None, output: Output) -> Iterator[CheckSettings | None]:
    """Those of the agent, while the servers of its tools run."""
    if config is None:
        if agent is not None:
            raise _wrong_use("--agent is one of a configuration; name that with --config")
        yield None
        return
    with ExitStack() as stack:
        with output.waiting("starting the tools of the agent"), stdout_of_others():
            tell = partial(_tell, output)
            settings = stack.enter_context(configured(config, agent=agent, tell=tell))
        yield settings


def _tell(output: Output, told: str) -> None:
    """A line about the tools, or of one of their servers."""
    output.progress([labeled("gg", styled(told, "dim"))])


def _check(
    paths: Sequence[Path],
    kind: UnitKind | None,
    settings: CheckSettings | None,
    output: Output,
    show: Show | None,
) -> int:
    """`show` is given each text as it is done; without it all are told at the end, as JSON."""
    checked: list[Checked] = []
    with output.waiting("looking for what to check"):
        reader = SourceReader()
        targets = find_targets(paths, reader, kind=kind, settings=settings).targets
        output.doing("checking")
        for each in check_targets(targets, reader):
            checked.append(each)
            if len(checked) % _STEP == 0:
                output.doing(f"checked {len(checked):,} of {len(targets):,}")
            if show is not None:
                show(each)
    return _conclude(checked, output, show)


def _watch(
    paths: Sequence[Path],
    kind: UnitKind | None,
    settings: CheckSettings | None,
    output: Output,
    show: Show | None,
) -> int:
    code = DONE
    with _stopped_by_signals() as stop:
        passes = watch_paths(paths, stop=stop, kind=kind, settings=settings)
        with output.waiting("checking"):
            checked = next(passes, None)
        while checked is not None:
            if show is not None:
                _clear()
                for each in checked:
                    show(each)
            code = _conclude(checked, output, show, more="; watching, Ctrl-C ends it")
            checked = next(passes, None)
    return code


def _conclude(checked: Sequence[Checked], output: Output, show: Show | None, *, more: str = "") -> int:
    if show is None:
        output.json(report_json(checked))
    output.progress([summary_line(checked, more=more)])
    return FAILED if error_count(checked) else DONE


def _human(output: Output) -> Show:
    return lambda checked: output.data_lines(human_lines(checked))


def _github(output: Output) -> Show:
    def show(checked: Checked) -> None:
        for command in github_lines(checked):
            output.data(command)

    return show


def _clear() -> None:
    """An empty screen for the next pass, where there is one."""
    if not Console().is_dumb_terminal:
        click.clear()  # which does nothing where stdout is no terminal


@contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """Ctrl-C and SIGTERM set the event; a second one ends a process that a compiler holds up."""
    stop = threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(INTERRUPTED)
        stop.set()

    with handled(interrupt):
        yield stop
