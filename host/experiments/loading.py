"""From a study as written to one that may be run: every cell is checked, and every defect told at once."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from host.core.hashing import document_sha256
from host.experiments.cells import Checked, Draft, check_cell
from host.experiments.defects import Defects
from host.experiments.parts import WrittenArm, WrittenTask, arms_of, doubles, tasks_of, text_of
from host.experiments.reading import Written, read_study
from host.experiments.settings import CompareSettings, StudySettings
from host.experiments.study import Arm, Cell, Study, Task
from host.launch import Document, Problem, render_place

_SAME_IN_ALL: Final = ("task", "seed", "name")


def load_study(
    path: Path, *, model: str | Mapping[str, object] | None = None, repeats: int | None = None
) -> Study:
    """Reads and checks a study, or a run configuration as a study of one task.

    `model`, by its name or as a configuration has it, replaces the models of all agents, `repeats` what the
    study says. Raises `ConfigurationNotFound`, and `LaunchRefused` with every defect of the study, of its
    configuration and of what each arm makes of it.
    """
    written = read_study(path)
    defects = Defects(written)
    defects.of_study += written.problems
    settings, base = written.settings, written.base
    if settings is None or base is None:
        defects.of_base += _alone(base, written) if base else ()
        defects.refuse()
    arms, tasks = arms_of(settings, model), tasks_of(settings, defects)
    defects.of_study += doubles([arm.arm.id for arm in arms], "arms")
    defects.of_study += doubles([task.task.id for task in tasks], "tasks")
    cells = _cells(base, arms, tasks, written, defects)
    if defects:
        defects.refuse()
    seed = base.values.get("seed")
    return Study(
        name=_name(settings, written),
        tasks=tuple(task.task for task in tasks),
        arms=tuple(arm.arm for arm in arms),
        cells=cells,
        repeats=repeats or settings.repeats,
        seed=seed if isinstance(seed, int) else secrets.randbits(32),
        base=written.base_folder,
        sha256=document_sha256({"study": written.study.values, "base": base.values, "model": model}),
    )


def _alone(base: Document, written: Written) -> Iterator[Problem]:
    """What is wrong with the configuration whatever the study makes of it."""
    draft = Draft(text=text_of(base), changes=(), given_files=None)
    checked = check_cell(base, draft, folder=written.base_folder)
    yield from (finding.problem for finding in checked.findings)


def _name(settings: CompareSettings, written: Written) -> str:
    named = settings.name if isinstance(settings, StudySettings) else None
    of_base = written.base.values.get("name") if written.base and not written.own_file else None
    return named or (of_base if isinstance(of_base, str) else written.name)


def _cells(
    base: Document,
    arms: Sequence[WrittenArm],
    tasks: Sequence[WrittenTask],
    written: Written,
    defects: Defects,
) -> tuple[Cell, ...]:
    """Every cell, those without a defect; the others are in the defects."""
    cells: list[Cell] = []
    in_arms: dict[tuple[object, str], tuple[Problem, set[str]]] = {}
    for task in tasks:
        for arm in arms:
            checked = check_cell(base, _draft(task, arm), folder=written.base_folder)
            for finding in checked.findings:
                problem = finding.problem
                if finding.is_of_study:
                    defects.of_study.append(problem)
                else:
                    told = in_arms.setdefault((problem.path, problem.message), (problem, set()))
                    told[1].add(arm.arm.id)
            cells += _cell(task.task, arm.arm, checked)
    for arm in arms:
        defects.of_study += _refused_changes(arm)
    for problem, ids in in_arms.values():
        if len(ids) == len(arms):
            defects.of_base.append(problem)
        else:
            defects.of_study += [_in_arm(problem, arm) for arm in arms if arm.arm.id in ids]
    return tuple(cells)


def _draft(task: WrittenTask, arm: WrittenArm) -> Draft:
    given = (*(task.place or ()), "files") if task.task.files is not None else None
    return Draft(text=task.task.text, changes=(*task.changes, *arm.changes), given_files=given)


def _cell(task: Task, arm: Arm, checked: Checked) -> Iterator[Cell]:
    if checked.plan is not None:
        yield Cell(
            task=task,
            arm=arm,
            document=checked.document,
            directories=checked.directories,
            needs_programs=any(agent.execution == "responses_as_code" for agent in checked.plan.agents),
        )


def _refused_changes(arm: WrittenArm) -> Iterator[Problem]:
    for placed in arm.changes:
        if placed.change.path in _SAME_IN_ALL and placed.place is not None:
            message = f"{placed.change.path} is the same in all arms, or they could not be compared"
            yield Problem(path=placed.place, message=message, found=placed.change.value)


def _in_arm(problem: Problem, arm: WrittenArm) -> Problem:
    """A problem that some arms alone have, at the arm; of one that no study names, at the document."""
    message = f"in arm {arm.arm.id}: {render_place(problem.path)}: {problem.message}"
    return replace(problem, path=arm.place or (), message=message)
