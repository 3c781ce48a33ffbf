"""Studies as written: what they come to, and every defect of one at once."""

import json
from pathlib import Path
from typing import Any

import pytest

from host.core.errors import LaunchRefused
from host.experiments import Study, load_study
from tests.host.experiments.studies import ARMS, base, loaded, study


def refused(path: Path) -> list[str]:
    with pytest.raises(LaunchRefused) as caught:
        load_study(path)
    return [f"{Path(d.file or '').name}:{d.line} {d.place}: {d.message}" for d in caught.value.defects]


def test_a_configuration_is_one_task_in_both_modes(tmp_path: Path) -> None:
    found = load_study(base(tmp_path))

    assert [task.text for task in found.tasks] == ["Say the number."]
    assert {cell.arm.id: cell.document["agents"][0]["execution"] for cell in found.cells} == {  # type: ignore[index]
        "code": "responses_as_code",
        "tools": "tool_calling",
    }
    assert (found.repeats, found.seed, found.needs_programs) == (1, 7, True)


def test_a_configuration_may_name_arms_check_and_repeats(tmp_path: Path) -> None:
    found = load_study(base(tmp_path, arms=ARMS, check="true", repeats=2, name="numbers"))

    assert [arm.id for arm in found.arms] == ["plain", "terse"]
    assert (found.name, found.repeats, found.needs_programs) == ("numbers", 2, False)
    assert found.tasks[0].check is not None


def test_repeats_share_a_seed_between_the_arms_and_not_among_themselves(tmp_path: Path) -> None:
    specs = list(loaded(tmp_path, repeats=2).specs(tmp_path / "out"))

    assert [(spec.id, spec.document["seed"]) for spec in specs] == [
        ("task.plain.1", 7),
        ("task.terse.1", 7),
        ("task.plain.2", 8),
        ("task.terse.2", 8),
    ]
    assert specs[1].document["agents"][0]["prompt"] == "Be short."  # type: ignore[index]
    assert specs[1].record == tmp_path / "out" / "records" / "task.terse.1"


def with_files(folder: Path, files: object) -> Study:
    data = folder / "data"
    data.mkdir()
    capability = {"id": "files", "params": {"dir": "data", "write": True}}
    base(folder, agents=[{"id": "root", "execution": "tool_calling", "capabilities": [capability]}])
    return load_study(study(folder, tasks=[{"id": "one", "task": "Read.", "files": files}]))


def params(found: Study, out: Path) -> dict[str, Any]:
    document: Any = next(iter(found.specs(out))).document
    return dict(document["agents"][0]["capabilities"][0]["params"])


def test_the_files_of_a_task_stand_in_the_place_of_the_directory_and_are_copied(tmp_path: Path) -> None:
    found = with_files(tmp_path, {"notes/a.md": "A"})

    inputs = str(tmp_path / "out" / "inputs" / "one")
    assert params(found, tmp_path / "out") == {"dir": inputs, "write": True, "copy": True}


def test_a_folder_of_files_is_relative_to_the_study(tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    found = with_files(tmp_path, "given")

    assert params(found, tmp_path / "out")["dir"] == str(tmp_path / "given")


def test_every_defect_of_a_study_is_told_at_once(tmp_path: Path) -> None:
    base(tmp_path, root="nobody")
    path = study(
        tmp_path,
        tasks=[
            {"id": "one", "task": "Do.", "check": "no_such_module:check", "files": {"../a": ""}},
            {"id": "one", "task": "Do.", "check": ["no-such-program"], "set": {"limits.maxTurn": 3}},
        ],
        arms=[
            {"id": "a", "set": {"execution": "tool_callin"}},
            {"id": "b", "execution": "tool_calling", "set": {"memories.enabled": False, "seed": 3}},
        ],
    )

    assert refused(path) == [
        'study.json:1 arms[0].set.execution: unknown execution mode; did you mean "tool_calling"?',
        'study.json:1 arms[1].set["memories.enabled"]: no agent of the configuration has the capability'
        " memories",
        "study.json:1 arms[1].set.seed: seed is the same in all arms, or they could not be compared",
        "study.json:1 tasks[0].check: no_such_module cannot be imported: ModuleNotFoundError:"
        f" No module named 'no_such_module'; it is neither in {path.parent} nor installed beside gg",
        "study.json:1 tasks[0].files: no agent of the configuration has the capability files, so none could"
        " read them",
        'study.json:1 tasks[0].files["../a"]: needs a name below the directory, such as notes/a.md',
        "study.json:1 tasks[1].id: this task is already there",
        "study.json:1 tasks[1].check: there is no program `no-such-program` to check with",
        'study.json:1 tasks[1].set["limits.maxTurn"]: unknown key; did you mean "maxTurns"?',
        "run.json:1 root: names no agent",
    ]


def test_files_that_cannot_stand_beside_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LaunchRefused) as caught:
        with_files(tmp_path, {"a": "A", "a/b": "B"})

    assert [(d.place, d.message) for d in caught.value.defects] == [
        ('tasks[0].files["a/b"]', "stands in a folder whose name another file has")
    ]


STUDIES: list[tuple[dict[str, Any], list[str]]] = [
    ({"bases": 1}, ['study.json:1 bases: unknown key; did you mean "base"?']),
    ({"base": 5}, ["study.json:1 base: needs a configuration: its path, or the object itself"]),
    ({"arms": []}, ["study.json:1 arms: needs at least one entry"]),
    ({"arms": ["a"]}, ["study.json:1 arms[0]: needs an object"]),
    ({"repeats": 0}, ["study.json:1 repeats: needs a whole number, 1 or more"]),
    (
        {"check": "'"},
        ["study.json:1 check: cannot be split into words: No closing quotation; write a list of them"],
    ),
    (
        {"check": []},
        [
            "study.json:1 check: needs a command, as text or as a list of words, or a Python function as"
            " module:function"
        ],
    ),
    ({"arms": [{"id": "a"}, {"id": "a"}]}, ["study.json:1 arms[1].id: this arm is already there"]),
    (
        {"arms": [{"id": "p", "model": "human"}]},
        ["run.json:1 model: a person cannot be compared: nobody is asked while a study runs"],
    ),
]


@pytest.mark.parametrize(("changes", "told"), STUDIES, ids=[json.dumps(changes) for changes, _ in STUDIES])
def test_what_a_study_may_not_write(tmp_path: Path, changes: dict[str, Any], told: list[str]) -> None:
    base(tmp_path)

    assert refused(study(tmp_path, **changes)) == told


def test_a_base_that_is_not_there_is_a_defect_of_the_study(tmp_path: Path) -> None:
    gone = tmp_path / "gone.json"

    assert refused(study(tmp_path, base="gone.json")) == [
        f"study.json:1 base: {gone} does not exist; name a configuration, or the folder of one"
    ]


def test_a_base_inline_is_told_where_it_stands_in_the_study(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("tasks: [{id: one, task: Do.}]\nbase:\n  agents: []\n  limit: {}\n")

    assert refused(path) == [
        "study.yaml:3 base.agents: needs at least one entry",
        'study.yaml:4 base.limit: unknown key; did you mean "limits"?',
    ]


def test_a_problem_of_one_arm_alone_names_it(tmp_path: Path) -> None:
    path = base(tmp_path, model={"provider": "scripted", "replies": "own"})
    for mode in ("tool_calling", "responses_as_code"):
        (tmp_path / "own" / "root" / mode).mkdir(parents=True)
    (tmp_path / "own" / "root" / "tool_calling" / "1.json").write_text("{}")
    empty = tmp_path / "own" / "root" / "responses_as_code"

    assert refused(path) == [
        "run.json:1 the document: in arm code: model.replies:"
        f" the folder {empty} holds no reply: no file *.json, *.md, *.ts or *.txt"
    ]


def test_a_study_is_narrowed_to_arms_and_tasks(tmp_path: Path) -> None:
    tasks = [{"id": name, "task": "Do."} for name in ("one", "two")]
    found = loaded(tmp_path, tasks=tasks).narrowed(arms=frozenset({"terse"}), tasks=frozenset({"two"}))

    assert [spec.id for spec in found.specs(tmp_path)] == ["two.terse.1"]
