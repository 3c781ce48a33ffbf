"""From a path to a document."""

import json
from pathlib import Path

import pytest

from host.core.errors import LaunchRefused
from host.launch import ConfigurationNotFound, load, render_defects
from tests.host.launch.documents import VALID


def refusal(text: str | bytes, folder: Path) -> str:
    file = folder / "run.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(LaunchRefused) as exc_info:
        load(file)
    return render_defects(exc_info.value.defects).replace(str(folder), "…")


def test_a_file_is_read_and_its_folder_names_the_run(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    document = {key: value for key, value in VALID.items() if key != "name"}
    (folder / "mine.json").write_text(json.dumps(document))

    plan = load(folder / "mine.json")

    assert (plan.name, plan.base, plan.document) == ("study", folder, document)


def test_a_folder_stands_for_its_run_json(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("\ufeff" + json.dumps(VALID), encoding="utf-8")

    assert load(tmp_path).document == VALID


NO_CONFIGURATION = [
    ((), "", "{} holds no run.json; name a configuration, or the folder of one"),
    (("run.json", "run.yaml"), "", "{} holds run.json, run.yaml; keep one, or name the file"),
    (("run.toml",), "", "{}/run.toml is no JSON file; write the configuration as JSON, in a file *.json"),
    (("a.yml",), "a.yml", "{}/a.yml is no JSON file; write the configuration as JSON, in a file *.json"),
    ((), "b.json", "{}/b.json does not exist; name a configuration, or the folder of a run.json"),
]


@pytest.mark.parametrize(("files", "given", "message"), NO_CONFIGURATION)
def test_a_path_to_no_configuration_is_wrong_use(
    files: tuple[str, ...], given: str, message: str, tmp_path: Path
) -> None:
    for name in files:
        (tmp_path / name).write_text("{}")

    with pytest.raises(ConfigurationNotFound) as exc_info:
        load(tmp_path / given)

    assert str(exc_info.value) == message.format(tmp_path)


UNREADABLE = [
    (
        '{\n  "task": "x",\n  name: 5\n}',
        '…/run.json:3:3: no JSON: expecting property name enclosed in double quotes\n    found  "name: 5"',
    ),
    ("", '…/run.json:1:1: no JSON: expecting value\n    found  ""'),
    ('{"seed": NaN}', '…/run.json: no JSON: NaN is no JSON number\n    found  "NaN"'),
    (b'{"task": "\xff"}', '…/run.json: byte 11 is no UTF-8; save the file as UTF-8\n    found  "0xff"'),
    ("[1]", "…/run.json: needs an object\n    found  [1]"),
    ("[" * 70 + "]" * 70, f'…/run.json: nested deeper than 64 levels\n    found  "{"[" * 70 + "]" * 70}"'),
    ("[" * 100_000, f'…/run.json: nested deeper than 64 levels\n    found  "{"[" * 158}…'),
]


@pytest.mark.parametrize(("text", "rendered"), UNREADABLE)
def test_a_file_that_is_no_document_is_refused_with_its_place(
    text: str | bytes, rendered: str, tmp_path: Path
) -> None:
    assert refusal(text, tmp_path) == rendered


def test_a_key_written_twice_is_refused(tmp_path: Path) -> None:
    text = json.dumps({**VALID, "limits": {}}).replace(
        '"limits": {}', '"limits": {"maxTurns": 3, "maxTurns": 4}'
    )

    assert refusal(text, tmp_path) == "limits.maxTurns: written more than once; keep one\n    found  4"


def test_a_whole_number_of_any_length_is_refused_as_a_value(tmp_path: Path) -> None:
    text = json.dumps(VALID).replace('"seed": 7', f'"seed": {"9" * 5000}')

    assert refusal(text, tmp_path) == (
        f'…/run.json: a number of 5,000 digits, more than any key takes\n    found  "{"9" * 158}…'
    )
