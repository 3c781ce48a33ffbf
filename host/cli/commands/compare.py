"""`gg compare`: the same tasks in several ways, side by side."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from host.app import RUNS_FOLDER
from host.cli.compare_lines import comparison_lines, run_line
from host.cli.exit_codes import DONE, FAILED, INTERRUPTED
from host.cli.interrupts import interruptible
from host.cli.lines import Span, line
from host.cli.options import examples, json_option, quiet_option, refuse_used
from host.cli.output import Output, OutputLost
from host.cli.parameters import WholeNumber
from host.core.clock import Clock, SystemClock
from host.core.errors import system_reason
from host.core.ids import new_run_id
from host.core.text import join_words, nearest, quoted
from host.experiments import (
    Comparison,
    RunOutcome,
    RunSpec,
    Study,
    StudyRunner,
    comparison_json,
    given_model,
    load_study,
    page,
    plots_problem,
    write_comparison,
)
from host.experiments import compare as compare_runs

STUDIES_FOLDER: Final = RUNS_FOLDER.with_name("compare")


def _refuse_folder(context: click.Context, parameter: click.Parameter, file: Path | None) -> Path | None:
    if file is not None and not os.path.isdir(file.parent):
        raise click.UsageError(f"--html {file}: {file.parent} is no directory; make it first", ctx=context)
    if file is not None and os.path.isdir(file):
        raise click.UsageError(f"--html {file} is a directory; name a file", ctx=context)
    return file


@click.command(
    short_help="Run the same tasks in both modes, side by side.",
    epilog=examples(
        "gg compare fixtures/tool-calling", "gg compare fixtures/study --html report.html --out records"
    ),
)
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--arm", "arms", multiple=True, metavar="ID", help="Only this arm; may be given again.")
@click.option("--task", "tasks", multiple=True, metavar="ID", help="Only this task; may be given again.")
@click.option("--repeats", type=WholeNumber(1), metavar="N", help="Runs of each task in each arm.")
@click.option(
    "--model",
    metavar="M",
    help="The model of every agent, in place of those written: a name, or a configuration that has it.",
)
@click.option(
    "--parallel", type=WholeNumber(1), metavar="N", default=1, help="Runs at a time; 1 when omitted."
)
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    metavar="FILE",
    callback=_refuse_folder,
    help="Write one self-contained page with plots.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    callback=refuse_used,
    help="Directory of the records, absent or empty; .gg/compare/ID when omitted.",
)
@json_option
@quiet_option
def compare(
    config: Path,
    arms: Sequence[str],
    tasks: Sequence[str],
    repeats: int | None,
    model: str | None,
    parallel: int,
    html: Path | None,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Run the tasks of CONFIG in each arm, and print side by side what each arm spent and came to.

    CONFIG is a study {base, tasks, arms, repeats}, a run configuration, which is one task, or a folder with
    one study.* or run.*. Without arms both execution modes are compared.

    Every run has a record, and the figures are taken from it. Exits with 0 when all runs were made and
    recorded, whatever they came to. Ctrl-C keeps the runs that have ended, and prints what they say.
    """
    output = Output(quiet=quiet)
    given = None if model is None else given_model(model)
    study = load_study(config, model=None if given is None else given.written, repeats=repeats)
    study = study.narrowed(
        arms=_known(arms, "--arm", [arm.id for arm in study.arms]),
        tasks=_known(tasks, "--task", [task.id for task in study.tasks]),
    )
    if html is not None and (problem := plots_problem()):
        raise problem
    clock = SystemClock()
    out = out or STUDIES_FOLDER / new_run_id(clock.now())
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"--out {out} cannot be made: {system_reason(error)}") from error
    runner = StudyRunner(study, out, parallel=parallel)
    watcher = _Watcher(output, study, clock, parallel)
    with output.waiting("starting"), interruptible(runner, output):
        outcomes = runner.run(begun=watcher.begun, done=watcher.done)
    comparison = compare_runs(
        study, outcomes, out=out, parallel=parallel, model=None if given is None else given.name
    )
    _tell(comparison, output, html=html, as_json=as_json)
    if runner.is_stopped and comparison.is_partial:
        return INTERRUPTED
    return FAILED if comparison.is_partial else DONE


class _Watcher:
    """Says which runs are under way, how each ended, and how long the rest may take."""

    def __init__(self, output: Output, study: Study, clock: Clock, parallel: int) -> None:
        self._output: Final = output
        self._clock: Final = clock
        self._parallel: Final = parallel
        self._left: Final = {arm.id: len(study.tasks) * study.repeats for arm in study.arms}
        self._planned: Final = len(study.cells) * study.repeats
        self._began_s: Final[dict[str, float]] = {}
        self._took_s: Final[dict[str, list[float]]] = {arm.id: [] for arm in study.arms}
        self._ended = 0

    def begun(self, spec: RunSpec) -> None:
        self._began_s[spec.id] = self._clock.monotonic()
        self._output.doing(f"{self._ended + 1} of {self._planned}: {spec.task}, {spec.arm}{self._estimate()}")

    def done(self, spec: RunSpec, outcome: RunOutcome) -> None:
        self._ended += 1
        self._left[spec.arm] -= 1
        self._took_s[spec.arm].append(self._clock.monotonic() - self._began_s[spec.id])
        self._output.progress([run_line(self._ended, self._planned, outcome, self._estimate())])

    def _estimate(self) -> str:
        """By what the runs of each arm have taken on average; nothing before there is one."""
        took = [seconds for of_arm in self._took_s.values() for seconds in of_arm]
        if not took or self._ended == self._planned:
            return ""
        overall = sum(took) / len(took)
        left_s = sum(
            left * (sum(self._took_s[arm]) / len(self._took_s[arm]) if self._took_s[arm] else overall)
            for arm, left in self._left.items()
        )
        left_s /= self._parallel
        return f"; {left_s / 60:.0f} min left" if left_s > 90 else f"; {left_s:.0f} s left"


def _known(given: Sequence[str], option: str, known: list[str]) -> frozenset[str]:
    for name in given:
        if name not in known:
            near = nearest(name, known, count=1)
            told = f"did you mean {near[0]}?" if near else f"there are {join_words(known)}"
            raise click.UsageError(f"{option} {quoted(name)} is none of the study; {told}")
    return frozenset(given)


def _tell(comparison: Comparison, output: Output, *, html: Path | None, as_json: bool) -> None:
    try:
        write_comparison(comparison)
        if html is not None:
            html.write_text(page(comparison, command=_command()), encoding="utf-8")
    except OSError as error:
        raise OutputLost(f"{error.filename} cannot be written: {system_reason(error)}") from error
    if as_json:
        output.json(comparison_json(comparison))
    else:
        output.data_lines(comparison_lines(comparison, output.width))
    output.progress([line(Span("records  ", "dim"), str(comparison.out))])


def _command() -> str:
    """As it was called, for the page."""
    return shlex.join(["gg", *sys.argv[1:]])
