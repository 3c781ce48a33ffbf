"""`gg compare`: what is printed where, exit codes, wrong use, Ctrl-C."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.host.cli.processes import gg, start_gg
from tests.host.experiments.studies import base, study


def test_the_arms_stand_side_by_side_on_stdout_and_progress_on_stderr(tmp_path: Path) -> None:
    base(tmp_path)
    study(tmp_path, check="grep -q 42", name="numbers")

    ran = gg("compare", "study.json", "--out", "out", cwd=tmp_path)

    assert ran.returncode == 0
    told = ran.stdout.splitlines()
    assert told[0] == "numbers: 1 task, 2 arms, 1 repeat, seed 7"
    assert [row.split() for row in told if row.startswith(("correct", "turns", "memories held"))] == [
        ["correct", "1", "of", "1", "1", "of", "1"],
        ["turns", "1", "1", "1", "1", "tie"],
        ["memories", "held", "0", "0", "0", "0"],
    ]
    assert ran.stderr.splitlines()[-1] == "records  out"
    assert [line.split(";")[0] for line in ran.stderr.splitlines()[:2]] == [
        "1 of 2  task  plain  completed, correct",
        "2 of 2  task  terse  completed, correct",
    ]


@pytest.mark.slow
def test_json_is_one_object(tmp_path: Path) -> None:
    base(tmp_path)

    ran = gg("compare", study(tmp_path), "--out", "out", "--json", "--quiet", "--repeats", "2", cwd=tmp_path)

    found = json.loads(ran.stdout)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (found["arms"], found["repeats"], found["partial"]) == (["plain", "terse"], 2, False)
    assert [run["record"] for run in found["runs"]] == [
        "records/task.plain.1",
        "records/task.plain.2",
        "records/task.terse.1",
        "records/task.terse.2",
    ]
    assert found["whole"]["rows"][0]["figures"]["plain"] == {
        "n": 2,
        "median": 1.0,
        "lower": 1,
        "upper": 1,
        "least": 1,
        "most": 1,
        "total": 2,
    }


@pytest.mark.slow
def test_the_records_are_records(tmp_path: Path) -> None:
    base(tmp_path)

    ran = gg("compare", study(tmp_path), "--arm", "terse", "--quiet", cwd=tmp_path)

    [out] = (tmp_path / ".gg" / "compare").iterdir()
    shown = gg("show", out / "records" / "task.terse.1", cwd=tmp_path)
    assert ran.returncode == shown.returncode == 0
    assert shown.stdout.splitlines()[0].endswith(": task, terse, 1: Say the number.")
    assert [path.name for path in (out / "records").iterdir()] == ["task.terse.1"]


@pytest.mark.slow
def test_the_page_is_written(tmp_path: Path) -> None:
    base(tmp_path)

    ran = gg("compare", study(tmp_path), "--html", "report.html", "--quiet", cwd=tmp_path)

    html = (tmp_path / "report.html").read_text()
    assert ran.returncode == 0
    assert html.startswith("<!doctype html>")
    assert "gg compare" in html


@pytest.mark.slow
def test_a_run_of_such_a_document_says_who_takes_its_keys(tmp_path: Path) -> None:
    base(tmp_path, arms=[{"id": "a"}])

    ran = gg("run", "run.json", cwd=tmp_path)

    assert ran.returncode == 1
    assert "arms: unknown key; gg compare takes it, and one run has no use for it" in ran.stderr


@pytest.mark.slow
def test_what_ended_a_run_that_did_not_complete_is_told(tmp_path: Path) -> None:
    base(tmp_path, {"error": "no such deployment"})

    ran = gg("compare", study(tmp_path), "--arm", "plain", "--quiet", cwd=tmp_path)

    assert ran.returncode == 0
    assert "task, plain, 1: model_error\n           │ no such deployment\n" in ran.stdout


@pytest.mark.slow
def test_a_folder_that_cannot_be_made_is_wrong_use(tmp_path: Path) -> None:
    base(tmp_path)

    ran = gg("compare", study(tmp_path), "--out", "run.json/out", cwd=tmp_path)

    told = "--out run.json/out cannot be made: not a directory."
    assert (ran.returncode, ran.stderr) == (2, f"gg compare: {told} See gg compare --help\n")


WRONG = [
    (["--arm", "plan"], "--arm `plan` is none of the study; did you mean plain?"),
    (["--task", "zzz"], "--task `zzz` is none of the study; there are task."),
    (["--html", "no/report.html"], "--html no/report.html: no is no directory; make it first."),
    (["--repeats", "0"], "--repeats: `0` is no whole number from 1."),
    (["--out", "."], "--out . is not empty; name a directory that is absent or empty."),
]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "told"), WRONG, ids=[" ".join(options) for options, _ in WRONG])
def test_wrong_use(tmp_path: Path, options: list[str], told: str) -> None:
    base(tmp_path)

    ran = gg("compare", study(tmp_path), *options, cwd=tmp_path)

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"gg compare: {told} See gg compare --help\n"
    assert not (tmp_path / ".gg").exists()


@pytest.mark.slow
def test_a_study_that_cannot_be_run_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    base(tmp_path)

    ran = gg("compare", study(tmp_path, check="no_such:check"), "--out", "out", cwd=tmp_path)

    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("gg: the configuration cannot be run: 1 defect\n")
    assert not (tmp_path / "out").exists()


WAITS = """
def reply(messages, agent):
    with open("waits") as fifo:  # until the test lets it go on
        fifo.read()
    return "Hm."
"""


@pytest.mark.slow
def test_after_ctrl_c_what_has_ended_is_told_as_partial(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "waits")
    (tmp_path / "waiting_policy.py").write_text(WAITS)
    base(tmp_path)
    waiting = {"id": "waits", "set": {"model": {"provider": "scripted", "replies": "waiting_policy:reply"}}}
    study(tmp_path, arms=[{"id": "plain"}, waiting])
    running = start_gg(["compare", "study.json", "--out", "out", "--json"], cwd=tmp_path)
    assert running.stderr is not None
    assert running.stderr.readline().startswith("1 of 2  task  plain  completed")

    with (tmp_path / "waits").open("w"):  # opens when the second run waits
        running.send_signal(signal.SIGINT)
        told = [running.stderr.readline(), running.stderr.readline()]
    stdout, _ = running.communicate(timeout=60)

    assert told == ["\n", "stopping at the end of this turn; press Ctrl-C again to stop at once\n"]
    found = json.loads(stdout)
    assert running.returncode == 130
    assert (found["planned"], found["partial"]) == (2, True)
    assert [(run["arm"], run["cutOff"]) for run in found["runs"]] == [("plain", False), ("waits", True)]


@pytest.mark.slow
def test_a_reader_that_has_gone_is_no_failure(tmp_path: Path) -> None:
    base(tmp_path)
    running = start_gg(["compare", study(tmp_path), "--quiet"], cwd=tmp_path)
    assert isinstance(running, subprocess.Popen)
    assert running.stdout is not None
    running.stdout.close()

    assert running.wait(timeout=60) == 141
    assert running.stderr is not None
    running.stderr.close()
