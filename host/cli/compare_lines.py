"""The arms of a study side by side, as lines of a console."""

from collections.abc import Callable, Iterator

from host.cli.lines import Line, Span, Style, block, line, styled
from host.cli.table import Cell, Column, table
from host.experiments import (
    OF_KINDS,
    Comparison,
    Counts,
    Part,
    Row,
    RunOutcome,
    correctness,
    head,
    machine,
    notes,
    per_correct,
    rounds,
    spread,
    statuses,
    total,
    verdict,
)

_MOST_LINES = 8


def comparison_lines(comparison: Comparison, width: int | None) -> Iterator[Line]:
    """All that is told of a comparison."""
    yield line(styled(head(comparison), "strong"))
    yield line(styled(machine(comparison), "dim"))
    for part in (comparison.whole, *comparison.kinds):
        yield Line()
        yield line(styled(part.kind or "all kinds", "name"), Span(f", {_tasks(part)}", "dim"))
        yield from table(_columns(comparison), list(_rows(part, comparison)), width)
    yield from _errors(comparison, width)
    yield from _differences(comparison)
    yield from _unhappy(comparison)
    yield Line()
    for note in notes(comparison):
        yield line(styled(note, "dim"))


def run_line(number: int, planned: int, run: RunOutcome, left: str) -> Line:
    """One run that has ended, and what is left."""
    status = "not recorded" if run.measures is None else "cut off" if run.is_cut_off else run.measures.status
    good = run.verdict.outcome == "correct"
    style: Style = "good" if good else "" if run.verdict.outcome == "not checked" else "bad"
    told = f", {run.verdict.outcome}" if run.verdict.outcome != "not checked" else ""
    return line(
        Span(f"{number} of {planned}  ", "dim"),
        styled(f"{run.task}  {run.arm}  ", "name"),
        styled(f"{status}{told}", style),
        Span(left, "dim"),
    )


def _columns(comparison: Comparison) -> list[Column]:
    arms = [
        column
        for arm in comparison.arms
        for column in (
            Column(title=arm, is_number=True),
            Column(title="sum", rank=1, is_number=True),
        )
    ]
    return [Column(title="measure"), *arms, Column(title="better"), Column(title="in pairs of runs")]


def _rows(part: Part, comparison: Comparison) -> Iterator[list[Cell]]:
    yield _counted("correct", part, comparison, correctness)
    yield _counted("status", part, comparison, statuses)
    yield [
        Cell("tokens for each correct run"),
        *(cell for arm in comparison.arms for cell in (Cell(per_correct(part, arm)), Cell(""))),
        Cell(""),
        Cell(""),
    ]
    for row in part.rows:
        if not part.kind or row.key in OF_KINDS:
            yield _row(row, comparison)


def _counted(title: str, part: Part, comparison: Comparison, told: Callable[[Counts], str]) -> list[Cell]:
    cells = [cell for arm in comparison.arms for cell in (Cell(told(part.counts[arm])), Cell(""))]
    return [Cell(title), *cells, Cell(""), Cell("")]


def _row(row: Row, comparison: Comparison) -> list[Cell]:
    better = verdict(row)
    cells = []
    for arm in comparison.arms:
        style: Style = "good" if better == arm else ""
        figure = row.figures[arm]
        cells += [Cell(spread(figure, row.unit), style), Cell(total(figure, row.unit), style)]
    pairs = rounds(row.contest) if better and row.contest.rounds > 1 else ""
    return [Cell(row.title), *cells, Cell(better), Cell(pairs)]


def _errors(comparison: Comparison, width: int | None) -> Iterator[Line]:
    part = comparison.whole
    kinds = [("turn", part.errors), ("call", part.failed_calls)]
    rows = [
        [Cell(f"{what}: {kind}"), *(Cell(str(of_arm[arm])) for arm in comparison.arms), Cell("")]
        for what, counts in kinds
        for kind, of_arm in counts.items()
    ]
    if rows:
        yield Line()
        columns = [Column(title=arm, is_number=True) for arm in comparison.arms]
        yield from table([Column(title="errors by kind"), *columns, Column(title="")], rows, width)


def _differences(comparison: Comparison) -> Iterator[Line]:
    yield Line()
    yield line(Span("what differs, by the records", "dim"))
    for difference in comparison.differences:
        yield line(styled(f"{difference.profile}: {difference.fact}", "name"), indent=2)
        for arm, values in difference.values.items():
            yield line(Span(f"{arm}: ", "dim"), ", ".join(values) or "nothing more", indent=4)
    if not comparison.differences:
        yield line("nothing", indent=2)


def _unhappy(comparison: Comparison) -> Iterator[Line]:
    """Runs that were wrong or not judged, that something else than an ending ended, or that are lost."""
    for run in comparison.runs:
        is_bad = run.verdict.outcome in ("wrong", "check failed")
        if is_bad or run.told:
            yield Line()
            what = run.verdict.outcome if is_bad else run.measures.status if run.measures else "not recorded"
            yield line(styled(f"{run.task}, {run.arm}, {run.repeat}: {what}", "bad"))
            yield from block(run.told, most=_MOST_LINES) if run.told else ()


def _tasks(part: Part) -> str:
    return f"{part.tasks} task{'' if part.tasks == 1 else 's'}"
