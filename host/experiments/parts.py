"""The tasks and the arms of a study, as values, each with the place where it is written."""

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from host.experiments.cells import Placed
from host.experiments.changes import Change
from host.experiments.checks import Check, CommandCheck, FunctionCheck, problem_of
from host.experiments.defects import Defects
from host.experiments.settings import ArmSettings, CompareSettings, StudySettings, TaskSettings
from host.experiments.study import Arm, Task
from host.launch import Document, Place, Problem, names_function

BOTH_MODES: Final = (
    Arm(id="code", changes=(Change("execution", "responses_as_code"),)),
    Arm(id="tools", changes=(Change("execution", "tool_calling"),)),
)
"""The arms of a study that names none."""

_NO_TASK: Final = "Nothing."


@dataclass(frozen=True, kw_only=True)
class WrittenArm:
    """An arm and its changes; `place` is absent for one that no study names."""

    arm: Arm
    changes: tuple[Placed, ...]
    place: Place | None

    @property
    def id(self) -> str:
        return self.arm.id


@dataclass(frozen=True, kw_only=True)
class WrittenTask:
    """A task and what it changes; `place` is absent for that of the configuration."""

    task: Task
    changes: tuple[Placed, ...] = ()
    place: Place | None = None

    @property
    def id(self) -> str:
        return self.task.id


def arms_of(settings: CompareSettings, model: str | Mapping[str, object] | None) -> list[WrittenArm]:
    """The arms that are written, or both execution modes; `model` is that of every agent in all of them."""
    given = () if model is None else (Placed(Change("model", model), None),)
    if settings.arms is None:
        return [
            WrittenArm(
                arm=arm, changes=(*(Placed(change, None) for change in arm.changes), *given), place=None
            )
            for arm in BOTH_MODES
        ]
    return [_arm(arm, ("arms", number), given) for number, arm in enumerate(settings.arms)]


def _arm(settings: ArmSettings, place: Place, given: tuple[Placed, ...]) -> WrittenArm:
    own = {"execution": settings.execution, "model": settings.model}
    written = [Placed(Change(key, value), (*place, key)) for key, value in own.items() if value is not None]
    written += _set(settings.set_, place)
    changes = (*written, *given)
    return WrittenArm(
        arm=Arm(id=settings.id, changes=tuple(each.change for each in changes)), changes=changes, place=place
    )


def _set(written: Mapping[str, object], place: Place) -> list[Placed]:
    return [Placed(Change(path, value), (*place, "set", path)) for path, value in written.items()]


def tasks_of(settings: CompareSettings, defects: Defects) -> list[WrittenTask]:
    """The tasks that are written, or that of the configuration; what is wrong with them goes to `defects`."""
    tasks = settings.tasks if isinstance(settings, StudySettings) else None
    if tasks is None:
        base = defects.written.base
        assert base is not None, "looked at before"
        check = _check(settings.check, settings.check_secs, ("check",), defects)
        text = base.values.get("task")
        if not isinstance(text, str) or not text.strip():
            defects.of_base.append(Problem(path=("task",), message="required"))
        task = Task(id="task", kind="", text=text_of(base), check=check)
        return [WrittenTask(task=task)]
    return [_task(task, ("tasks", number), settings, defects) for number, task in enumerate(tasks)]


def _task(task: TaskSettings, place: Place, settings: CompareSettings, defects: Defects) -> WrittenTask:
    found, at = (task.check, (*place, "check")) if task.check else (settings.check, ("check",))
    timeout_s = task.check_secs or settings.check_secs
    return WrittenTask(
        task=Task(
            id=task.id,
            kind=task.kind or "",
            text=task.task,
            files=_files(task.files, (*place, "files"), defects),
            check=_check(found, timeout_s, at, defects),
        ),
        changes=tuple(_set(task.set_, place)),
        place=place,
    )


def _check(found: object, timeout_s: float, place: Place, defects: Defects) -> Check | None:
    if found is None:
        return None
    check: Check
    if isinstance(found, str) and names_function(found):
        check = FunctionCheck(reference=found, study=defects.written.folder, timeout_s=timeout_s)
    else:
        try:
            words = shlex.split(found) if isinstance(found, str) else [str(word) for word in _listed(found)]
        except ValueError as error:
            message = f"cannot be split into words: {error}; write a list of them"
            defects.of_study.append(Problem(path=place, message=message, found=found))
            return None
        check = CommandCheck(words=tuple(words), study=defects.written.folder, timeout_s=timeout_s)
    fault = problem_of(check)
    if fault is not None:
        defects.of_study.append(Problem(path=place, message=fault, found=found))
    return check


def _listed(found: object) -> Sequence[object]:
    assert isinstance(found, list), "the settings let nothing else through"
    return found


def _files(found: object, place: Place, defects: Defects) -> Path | Mapping[str, str] | None:
    if isinstance(found, str):
        folder = defects.written.folder / found
        if not folder.is_dir():
            kind = "is no directory" if os.path.lexists(folder) else "does not exist"
            defects.of_study.append(Problem(path=place, message=f"{folder} {kind}", found=found))
        return Path(folder)
    if not isinstance(found, Mapping):
        return None
    for name in found:
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or ".." in parts or "\x00" in name:
            message = "needs a name below the directory, such as notes/a.md"
            defects.of_study.append(Problem(path=(*place, name), message=message, found=name))
        if any(str(folder) in found for folder in PurePosixPath(name).parents):
            message = "stands in a folder whose name another file has"
            defects.of_study.append(Problem(path=(*place, name), message=message, found=name))
    return {str(name): str(text) for name, text in found.items()}


def text_of(base: Document) -> str:
    """The task of a configuration; another text where it has none that is one."""
    text = base.values.get("task")
    return text if isinstance(text, str) else _NO_TASK


def doubles(ids: Sequence[str], what: str) -> Iterator[Problem]:
    """Each id that stands in the list `what` a second time."""
    for number, each in enumerate(ids):
        if each in ids[:number]:
            message = f"this {what.removesuffix('s')} is already there"
            yield Problem(path=(what, number, "id"), message=message, found=each)
