"""The model that answers in place of all that a study names: by its name, or as a configuration has it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from host.launch import Problem, find_configuration, read_document, refusal, to_defects
from host.providers import VENDORS, split_name

_SUFFIXES: Final = (".json", ".yaml", ".yml", ".toml")
_SCRIPTED: Final = "scripted"


@dataclass(frozen=True, kw_only=True)
class GivenModel:
    """`written` is what a configuration may have under `model`, `name` what reports call it."""

    name: str
    written: str | Mapping[str, object]


def given_model(text: str) -> GivenModel:
    """The model that a name means, or that stands under `model` in the configuration that a path leads to.

    Raises `ConfigurationNotFound` where it leads to none, `LaunchRefused` where no such model stands there.
    """
    if not _is_path(text):
        return GivenModel(name=text, written=text)
    document = read_document(find_configuration(Path(text)))
    found = document.values.get("model")
    if isinstance(found, str):
        return GivenModel(name=found, written=found)
    provider = found.get("provider") if isinstance(found, Mapping) else None
    problems = list(document.problems)
    if not isinstance(found, Mapping) or not isinstance(provider, str):
        message = "needs the model that is to answer, such as {provider, baseUrl}"
        problems.append(Problem(path=("model",), message=message))
    elif provider == _SCRIPTED:
        message = "is scripted; replies that were written for one configuration answer no other"
        problems.append(Problem(path=("model", "provider"), message=message, found=provider))
    if problems or not isinstance(found, Mapping):
        raise refusal(to_defects(document.values, problems, document.source))
    return GivenModel(name=str(provider), written=found)


def _is_path(text: str) -> bool:
    if split_name(text)[0] in VENDORS:
        return False
    return Path(text).suffix.lower() in _SUFFIXES or os.path.isdir(text)
