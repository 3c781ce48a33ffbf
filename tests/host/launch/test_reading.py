"""From a path to a document."""

import json
import os
from pathlib import Path

import pytest

from host.core.errors import LaunchRefused
from host.launch import ConfigurationNotFound, load, render_defects
from tests.host.launch.documents import SUFFIXES, VALID, written


def refusal(text: str | bytes, folder: Path, name: str) -> str:
    file = folder / name
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


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_folder_stands_for_its_one_run_file(suffix: str, tmp_path: Path) -> None:
    text = f"\ufeff{written(VALID, suffix)}".replace("\n", "\r\n")
    (tmp_path / f"run{suffix}").write_bytes(text.encode())

    assert load(tmp_path).document == VALID


RUN_FILES = "run.json, run.yaml, run.yml or run.toml"
NO_CONFIGURATION = [
    ((), "", f"{{}} holds no {RUN_FILES}; name a configuration, or the folder of one"),
    (("run.json", "run.yaml"), "", "{} holds run.json and run.yaml; keep one, or name the file"),
    (("run.yaml", "run.yml"), "", "{} holds run.yaml and run.yml; keep one, or name the file"),
    (
        ("run.toml", "run.json", "run.yml"),
        "",
        "{} holds run.json, run.yml and run.toml; keep one, or name the file",
    ),
    (
        ("a.ini",),
        "a.ini",
        "{}/a.ini is no configuration by its name; write it in a file *.json, *.yaml, *.yml or *.toml",
    ),
    (
        ("run",),
        "run",
        "{}/run is no configuration by its name; write it in a file *.json, *.yaml, *.yml or *.toml",
    ),
    (("run.json", "events.ndjson"), "", "{0}/run.json belongs to a session record; gg show {0} shows it"),
    ((), "b.json", "{}/b.json does not exist; name a configuration, or the folder of one"),
    ((), "b" * 5000, f"{{}}/{'b' * 5000} does not exist; name a configuration, or the folder of one"),
    ((), "b\0.json", "{}/b\0.json does not exist; name a configuration, or the folder of one"),
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


EMPTY = "the file is empty; a configuration has a task and agents\n    found  nothing"
DEEP = "[" * 70 + "]" * 70
# name of the file, what it holds, the refusal
UNREADABLE = [
    (
        "run.json",
        '{\n  "task": "x",\n  name: 5\n}',
        "…/run.json:3:3: no JSON: expecting property name enclosed in double quotes\n    found  name: 5",
    ),
    (
        "run.json",
        b'{"task": "\xff"}',
        '…/run.json: byte 11 is no UTF-8; save the file as UTF-8\n    found  "0xff"',
    ),
    ("run.yaml", b"\xfft", '…/run.yaml: byte 1 is no UTF-8; save the file as UTF-8\n    found  "0xff"'),
    *((f"run.{suffix}", "\ufeff \r\n\n", f"…/run.{suffix}: {EMPTY}") for suffix in ("json", "yml", "toml")),
    (
        "run.yaml",
        "task: x\nlimits: {maxTurns: 1\n",
        "…/run.yaml:3:1: no YAML: while parsing a flow mapping: expected ',' or '}', but got '<stream end>'\n"
        "    found  nothing",
    ),
    ("run.yaml", "# nothing yet\n", "…/run.yaml: needs an object\n    found  null"),
    ("run.json", "[1]", "…/run.json: needs an object\n    found  [1]"),
    ("run.yaml", "- 1", "…/run.yaml: needs an object\n    found  [1]"),
    ("run.yml", "hello", '…/run.yml: needs an object\n    found  "hello"'),
    ("run.yaml", "2026-13-45", '…/run.yaml: needs an object\n    found  "2026-13-45"'),
    ("run.json", DEEP, f'…/run.json: nested deeper than 64 levels\n    found  "{DEEP}"'),
    ("run.yaml", DEEP, f'…/run.yaml: nested deeper than 64 levels\n    found  "{DEEP}"'),
    ("run.toml", f"a={DEEP}", f'…/run.toml: nested deeper than 64 levels\n    found  "a={DEEP}"'),
    ("run.json", "[" * 100_000, f'…/run.json: nested deeper than 64 levels\n    found  "{"[" * 158}…'),
    ("run.yaml", "[" * 100_000, f'…/run.yaml: nested deeper than 64 levels\n    found  "{"[" * 158}…'),
    (
        "run.toml",
        "a=" + "[" * 100_000,
        f'…/run.toml: nested deeper than 64 levels\n    found  "a={"[" * 156}…',
    ),
    (
        "run.json",
        " " * (4 * 2**20 + 1),
        "…/run.json: larger than 4 MiB; keep long replies in a folder of their own\n    found  nothing",
    ),
]


@pytest.mark.parametrize(("name", "text", "rendered"), UNREADABLE)
def test_a_file_that_is_no_document_is_refused_with_its_place(
    name: str, text: str | bytes, rendered: str, tmp_path: Path
) -> None:
    assert refusal(text, tmp_path, name) == rendered


def test_of_a_long_line_what_stands_around_the_fault_is_shown(tmp_path: Path) -> None:
    told = refusal('{"a": "' + "x" * 500 + '" "b": 1, "c": "' + "y" * 500 + '"}', tmp_path, "run.json")

    assert told == (
        "…/run.json:1:510: no JSON: expecting ',' delimiter\n"
        f'    found  …{"x" * 57}" "b": 1, "c": "{"y" * 47}'
    )


def test_a_folder_in_place_of_a_file_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "run.json").mkdir()

    with pytest.raises(ConfigurationNotFound) as exc_info:
        load(tmp_path)

    assert str(exc_info.value) == f"{tmp_path}/run.json cannot be read: is a directory"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "run.json")

    with pytest.raises(ConfigurationNotFound) as exc_info:
        load(tmp_path)

    assert str(exc_info.value) == f"{tmp_path}/run.json cannot be read: not a regular file"


def test_a_file_is_named_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run.toml").write_text("seed = 1\nseed = 2\n")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(LaunchRefused) as exc_info:
        load(Path())

    assert [(d.place, d.file, d.line) for d in exc_info.value.defects] == [("run.toml:2:9", None, 2)]
