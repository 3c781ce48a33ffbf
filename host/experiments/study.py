"""A study that may be run: tasks, arms, repeats, and the runs that these come to."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from host.core.text import shortened
from host.experiments.changes import Change, put_at
from host.experiments.checks import Check

INPUTS: Final = "inputs"
RECORDS: Final = "records"
_NAME_CHARS: Final = 50  # a run's name has 200 at most, and the ids 64 each


@dataclass(frozen=True, kw_only=True)
class Arm:
    """One way to run every task: what it changes in the configuration, in order."""

    id: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is asked. `files` is a folder, or texts by their names; `kind` is empty where none is written."""

    id: str
    kind: str
    text: str
    files: Path | Mapping[str, str] | None = None
    check: Check | None = None


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A task in an arm. `document` is a configuration that was found without a defect, `directories` the
    places in it that name the directory of the task's files.
    """

    task: Task
    arm: Arm
    document: Mapping[str, object]
    directories: tuple[tuple[str | int, ...], ...] = ()
    needs_programs: bool = False


@dataclass(frozen=True, kw_only=True)
class RunSpec:
    """One run to make: a whole configuration, where its record goes, and how it is judged.

    It holds nothing but values, so that it can be run elsewhere.
    """

    task: str
    kind: str
    arm: str
    repeat: int
    document: Mapping[str, object]
    base: Path
    record: Path
    check: Check | None

    @property
    def id(self) -> str:
        """`lookup-1.tools.2`; no id of a task or of an arm holds a dot."""
        return f"{self.task}.{self.arm}.{self.repeat}"


@dataclass(frozen=True, kw_only=True)
class Study:
    """`base` is the folder that the configuration's paths are relative to, `sha256` that of what was read."""

    name: str
    tasks: tuple[Task, ...]
    arms: tuple[Arm, ...]
    cells: tuple[Cell, ...]
    repeats: int
    seed: int
    base: Path
    sha256: str

    @property
    def needs_programs(self) -> bool:
        """Whether some run compiles programs."""
        return any(cell.needs_programs for cell in self.cells)

    def narrowed(self, *, arms: frozenset[str], tasks: frozenset[str]) -> "Study":
        """The study with these arms and tasks alone; of none named all are kept."""
        kept_arms = tuple(arm for arm in self.arms if not arms or arm.id in arms)
        kept_tasks = tuple(task for task in self.tasks if not tasks or task.id in tasks)
        cells = tuple(cell for cell in self.cells if cell.arm in kept_arms and cell.task in kept_tasks)
        return replace(self, arms=kept_arms, tasks=kept_tasks, cells=cells)

    def specs(self, out: Path) -> Iterator[RunSpec]:
        """Every run, the arms of a task one after another, so that a machine that slows down slows all.

        Repeat n has the study's seed and n - 1: the arms share it, the repeats do not.
        """
        for repeat in range(1, self.repeats + 1):
            for cell in self.cells:
                yield self._spec(cell, repeat, out)

    def _spec(self, cell: Cell, repeat: int, out: Path) -> RunSpec:
        document = copy.deepcopy(dict(cell.document))
        document["seed"] = self.seed + repeat - 1
        document["name"] = f"{shortened(self.name, _NAME_CHARS)}: {cell.task.id}, {cell.arm.id}, {repeat}"
        for place in cell.directories:
            put_at(document, place, str(input_folder(cell.task, out)))
        spec = RunSpec(
            task=cell.task.id,
            kind=cell.task.kind,
            arm=cell.arm.id,
            repeat=repeat,
            document=document,
            base=self.base,
            record=out / RECORDS,
            check=cell.task.check,
        )
        return replace(spec, record=out / RECORDS / spec.id)


def input_folder(task: Task, out: Path) -> Path:
    """The directory with a task's files: its own, or where texts are put for the runs below `out`."""
    return task.files if isinstance(task.files, Path) else (out / INPUTS / task.id).absolute()


def write_inputs(study: Study, out: Path) -> None:
    """Puts the texts of tasks where their runs look for them. Raises `OSError`."""
    for task in study.tasks:
        if isinstance(task.files, Mapping):
            folder = input_folder(task, out)
            for name, text in task.files.items():
                file = folder / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8", newline="")
            folder.mkdir(parents=True, exist_ok=True)
