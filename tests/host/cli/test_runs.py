"""`gg runs` and `gg runs prune`."""

import json
import re
from pathlib import Path

import pytest

from tests.host.app.runs.records import begun, ended
from tests.host.cli.processes import gg
from tests.host.events.runs import STARTED, first_turn

EMPTY = "no records under .gg/runs; gg run CONFIG makes one\n"


def settled(text: str) -> str:
    """The text without sizes, which the ids of processes are part of."""
    return re.sub(r" +[\d.]+ (?:KiB|bytes)|(?<=  )size", " SIZE", text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with three records of one day each, and one thing that is none."""
    runs = tmp_path / ".gg/runs"
    for name, day in (("20261128-aa", 0), ("20261130-cc", 2)):
        ended(runs / name, day=day)
    begun(runs / "20261129-bb", STARTED, *first_turn(), day=1).close()
    with (runs / "20261129-bb/events.ndjson").open("a") as events:
        events.write('{"seq')
    (runs / "notes").mkdir()
    return tmp_path


def test_records_are_listed(folder: Path) -> None:
    ran = gg("runs", cwd=folder)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert re.sub(r" +SIZE", " SIZE", settled(ran.stdout)) == (
        "id           status         started (UTC)     agents  turns  tokens   took SIZE  task\n"
        "20261130-cc  completed      2026-12-02 15:24       1      2      37  1.5 s SIZE  study: Count.\n"
        "20261129-bb  cut off, torn  2026-12-01 15:24       ?      1      13   0 ms SIZE  study: Count.\n"
        "20261128-aa  completed      2026-11-30 15:24       1      2      37  1.5 s SIZE  study: Count.\n"
        "notes        no record SIZE  no session record: it holds no events.ndjson\n"
    )


@pytest.mark.slow
def test_json_is_one_object(folder: Path) -> None:
    value = json.loads(gg("runs", "--json", cwd=folder).stdout)

    assert value["folder"] == ".gg/runs"
    assert [run["id"] for run in value["runs"]] == ["20261130-cc", "20261129-bb", "20261128-aa", "notes"]
    assert value["runs"][0] == {
        "id": "20261130-cc",
        "path": ".gg/runs/20261130-cc",
        "kind": "run",
        "problem": None,
        "status": "completed",
        "torn": False,
        "run": "20261130-cc",
        "name": "study",
        "task": "Count.",
        "startedAt": "2026-12-02T15:24:05.000123Z",
        "agents": 1,
        "turns": 2,
        "inputTokens": 30,
        "outputTokens": 7,
        "durationS": 1.5,
        "bytes": value["runs"][0]["bytes"],
    }
    assert (value["runs"][3]["kind"], value["runs"][3]["status"]) == ("foreign", None)


@pytest.mark.slow
def test_a_folder_can_be_named(folder: Path) -> None:
    (folder / "other").mkdir()

    here = gg("runs", cwd=folder).stdout
    assert gg("runs", ".gg/runs", cwd=folder).stdout == here
    assert gg("runs", folder, cwd=folder / "other").stdout == here
    assert gg("runs", cwd=folder / "other").stderr == EMPTY


@pytest.mark.slow
def test_where_there_are_no_records_that_is_said_and_data_is_empty(tmp_path: Path) -> None:
    plain, quiet, as_json = (gg("runs", *options, cwd=tmp_path) for options in ((), ("-q",), ("--json",)))

    assert (plain.returncode, plain.stdout, plain.stderr) == (0, "", EMPTY)
    assert (quiet.stdout, quiet.stderr) == ("", "")
    assert json.loads(as_json.stdout) == {"folder": ".gg/runs", "runs": []}


def test_names_of_others_are_escaped_and_cut(tmp_path: Path) -> None:
    task = STARTED.model_copy(update={"task": "\x1b[2J" + "x" * 300 + "\nmore", "name": "n\u202e"})
    with begun(tmp_path / "a", task):
        row = gg("runs", ".", cwd=tmp_path).stdout.splitlines()[1]

    assert row.startswith("a   running  2026-11-30 15:24       ?      0       0")
    assert row.endswith("n\\u202e: \\u001b[2J" + "x" * 300)


@pytest.mark.slow
def test_the_oldest_are_removed(folder: Path) -> None:
    ran = gg("runs", "prune", "--keep", "1", cwd=folder)

    assert (ran.returncode, settled(ran.stderr)) == (0, "removed 2 records, SIZE\n")
    assert settled(ran.stdout) == "removed  20261128-aa SIZE\nremoved  20261129-bb SIZE\n"
    assert sorted(path.name for path in (folder / ".gg/runs").iterdir()) == ["20261130-cc", "notes"]


@pytest.mark.slow
def test_a_dry_run_says_what_would_be_removed(folder: Path) -> None:
    ran = gg("runs", "prune", "--keep", "2", "--dry-run", cwd=folder)

    assert (ran.returncode, settled(ran.stderr)) == (0, "would remove 1 record, SIZE\n")
    assert settled(ran.stdout) == "would be removed  20261128-aa SIZE\n"
    assert (folder / ".gg/runs/20261128-aa").exists()


@pytest.mark.slow
def test_one_that_is_being_written_is_kept_and_told(folder: Path) -> None:
    with begun(folder / ".gg/runs/live", STARTED, day=-1):
        ran = gg("runs", "prune", "--keep", "2", "--json", "--quiet", cwd=folder)

    assert (ran.returncode, ran.stderr) == (0, "")
    value = json.loads(ran.stdout)
    assert value == {
        "removed": [{"path": ".gg/runs/20261128-aa", "bytes": value["bytes"]}],
        "kept": [{"path": ".gg/runs/live", "reason": "it is being written"}],
        "failed": [],
        "bytes": value["bytes"],
    }


@pytest.mark.slow
def test_one_that_cannot_be_removed_is_reported(folder: Path) -> None:
    lock = folder / ".gg/runs/20261128-aa/lock"
    lock.unlink()
    lock.mkdir()
    (lock / "file").touch()

    ran = gg("runs", "prune", "--keep", "1", cwd=folder)

    assert (ran.returncode, settled(ran.stdout)) == (1, "removed  20261129-bb SIZE\n")
    assert settled(ran.stderr) == "failed   20261128-aa  is a directory\nremoved 1 record, SIZE\n"
