"""From a path to a study as written: the document of the study, and that of its configuration beside it.

A document with `base` or `tasks` is a study. Any other is a run configuration, in which `arms`, `repeats`,
`check` and `checkSecs` may stand as well.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from host.core.errors import Defect, LaunchRefused
from host.experiments.settings import CompareSettings, StudySettings
from host.launch import (
    SCHEMA_KEY,
    ConfigurationNotFound,
    Document,
    Place,
    Problem,
    find_configuration,
    read_document,
    read_settings,
    shipped_fixture,
)

_STUDY_NAMES: Final = ("study.json", "study.yaml", "study.yml", "study.toml")
_BASE: Final[Place] = ("base",)
_OWN_KEYS: Final = tuple(field.alias or name for name, field in CompareSettings.model_fields.items())


@dataclass(frozen=True, kw_only=True)
class Written:
    """A study as written.

    `settings` are absent where `problems` say why, `base` where there is no configuration to look at. Places
    of `base` stand in the file of the study under `prefix`, unless `own_file` says that it is another file.
    `defects` are those of a base that cannot be read.
    """

    study: Document
    folder: Path
    name: str
    settings: CompareSettings | None
    problems: tuple[Problem, ...]
    base: Document | None = None
    base_folder: Path
    prefix: Place = ()
    own_file: bool = False
    defects: tuple[Defect, ...] = ()


def read_study(path: Path) -> Written:
    """The study of a file, or of a folder with one `study.*` or `run.*`.

    Raises `ConfigurationNotFound` where the path leads to none, `LaunchRefused` for text that is no document.
    """
    file = find_configuration(_study_file(path))
    study = read_document(file)
    folder = file.absolute().parent
    if "base" in study.values or "tasks" in study.values:
        return _of_study(study, folder)
    return _of_configuration(study, folder)


def _study_file(path: Path) -> Path:
    if not os.path.exists(path):
        path = shipped_fixture(path) or path
    found = [path / name for name in _STUDY_NAMES if os.path.exists(path / name)]
    if len(found) > 1:
        names = " and ".join(file.name for file in found)
        raise ConfigurationNotFound(f"{path} holds {names}; keep one, or name the file")
    return found[0] if found else path


def _of_configuration(study: Document, folder: Path) -> Written:
    own = {key: value for key, value in study.values.items() if key in _OWN_KEYS}
    settings = read_settings(own, CompareSettings)
    base = Document(
        values={key: value for key, value in study.values.items() if key not in _OWN_KEYS},
        problems=tuple(
            problem for problem in study.problems if problem.path[:1] not in [(key,) for key in own]
        ),
        source=study.source,
    )
    problems = tuple(problem for problem in study.problems if problem not in base.problems)
    shape = tuple(settings) if isinstance(settings, list) else ()
    return Written(
        study=study,
        folder=folder,
        name=folder.name,
        settings=None if isinstance(settings, list) else settings,
        problems=(*problems, *shape),
        base=base,
        base_folder=folder,
    )


def _of_study(study: Document, folder: Path) -> Written:
    own = {key: value for key, value in study.values.items() if key != SCHEMA_KEY}
    settings = read_settings(own, StudySettings)
    found = own.get("base")
    in_base = tuple(problem for problem in study.problems if problem.path[:1] == _BASE)
    problems = [problem for problem in study.problems if problem not in in_base]
    problems += settings if isinstance(settings, list) else []
    parts = Written(
        study=study,
        folder=folder,
        name=folder.name,
        settings=None if isinstance(settings, list) else settings,
        problems=tuple(problems),
        base_folder=folder,
    )
    if isinstance(found, Mapping):
        return _with_inline(parts, found, in_base)
    return _with_file(parts, found) if isinstance(found, str) and found.strip() else parts


def _with_inline(parts: Written, found: Mapping[str, object], problems: tuple[Problem, ...]) -> Written:
    base = Document(
        values=found, problems=tuple(replace(problem, path=problem.path[1:]) for problem in problems)
    )
    return replace(parts, base=base, prefix=_BASE)


def _with_file(parts: Written, found: str) -> Written:
    source = parts.study.source
    beside = Path(source.file).parent if source else parts.folder  # as it was given, for who reads a defect
    try:
        file = find_configuration(beside / found)
        base = read_document(file)
    except ConfigurationNotFound as error:
        problem = Problem(path=_BASE, message=str(error), found=found)
        return replace(parts, problems=(*parts.problems, problem))
    except LaunchRefused as refused:
        return replace(parts, defects=refused.defects)
    return replace(parts, base=base, base_folder=file.absolute().parent, own_file=True)
