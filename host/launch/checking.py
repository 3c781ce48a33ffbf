"""Launch validation: one pass over a document, every defect at once, then the plan."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path as FilePath

from host.launch.model_settings import COUNTERS
from host.launch.places import Problem, to_defects
from host.launch.plan import LaunchPlan, ScriptedModel
from host.launch.planning import to_plan
from host.launch.reading import Document, find_configuration, read_document
from host.launch.rendering import refusal
from host.launch.rules import check_rules
from host.launch.schema import SCHEMA_KEY
from host.launch.structure import read_structure


def load(path: FilePath, *, environ: Mapping[str, str] | None = None, asks_models: bool = True) -> LaunchPlan:
    """Reads and checks a configuration file, or the one `run.*` of a directory.

    `environ` is where the keys of models and the variables of servers have to be; without it none is looked
    for. Where the models are not to be asked, neither the clients nor the keys of vendors are.
    Raises `ConfigurationNotFound` where the path leads to none, `LaunchRefused` with every defect otherwise.
    """
    file = find_configuration(path)
    read = read_document(file)
    folder = file.absolute().parent
    return _check(read, base=folder, name=folder.name, environ=environ, asks_models=asks_models)


def validate(
    document: Mapping[str, object], *, base: FilePath, environ: Mapping[str, str] | None = None
) -> LaunchPlan:
    """Checks a document built in memory; a `ScriptedModel` may stand in place of any `model` object.

    Paths in it are relative to `base`; `environ` as for `load`. Raises `LaunchRefused` with every defect.
    """
    values = {key: _unpacked(value) for key, value in document.items()}
    return _check(Document(values=values), base=base.absolute(), name="run", environ=environ)


def _check(
    written: Document,
    *,
    base: FilePath,
    name: str,
    environ: Mapping[str, str] | None,
    asks_models: bool = True,
) -> LaunchPlan:
    plan = try_launch(written, base=base, name=name, environ=environ, asks_models=asks_models)
    if isinstance(plan, LaunchPlan):
        return plan
    raise refusal(to_defects(written.values, plan, written.source))


def try_launch(
    written: Document,
    *,
    base: FilePath,
    name: str,
    environ: Mapping[str, str] | None = None,
    asks_models: bool = True,
) -> LaunchPlan | tuple[Problem, ...]:
    """The plan of a document, or every problem of it; paths in it are relative to `base`, which is absolute.

    `name` is the run's where the document has none; `environ` and `asks_models` as for `load`.
    """
    document = {key: value for key, value in written.values.items() if key != SCHEMA_KEY}
    settings = read_structure(document)
    shape = [*_schema_problem(written.values), *(settings if isinstance(settings, list) else ())]
    problems = list(written.problems)
    problems += _untold(shape, problems)
    rules = check_rules(document, base=base, environ=environ, asks_models=asks_models)
    problems += _untold(rules, problems)
    if problems or isinstance(settings, list):
        return tuple(problems)
    return to_plan(settings, document, base=base, name=name)


def _untold(found: Iterable[Problem], told: Iterable[Problem]) -> list[Problem]:
    """What is not the consequence of a value, there or around, that has been reported already."""
    wrong = {problem.path for problem in told if not problem.is_of_key}
    return [p for p in found if p.is_of_key or not any(p.path[:n] in wrong for n in range(len(p.path) + 1))]


def _schema_problem(document: Mapping[str, object]) -> Iterator[Problem]:
    """`$schema` is for the editor alone; it is no part of the configuration."""
    found = document.get(SCHEMA_KEY, "")
    if not isinstance(found, str):
        yield Problem(path=(SCHEMA_KEY,), message="needs text", found=found)


def _unpacked(value: object) -> object:
    """The document with each `ScriptedModel` as the object it stands for, and lists for tuples."""
    if isinstance(value, ScriptedModel):
        model = {"provider": "scripted", "replies": _unpacked(value.replies)}
        if value.context_window_tokens is not None:
            model["contextWindow"] = value.context_window_tokens
        if value.counter != COUNTERS[0]:
            model["counter"] = value.counter
        return model
    if isinstance(value, Mapping):
        return {key: _unpacked(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_unpacked(item) for item in value]
    return value
