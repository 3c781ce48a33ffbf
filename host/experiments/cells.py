"""One task in one arm: the configuration that it comes to, and what keeps it from being run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from host.app import environment
from host.experiments.changes import Change, Changed, apply_changes, put_at
from host.experiments.paths import PathError
from host.launch import (
    ABSENT,
    Document,
    HumanModel,
    LaunchPlan,
    Place,
    Problem,
    render_place,
    try_launch,
    value_at,
)

_PLACEHOLDER: Final = "."
"""Stands for the directory of a task's files, which is made when the study is run."""


@dataclass(frozen=True)
class Placed:
    """A change, and where it stands in the study; absent for one of the command line."""

    change: Change
    place: Place | None


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A cell before it is checked. `given_files` is where the task's files stand in the study."""

    text: str
    changes: tuple[Placed, ...]
    given_files: Place | None


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A problem of a cell. `is_of_study`: its path is one into the study, else into the configuration."""

    problem: Problem
    is_of_study: bool


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What a draft came to: a document that can be run, or why it cannot."""

    document: Mapping[str, object]
    directories: tuple[Place, ...] = ()
    plan: LaunchPlan | None = None
    findings: tuple[Finding, ...] = ()


def check_cell(base: Document, draft: Draft, *, folder: Path) -> Checked:
    """The cell's document, checked as the launch of a run does; `folder` is that of the configuration."""
    changed, findings = _changed({**base.values, "task": draft.text}, draft.changes)
    directories = _directories(changed.document) if draft.given_files else ()
    if draft.given_files and not directories:
        message = "no agent of the configuration has the capability files, so none could read them"
        findings.append(Finding(problem=Problem(path=draft.given_files, message=message), is_of_study=True))
    document = _on_copies(changed.document, directories)
    plan = try_launch(replace(base, values=document), base=folder, name=folder.name, environ=environment())
    if isinstance(plan, LaunchPlan):
        findings += _people(plan, document)
        return Checked(
            document=plan.document,
            directories=directories,
            plan=None if findings else plan,
            findings=tuple(findings),
        )
    findings += [_attributed(problem, draft.changes, changed) for problem in plan]
    return Checked(document=document, findings=tuple(findings))


def _changed(document: Mapping[str, object], changes: tuple[Placed, ...]) -> tuple[Changed, list[Finding]]:
    """The document with the changes that lead somewhere, and the others as findings."""
    findings: list[Finding] = []
    changed = Changed(document=document, places=())
    for placed in changes:
        try:
            after = apply_changes(changed.document, [placed.change])
        except PathError as error:
            problem = Problem(path=placed.place or (), message=str(error), found=placed.change.path)
            findings.append(Finding(problem=problem, is_of_study=True))
            after = Changed(document=changed.document, places=((),))
        changed = Changed(document=after.document, places=(*changed.places, *after.places))
    return changed, findings


def _directories(document: Mapping[str, object]) -> tuple[Place, ...]:
    """Where the directory is named that the root's files are in, or those of the first agent that has any."""
    found = dict(_files_of(document))
    root = value_at(document, ("root",))
    named = [place for place in found if value_at(document, (*place[:2], "id")) == root]
    first = next(iter([*named, *found]), None)
    if first is None:
        return ()
    return tuple((*place, "params", "dir") for place, directory in found.items() if directory == found[first])


def _files_of(document: Mapping[str, object]) -> Iterator[tuple[Place, object]]:
    """Each enabled capability `files`, with the directory it names."""
    agents = value_at(document, ("agents",))
    for number, agent in enumerate(agents if isinstance(agents, list) else []):
        capabilities = value_at(agent, ("capabilities",))
        for place, capability in enumerate(capabilities if isinstance(capabilities, list) else []):
            is_on = value_at(capability, ("enabled",)) is not False
            if value_at(capability, ("id",)) == "files" and is_on:
                yield ("agents", number, "capabilities", place), value_at(capability, ("params", "dir"))


def _on_copies(document: Mapping[str, object], directories: tuple[Place, ...]) -> Mapping[str, object]:
    """The document in which every run works on copies, so that no run sees what another has changed."""
    changed = apply_changes(document, []).document
    for place, _ in _files_of(changed):
        if value_at(changed, (*place, "params")) in (ABSENT, None) or isinstance(
            value_at(changed, (*place, "params")), Mapping
        ):
            put_at(changed, (*place, "params", "copy"), True)
    for directory in directories:
        put_at(changed, directory, _PLACEHOLDER)
    return changed


def _people(plan: LaunchPlan, document: Mapping[str, object]) -> Iterator[Finding]:
    for number, agent in enumerate(plan.agents):
        if isinstance(agent.model, HumanModel):
            own: Place = ("agents", number, "model")
            path = own if value_at(document, own) not in (ABSENT, None) else ("model",)
            message = "a person cannot be compared: nobody is asked while a study runs"
            problem = Problem(path=path, message=message, found=value_at(document, path))
            yield Finding(problem=problem, is_of_study=False)


def _attributed(problem: Problem, changes: tuple[Placed, ...], changed: Changed) -> Finding:
    """The problem at the change that brought it about, the last of them; else where it stands itself."""
    for placed, places in reversed(list(zip(changes, changed.places, strict=True))):
        for place in places:
            if place and problem.path[: len(place)] == place:
                told = "" if problem.path == place else f"{render_place(problem.path)}: "
                moved = replace(problem, path=placed.place or (), message=f"{told}{problem.message}")
                return Finding(problem=moved, is_of_study=True)
    return Finding(problem=problem, is_of_study=False)
