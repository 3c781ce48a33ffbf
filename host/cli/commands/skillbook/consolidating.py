"""`gg skillbook consolidate`: similar skills are found, and somebody decides about them."""

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Final

import anyio
import click

from host.app import embedding_measure, masker_from_environment, model_decider, model_plan
from host.cli.commands.skillbook.asking import is_terminal
from host.cli.commands.skillbook.opened import Book, NoBook, book_option, guarded, told, wrong_use
from host.cli.commands.skillbook.operator import Operator
from host.cli.consolidation_lines import difference_lines, report_lines, summary
from host.cli.exit_codes import CEILING, DONE, FAILED
from host.cli.lines import Span, line
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.cli.parameters import WholeNumber
from host.core.errors import system_reason
from host.core.text import quoted
from host.launch import LaunchPlan
from host.skillbook import (
    EVERYWHERE,
    SAME,
    Ceilings,
    Decider,
    Decision,
    Lexical,
    Measure,
    Outcome,
    Report,
    ScriptedDecider,
    Search,
    consolidate,
    decisions_from_json,
)

_DECIDERS: Final = ("ask", "model", "script")
_MEASURES: Final = ("lexical", "embeddings")
_EXIT: Final[dict[Outcome, int]] = {"done": DONE, "could_not": FAILED, "stopped_by_ceiling": CEILING}


class _Number(click.ParamType[Decimal]):
    """A decimal number from 0 to `most`."""

    name = "number"

    def __init__(self, most: int | None = None) -> None:
        self._most: Final = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:  # noqa: ANN401
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            number = Decimal("NaN")
        if not number.is_finite() or number < 0 or (self._most is not None and number > self._most):
            most = "" if self._most is None else f" to {self._most}"
            self.fail(f"{quoted(str(value))} is no number from 0{most}", param, ctx)
        return number


@dataclass(frozen=True, kw_only=True)
class _Who:
    """Who decides: a model, a script, or, where there is neither, the person at the terminal."""

    plan: LaunchPlan | None = None
    script: tuple[Decision, ...] | None = None


@click.command(
    "consolidate",
    short_help="Settle which similar skills are one.",
    epilog=examples(
        "gg skillbook consolidate",
        "gg skillbook consolidate --dry-run --model openai:gpt-5",
        "gg skillbook consolidate --script decisions.json --json",
        "gg skillbook consolidate --measure embeddings --max-questions 10",
    ),
)
@click.option(
    "--decide",
    "who",
    type=click.Choice(_DECIDERS),
    metavar="WHO",
    help="ask, model or script; as --model or --script say, else ask, when omitted.",
)
@click.option("--model", "model", metavar="NAME", help="The model that decides, such as openai:gpt-5.")
@click.option("--base-url", metavar="URL", help="The server that answers in the place of the model's vendor.")
@click.option(
    "--script",
    "script",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help='A JSON file {"decisions": […]} with what is decided.',
)
@click.option(
    "--dry-run", is_flag=True, help="Ask, and show what would change in the book, but change nothing."
)
@click.option(
    "--threshold",
    type=_Number(1),
    metavar="X",
    help="From which similarity on skills are asked about, 0 to 1; the measure's own when omitted.",
)
@click.option("--across-sections", is_flag=True, help="Compare skills of different sections as well.")
@click.option("--scope", metavar="NAME", help="Only skills for this scope, and those for everywhere.")
@click.option(
    "--measure",
    "measure",
    type=click.Choice(_MEASURES),
    metavar="NAME",
    default=_MEASURES[0],
    help="How skills are compared: lexical, or embeddings, which needs the extra; lexical when omitted.",
)
@click.option("--max-questions", type=WholeNumber(1), metavar="N", help="Ask no more than so many questions.")
@click.option(
    "--max-cost",
    type=_Number(),
    metavar="USD",
    help="Ask no more once so many US dollars are spent, by the prices that are known.",
)
@book_option
@json_option
@quiet_option
def consolidate_command(
    who: str | None,
    model: str | None,
    base_url: str | None,
    script: Path | None,
    dry_run: bool,
    threshold: Decimal | None,
    across_sections: bool,
    scope: str | None,
    measure: str,
    max_questions: int | None,
    max_cost: Decimal | None,
    path: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find active skills that are similar, and settle for each group of them which are merged, deleted,
    updated or kept apart, by a person, a model or a script. What is kept apart is not asked again, unless a
    text changed since or the two have become more similar.

    Exits with 1 where something could not be done, such as a question without an answer, and with 3 where a
    ceiling left questions open; what is open is printed. Decisions are carried out one by one, and gg
    skillbook restore takes a merge back.
    """
    output = Output(quiet=quiet)
    where = Book(path)
    chosen = _who(who, model, base_url, script)
    ceilings = Ceilings(max_questions=max_questions, max_cost=max_cost)

    def consolidated() -> int:
        where.read(output)
        if not where.is_there:
            raise NoBook(f"there is no skillbook at {quoted(str(where.shown))}; gg skillbook add makes one")
        search = Search(
            measure=_measure(measure),
            threshold=None if threshold is None else int(threshold * SAME),
            across_sections=across_sections,
            scope=EVERYWHERE if scope is None else scope,
        )

        async def asked(decider: Decider) -> Report:
            return await consolidate(where.file, search, decider, ceilings=ceilings, dry_run=dry_run)

        return _told(_report(chosen, asked, output), output, as_json=as_json)

    return guarded(consolidated, output, as_json=as_json)


def _who(who: str | None, model: str | None, base_url: str | None, script: Path | None) -> _Who:
    """Who is to decide. Raises what the plan of a model does, and `UsageError`."""
    decides = who or ("model" if model is not None else "script" if script is not None else "ask")
    given = {"--model": ("model", model), "--base-url": ("model", base_url), "--script": ("script", script)}
    for option, (fits, value) in given.items():
        if value is not None and decides != fits:
            raise wrong_use(f"{option} is for --decide {fits}; leave it out")
    if decides == "model":
        if model is None:
            raise wrong_use("--decide model needs --model NAME, such as openai:gpt-5")
        return _Who(plan=model_plan(model, base_url))
    if decides == "script":
        if script is None:
            raise wrong_use("--decide script needs --script FILE")
        return _Who(script=_scripted(script))
    if not is_terminal():
        raise wrong_use(
            "it asks on a terminal, and stdin or stderr is none; say who decides, with --model or --script"
        )
    return _Who()


def _scripted(script: Path) -> tuple[Decision, ...]:
    try:
        return decisions_from_json(json.loads(script.read_bytes().decode("utf-8")))
    except OSError as error:
        raise wrong_use(f"--script {quoted(str(script))} cannot be read: {system_reason(error)}") from error
    except (ValueError, RecursionError) as error:
        raise wrong_use(f"--script {quoted(str(script))} holds no decisions: {error}") from error


def _measure(name: str) -> Measure:
    return Lexical() if name == "lexical" else embedding_measure()


def _report(who: _Who, asked: Callable[[Decider], Any], output: Output) -> Report:
    """Runs the pass. Raises `UsageError` for a threshold that the measure refuses."""

    async def main() -> Report:
        if who.plan is not None:
            async with model_decider(who.plan, note=lambda note: output.progress([told(note)])) as decider:
                report: Report = await asked(decider)
            return report
        return await _asked(who.script)

    async def _asked(script: tuple[Decision, ...] | None) -> Report:
        decider: Decider = (
            Operator(output, mask=masker_from_environment().mask)
            if script is None
            else ScriptedDecider(script)
        )
        report: Report = await asked(decider)
        return report

    is_asked = who.plan is None and who.script is None
    shown: AbstractContextManager[None] = _interruptible() if is_asked else output.waiting("consolidating")
    try:
        with shown:
            return anyio.run(main)
    except ValueError as error:
        raise wrong_use(f"--threshold: {error}") from error


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C ends a question at once. An event loop would wait for the line to be typed."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _told(report: Report, output: Output, *, as_json: bool) -> int:
    if as_json:
        output.json(report.to_json())
        return _EXIT[report.outcome]
    if report.is_dry_run:
        output.progress(report_lines(report))
        output.data_lines(difference_lines(report.diff))
    else:
        output.data_lines(report_lines(report))
    output.progress([told(summary(report))])
    output.problem(line(Span("gg: ", "bad"), why) for why in report.why)
    return _EXIT[report.outcome]
