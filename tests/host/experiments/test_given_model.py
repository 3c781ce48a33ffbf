"""What `--model` means: a name, or the model of a configuration."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from host.core.errors import LaunchRefused
from host.experiments import given_model, load_study
from host.launch import ConfigurationNotFound
from tests.host.experiments.studies import base, study

LOCAL = {"provider": "openai:small", "baseUrl": "http://127.0.0.1:8080/v1", "maxOutputTokens": 64}
NAMES = ("openai:gpt-5", "openai:weights.json", "ollama:small", "human", "gpt-5")
MEANT: list[tuple[object, str]] = [(LOCAL, "openai:small"), ("openai:gpt-5", "openai:gpt-5")]
REFUSED: list[tuple[Mapping[str, Any], str]] = [
    (
        {"task": "Do it."},
        "local.json:1: model: needs the model that is to answer, such as {provider, baseUrl}",
    ),
    ({"model": {"baseUrl": "x"}}, "local.json:1: model: needs the model that is to answer"),
    ({"model": 5}, "local.json:1: model: needs the model that is to answer"),
    (
        {"model": {"provider": "scripted", "replies": ["a"]}},
        "local.json:1: model.provider: is scripted; replies",
    ),
]


def config(folder: Path, document: object) -> Path:
    path = folder / "local.json"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_the_model(name: str) -> None:
    found = given_model(name)

    assert (found.name, found.written) == (name, name)


@pytest.mark.parametrize(("model", "name"), MEANT)
def test_a_configuration_is_named_for_its_model(model: object, name: str, tmp_path: Path) -> None:
    found = given_model(str(config(tmp_path, {"model": model, "agents": []})))

    assert (found.name, found.written) == (name, model)


def test_a_folder_is_the_configuration_in_it(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text("model: openai:gpt-5\n")

    assert given_model(str(tmp_path)).name == "openai:gpt-5"


def test_a_path_that_leads_nowhere_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationNotFound, match=r"nowhere\.json does not exist"):
        given_model(str(tmp_path / "nowhere.json"))


@pytest.mark.parametrize(("document", "told"), REFUSED)
def test_a_configuration_without_such_a_model_is_refused(
    document: Mapping[str, Any], told: str, tmp_path: Path
) -> None:
    with pytest.raises(LaunchRefused) as refused:
        given_model(str(config(tmp_path, document)))

    assert told in str(refused.value)


def test_it_takes_the_place_of_every_model_whole(tmp_path: Path) -> None:
    base(tmp_path, agents=[{"id": "root"}, {"id": "other", "model": "human"}])
    given = given_model(str(config(tmp_path, {"model": LOCAL})))

    found = load_study(study(tmp_path), model=given.written)

    assert [cell.document["model"] for cell in found.cells] == [LOCAL, LOCAL]
    assert [cell.document["agents"][1]["model"] for cell in found.cells] == [LOCAL, LOCAL]  # type: ignore[index]
