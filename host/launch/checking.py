"""Launch validation: one pass over a document, every defect at once, then the plan."""

from collections.abc import Mapping
from pathlib import Path as FilePath

from host.core.errors import LaunchRefused
from host.launch.places import Problem, to_defects
from host.launch.plan import LaunchPlan, ScriptedModel
from host.launch.planning import to_plan
from host.launch.reading import find_configuration, read_document
from host.launch.rules import check_rules
from host.launch.structure import read_structure


def load(path: FilePath) -> LaunchPlan:
    """Reads and checks a configuration file, or the `run.json` of a directory.

    Raises `ConfigurationNotFound` where the path leads to none, `LaunchRefused` with every defect otherwise.
    """
    file = find_configuration(path).absolute()
    document, problems = read_document(file)
    return _check(document, problems, base=file.parent, name=file.parent.name)


def validate(document: Mapping[str, object], *, base: FilePath) -> LaunchPlan:
    """Checks a document built in memory; a `ScriptedModel` may stand in place of any `model` object.

    Paths in it are relative to `base`. Raises `LaunchRefused` with every defect.
    """
    return _check(
        {key: _unpacked(value) for key, value in document.items()}, [], base=base.absolute(), name="run"
    )


def _check(
    document: Mapping[str, object], problems: list[Problem], *, base: FilePath, name: str
) -> LaunchPlan:
    settings = read_structure(document)
    if isinstance(settings, list):
        problems += settings
    problems += check_rules(document, base=base)
    if problems or isinstance(settings, list):
        raise LaunchRefused(to_defects(document, problems))
    return to_plan(settings, document, base=base, name=name)


def _unpacked(value: object) -> object:
    """The document with each `ScriptedModel` as the object it stands for, and lists for tuples."""
    if isinstance(value, ScriptedModel):
        return {"provider": "scripted", "replies": _unpacked(value.replies)}
    if isinstance(value, Mapping):
        return {key: _unpacked(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_unpacked(item) for item in value]
    return value
