"""The records of a folder, whatever stands among them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from host.app import RUNS_FOLDER, NotThere, list_runs, runs_folder, size_of
from tests.host.app.runs.records import begun, ended
from tests.host.events.runs import STARTED


def test_records_are_listed_newest_first(tmp_path: Path) -> None:
    for name, day in (("b", 2), ("a", 3), ("c", 1)):
        ended(tmp_path / name, day=day)

    assert [(run.id, run.kind, run.status) for run in list_runs(tmp_path)] == [
        ("a", "run", "completed"),
        ("b", "run", "completed"),
        ("c", "run", "completed"),
    ]


def test_a_run_is_running_or_was_cut_off(tmp_path: Path) -> None:
    begun(tmp_path / "cut", STARTED).close()
    with begun(tmp_path / "live", STARTED, day=1):
        assert [(run.id, run.status) for run in list_runs(tmp_path)] == [
            ("live", "running"),
            ("cut", "cut off"),
        ]


def file(path: Path) -> None:
    path.write_text("x")


def link(path: Path) -> None:
    path.symlink_to(ended(path.parent.parent / "elsewhere"))


def pipe(path: Path) -> None:
    os.mkfifo(path)


def empty(path: Path) -> None:
    path.mkdir()


def headless(path: Path) -> None:
    (ended(path) / "run.json").unlink()


def no_header(path: Path) -> None:
    (ended(path) / "run.json").write_text("[]")


def newer(path: Path) -> None:
    (ended(path) / "run.json").write_text('{"formatVersion": 2}')


def damaged(path: Path) -> None:
    (ended(path) / "events.ndjson").write_text("{}\n")


def strange_log(path: Path) -> None:
    (ended(path) / "events.ndjson").write_bytes(b"\x7fELF")


def log_is_a_pipe(path: Path) -> None:
    (ended(path) / "events.ndjson").unlink()
    os.mkfifo(path / "events.ndjson")


def log_is_a_folder(path: Path) -> None:
    (ended(path) / "events.ndjson").unlink()
    (path / "events.ndjson").mkdir()


def header_is_a_pipe(path: Path) -> None:
    (ended(path) / "run.json").unlink()
    os.mkfifo(path / "run.json")


def lock_is_a_pipe(path: Path) -> None:
    (ended(path) / "lock").unlink()
    os.mkfifo(path / "lock")


def lock_is_a_link(path: Path) -> None:
    (ended(path) / "lock").unlink()
    (path / "lock").symlink_to(path / "run.json")


STRANGE: list[tuple[Callable[[Path], None], str, str]] = [
    (file, "foreign", "no folder"),
    (link, "foreign", "no folder"),
    (pipe, "foreign", "no folder"),
    (empty, "foreign", "no session record: it holds no events.ndjson"),
    (headless, "foreign", "run.json: missing, so the configuration is not known"),
    (no_header, "damaged", "run.json: not a JSON object"),
    (newer, "newer", "format version 2, and this gg reads up to 1"),
    (damaged, "damaged", "events.ndjson, line 1: no event: seq, at, run, agentId, type missing"),
    (strange_log, "damaged", "events.ndjson, line 1: not an event log: its first line is no JSON object"),
    (log_is_a_pipe, "foreign", "events.ndjson: not a regular file"),
    (log_is_a_folder, "foreign", "events.ndjson: Is a directory"),
    (header_is_a_pipe, "foreign", "run.json: missing, so the configuration is not known"),
    (lock_is_a_link, "foreign", "too many levels of symbolic links"),
]


@pytest.mark.parametrize(("make", "kind", "problem"), STRANGE)
def test_what_is_no_record_or_cannot_be_read_is_listed_as_such(
    make: Callable[[Path], None], kind: str, problem: str, tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    make(runs / "strange")

    [run] = list_runs(runs)

    assert (run.kind, run.problem, run.status, run.glance) == (kind, problem, None, None)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    lock_is_a_pipe(tmp_path / "r")

    assert [run.status for run in list_runs(tmp_path)] == ["completed"]


def test_what_is_no_record_comes_last(tmp_path: Path) -> None:
    headless(tmp_path / "z")
    newer(tmp_path / "y")
    ended(tmp_path / "a")

    assert [run.id for run in list_runs(tmp_path)][-1] == "z"


def test_a_folder_that_is_absent_holds_nothing(tmp_path: Path) -> None:
    assert list_runs(tmp_path / "absent") == []


def test_a_folder_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    file(tmp_path / "file")

    with pytest.raises(NotThere) as exc_info:
        list_runs(tmp_path / "file")
    assert str(exc_info.value) == f"`{tmp_path / 'file'}` cannot be read: not a directory"


def test_the_folder_that_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "project/.gg/runs").mkdir(parents=True)
    (tmp_path / "plain").mkdir()

    assert runs_folder(RUNS_FOLDER) == RUNS_FOLDER
    assert runs_folder(Path("project")) == Path("project/.gg/runs")
    assert runs_folder(Path("plain")) == Path("plain")


REFUSED = [
    ("absent", "`absent` does not exist; name a folder of session records"),
    ("file", "`file` is no directory; name a folder of session records"),
    ("record", "`record` is a session record itself; gg show shows it"),
]


@pytest.mark.parametrize(("name", "told"), REFUSED)
def test_what_is_no_folder_of_records_is_refused(
    name: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file(tmp_path / "file")
    ended(tmp_path / "record")

    with pytest.raises(NotThere) as exc_info:
        runs_folder(Path(name))
    assert str(exc_info.value) == told


def test_the_size_is_that_of_the_files_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/one").write_bytes(b"x" * 10)
    (tmp_path / "a/b/two").write_bytes(b"x" * 5)
    (tmp_path / "big").write_bytes(b"x" * 10_000)
    (tmp_path / "a/link").symlink_to("../big")
    (tmp_path / "a/loop").symlink_to("..")

    assert size_of(tmp_path / "a") == 15 + len("../big") + len("..")
    assert size_of(tmp_path / "absent") == 0


@pytest.mark.slow
def test_a_thousand_records_are_listed(tmp_path: Path) -> None:
    for number in range(1000):
        ended(tmp_path / f"{number:04}", day=number)

    runs = list_runs(tmp_path)

    assert [run.id for run in runs] == [f"{number:04}" for number in reversed(range(1000))]
    assert {run.status for run in runs} == {"completed"}
