"""The same tasks run in several ways, and what each way spends and comes to."""

from host.experiments.checks import CheckResult, Verdict
from host.experiments.comparison import Comparison, Counts, Part, Row, compare
from host.experiments.given_model import GivenModel, given_model
from host.experiments.html_page import page, plots_problem
from host.experiments.json_form import comparison_json, write_comparison
from host.experiments.loading import load_study
from host.experiments.measure_table import MEASURES, OF_KINDS, Measure
from host.experiments.metrics import Measures, Phases, measure
from host.experiments.running import RunOutcome, StudyRunner, make_run
from host.experiments.statistics import Contest, Figure
from host.experiments.study import Arm, RunSpec, Study, Task
from host.experiments.surfaces import Difference
from host.experiments.wording import (
    amount,
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

__all__ = [
    "MEASURES",
    "OF_KINDS",
    "Arm",
    "CheckResult",
    "Comparison",
    "Contest",
    "Counts",
    "Difference",
    "Figure",
    "GivenModel",
    "Measure",
    "Measures",
    "Part",
    "Phases",
    "Row",
    "RunOutcome",
    "RunSpec",
    "Study",
    "StudyRunner",
    "Task",
    "Verdict",
    "amount",
    "compare",
    "comparison_json",
    "correctness",
    "given_model",
    "head",
    "load_study",
    "machine",
    "make_run",
    "measure",
    "notes",
    "page",
    "per_correct",
    "plots_problem",
    "rounds",
    "spread",
    "statuses",
    "total",
    "verdict",
    "write_comparison",
]
