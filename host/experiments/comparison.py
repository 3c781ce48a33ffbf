"""The arms of a study side by side: what is told of them, whichever way it is shown."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from host.app import VERSION, Machine, this_machine
from host.experiments.measure_table import MEASURES, Measure
from host.experiments.running import RunOutcome
from host.experiments.statistics import Better, Contest, Figure, best_of, contest, figure_of
from host.experiments.study import Study
from host.experiments.surfaces import Difference, Surface, differences


@dataclass(frozen=True, kw_only=True)
class Counts:
    """The runs of one arm, over all tasks or those of a kind. `runs` were made and recorded; of them
    `checked` have a verdict, and of some the check failed. In no figure are runs that were `cut_off` with the
    study, and those that were `lost` since they could not be recorded.
    """

    runs: int
    correct: int
    wrong: int
    check_failed: int
    not_checked: int
    statuses: Mapping[str, int]
    cut_off: int
    lost: int

    @property
    def checked(self) -> int:
        return self.correct + self.wrong


@dataclass(frozen=True, kw_only=True)
class Row:
    """One measure over all arms. `best` are the arms with the best sum, all where it has no better side; the
    `contest` has each task of each repeat as a round, if all arms made it.
    """

    key: str
    title: str
    unit: str
    better: Better
    figures: Mapping[str, Figure | None]
    best: tuple[str, ...]
    contest: Contest


@dataclass(frozen=True, kw_only=True)
class Part:
    """The runs of all tasks, or of the tasks of one kind."""

    kind: str
    tasks: int
    counts: Mapping[str, Counts]
    rows: tuple[Row, ...]
    errors: Mapping[str, Mapping[str, int]]
    failed_calls: Mapping[str, Mapping[str, int]]

    def row(self, key: str) -> Row:
        """The row of a measure."""
        return next(row for row in self.rows if row.key == key)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What a study came to. `planned` runs were to be made; `is_partial` says that some were not, or not to
    their end. `machine` is absent where nothing was compiled. `model` is the one that all arms were given,
    `models` are those that answered, by the records. `pairs_alike`: whether each task had one text and one
    seed in all arms, by the records.
    """

    name: str
    sha256: str
    gg_version: str
    machine: Machine | None
    model: str | None
    models: tuple[str, ...]
    arms: tuple[str, ...]
    tasks: tuple[str, ...]
    repeats: int
    seed: int
    parallel: int
    planned: int
    is_partial: bool
    is_estimated: bool
    pairs_alike: bool
    whole: Part
    kinds: tuple[Part, ...]
    differences: tuple[Difference, ...]
    runs: tuple[RunOutcome, ...]
    out: Path


def compare(
    study: Study, outcomes: Sequence[RunOutcome], *, out: Path, parallel: int = 1, model: str | None = None
) -> Comparison:
    """The comparison of the runs that were made."""
    arms = tuple(arm.id for arm in study.arms)
    tasks = tuple(task.id for task in study.tasks)
    planned = len(study.cells) * study.repeats
    kinds = dict.fromkeys(task.kind for task in study.tasks)
    runs = tuple(sorted(outcomes, key=lambda run: (tasks.index(run.task), arms.index(run.arm), run.repeat)))
    surfaces = {arm: _surface(runs, arm) for arm in arms}
    return Comparison(
        name=study.name,
        sha256=study.sha256,
        gg_version=VERSION,
        machine=this_machine() if study.needs_programs else None,
        model=model,
        models=tuple(sorted(set().union(*(surface.models() for surface in surfaces.values())))),
        arms=arms,
        tasks=tasks,
        repeats=study.repeats,
        seed=study.seed,
        parallel=parallel,
        planned=planned,
        is_partial=sum(run.counts for run in runs) < planned,
        is_estimated=any(run.measures.is_estimated for run in runs if run.measures),
        pairs_alike=_are_alike(runs),
        whole=part_of("", len(tasks), runs, arms),
        kinds=tuple(
            part_of(kind, _tasks_of(study, kind), [run for run in runs if run.kind == kind], arms)
            for kind in kinds
            if len(kinds) > 1
        ),
        differences=differences(surfaces),
        runs=runs,
        out=out,
    )


def part_of(kind: str, tasks: int, runs: Sequence[RunOutcome], arms: Sequence[str]) -> Part:
    """What is told of some runs."""
    return Part(
        kind=kind,
        tasks=tasks,
        counts={arm: _counts([run for run in runs if run.arm == arm]) for arm in arms},
        rows=tuple(
            row for row in (_row(measure, runs, arms) for measure in MEASURES) if any(row.figures.values())
        ),
        errors=_by_kind(runs, arms, lambda run: run.measures.errors if run.measures else {}),
        failed_calls=_by_kind(runs, arms, lambda run: run.measures.failed_calls if run.measures else {}),
    )


def _counts(runs: Sequence[RunOutcome]) -> Counts:
    made = [run for run in runs if run.counts]
    verdicts = Counter(run.verdict.outcome for run in made)
    return Counts(
        runs=len(made),
        correct=verdicts["correct"],
        wrong=verdicts["wrong"],
        check_failed=verdicts["check failed"],
        not_checked=verdicts["not checked"],
        statuses=dict(Counter(run.measures.status for run in made if run.measures)),
        cut_off=sum(run.is_cut_off for run in runs),
        lost=sum(run.measures is None for run in runs),
    )


def _row(measure: Measure, runs: Sequence[RunOutcome], arms: Sequence[str]) -> Row:
    values = {arm: _values(measure, runs, arm) for arm in arms}
    rounds = [
        {arm: values[arm][place] for arm in arms}
        for place in dict.fromkeys(place for of_arm in values.values() for place in of_arm)
        if all(place in values[arm] for arm in arms)
    ]
    figures = {arm: figure_of(list(of_arm.values())) for arm, of_arm in values.items()}
    sums = {arm: sum(each[arm] for each in rounds) for arm in arms if rounds}
    return Row(
        key=measure.key,
        title=measure.title,
        unit=measure.unit,
        better=measure.better,
        figures=figures,
        best=best_of(sums, measure.better, slack=measure.slack),
        contest=contest(rounds, measure.better, slack=measure.slack),
    )


def _values(measure: Measure, runs: Iterable[RunOutcome], arm: str) -> dict[tuple[str, int], float]:
    found = {
        (run.task, run.repeat): measure.of(run.measures)
        for run in runs
        if run.arm == arm and run.counts and run.measures
    }
    return {place: value for place, value in found.items() if value is not None}


def _by_kind(
    runs: Sequence[RunOutcome], arms: Sequence[str], of: Callable[[RunOutcome], Mapping[str, int]]
) -> dict[str, Mapping[str, int]]:
    """How often each kind came in each arm, the kinds by their names."""
    counts: dict[str, Counter[str]] = {arm: Counter() for arm in arms}
    for run in runs:
        if run.counts:
            counts[run.arm].update(of(run))
    kinds = sorted({kind for of_arm in counts.values() for kind in of_arm})
    return {kind: {arm: counts[arm][kind] for arm in arms} for kind in kinds}


def _surface(runs: Iterable[RunOutcome], arm: str) -> Surface:
    merged = Surface()
    for run in runs:
        if run.arm == arm:
            merged.merge(run.surface)
    return merged


def _are_alike(runs: Iterable[RunOutcome]) -> bool:
    found: dict[tuple[str, int], set[tuple[str, int | None]]] = {}
    for run in runs:
        if run.measures is not None:
            place = (run.task, run.repeat)
            found.setdefault(place, set()).add((run.measures.task, run.measures.seed))
    return all(len(each) == 1 for each in found.values())


def _tasks_of(study: Study, kind: str) -> int:
    return sum(task.kind == kind for task in study.tasks)


def tokens_per_correct(part: Part, arm: str) -> float | None:
    """Tokens in and out of all runs of an arm, over those that were correct; `None` where none was."""
    correct = part.counts[arm].correct
    rows = [part.row(key).figures[arm] for key in ("inputTokens", "outputTokens")]
    return sum(figure.total for figure in rows if figure) / correct if correct else None
