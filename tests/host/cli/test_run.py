"""`gg run`: what is printed where, exit codes, Ctrl-C."""

import json
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from host.events import RecordReader
from tests.host.cli.processes import gg, start_gg

GOLDEN = Path(__file__).parent / "golden"
FINISH = 'import { session } from "gg";\nsession.finish("All done.\\u001b[2J");\n'
SHOW = 'import { views } from "gg";\nviews.openText("numbers", [1, 2, 3].join(","));\n'
SPIN = "while (true) {}\n"


def config(folder: Path, *replies: str, **changes: object) -> Path:
    document = {
        "name": "counting",
        "task": "Count.",
        "model": {"provider": "scripted", "replies": list(replies)},
        "seed": 7,
        "agents": [{"id": "root"}],
        **changes,
    }
    path = folder / "run.json"
    path.write_text(json.dumps(document))
    return path


def settled(text: str, folder: Path) -> str:
    """The output less what differs from run to run."""
    text = text.replace(str(folder), "…")
    return re.sub(r"[\d.]+ (?:ms|s)\b", "_", re.sub(r"  time     .*\n", "  time     _\n", text))


@pytest.mark.slow
def test_a_run_prints_its_summary_and_is_watched_on_stderr(
    tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    config(tmp_path, SHOW, "export const a: number = 'x';\n", FINISH)

    ran = gg("run", tmp_path, "--out", "record", cwd=tmp_path)

    assert (ran.returncode, ran.stdout) == (0, "All done.\\u001b[2J\n")
    golden(GOLDEN / "run_stderr.txt", settled(ran.stderr, tmp_path))


LOUD = """
import subprocess
import sys

print("imported")


def loud() -> str:
    print("called")
    subprocess.run(["echo", "started"], check=True)
    return "said"
"""


@pytest.mark.slow
def test_what_functions_print_is_no_data(tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text(LOUD)
    tools = {"id": "tools", "params": {"python": ["loud:loud"]}}
    call = 'import { local } from "gg:tools";\nawait local.loud();\n'
    path = config(tmp_path, call + FINISH, agents=[{"id": "root", "capabilities": [tools]}])

    ran = gg("run", path, "--out", "record", "--json", "--quiet", cwd=tmp_path)

    assert json.loads(ran.stdout)["status"] == "completed"
    assert sorted(ran.stderr.splitlines()) == ["called", "imported", "started"]


@pytest.mark.slow
def test_json_is_one_object_on_stdout(tmp_path: Path) -> None:
    ran = gg("run", config(tmp_path, FINISH), "--out", "record", "--json", "--quiet", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout) == {
        "status": "completed",
        "exitCode": 0,
        "ending": {"kind": "finish", "summary": "All done.\x1b[2J"},
        "record": "record",
        "usage": {"inputTokens": 0, "outputTokens": 0},
    }


@pytest.mark.slow
def test_records_stand_under_the_current_directory(tmp_path: Path) -> None:
    ran = gg("run", config(tmp_path, FINISH), "--json", "--quiet", cwd=tmp_path)

    record = Path(json.loads(ran.stdout)["record"])
    assert record.parent == Path(".gg/runs")
    assert RecordReader(tmp_path / record).view().summary is not None


ENDS = [
    ((SHOW, SHOW), {"limits": {"maxTurns": 2}}, 3, "exhausted: maxTurns: 2, limit 2\n"),
    (
        ("throw 1", "throw 1"),
        {"limits": {"maxConsecutiveErrors": 2}},
        3,
        "limit_exceeded: maxConsecutiveErrors: 2, limit 2\n",
    ),
    ((SHOW,), {}, 1, "model_error: scripted replies used up after 1\n"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("replies", "changes", "code", "told"), ENDS)
def test_a_run_that_does_not_complete_says_why(
    replies: tuple[str, ...], changes: dict[str, Any], code: int, told: str, tmp_path: Path
) -> None:
    ran = gg("run", config(tmp_path, *replies, **changes), "--quiet", cwd=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr) == (code, "", told)


@pytest.mark.slow
def test_what_ended_a_run_is_told_once(tmp_path: Path) -> None:
    ran = gg("run", config(tmp_path, SHOW, limits={"maxTurns": 1}), "--out", "record", cwd=tmp_path)

    assert settled(ran.stderr, tmp_path).split("\n")[-6:] == [
        "maxTurns reached: 1, limit 1",
        "",
        "exhausted after 1 turn, _",
        "record  record",
        "show    gg show record",
        "",
    ]


@pytest.mark.slow
def test_why_the_model_failed_is_told_by_the_run_and_by_its_record(tmp_path: Path) -> None:
    ran = gg("run", config(tmp_path, SHOW), "--out", "record", cwd=tmp_path)
    shown = gg("show", "record", cwd=tmp_path)

    why = ["model_error after 1 turn, _", "model_error: scripted replies used up after 1"]
    assert settled(ran.stderr, tmp_path).split("\n")[-5:-3] == why
    assert settled(shown.stdout, tmp_path).split("\n")[-3:-1] == why


def test_a_configuration_that_cannot_be_run_is_refused_with_every_defect(tmp_path: Path) -> None:
    ran = gg("run", config(tmp_path, FINISH, seed=-1, colour="red"), cwd=tmp_path)

    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == (
        "gg: the configuration cannot be run: 2 defects\n"
        f"{tmp_path}/run.json:1: seed: needs a whole number from 0 to {2**63 - 1}\n"
        "    found  -1\n"
        f"{tmp_path}/run.json:1: colour: unknown key\n"
        '    found  "red"\n'
        "    known  name, task, root, model, limits, sandbox, maxParallel, seed, agents, states, board\n"
    )
    assert not (tmp_path / ".gg").exists()


WRONG_USES = [
    (("run", "nowhere"), "gg: nowhere does not exist; name a configuration, or the folder of one\n"),
    (
        ("run", "."),
        "gg: . holds no run.json, run.yaml, run.yml or run.toml;"
        " name a configuration, or the folder of one\n",
    ),
    (
        ("run", "x.json", "--out", "used"),
        "gg run: --out used is not empty; name a directory that is absent or empty. See gg run --help\n",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "told"), WRONG_USES)
def test_wrong_use_is_one_line_that_names_the_remedy(
    arguments: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "file").touch()

    ran = gg(*arguments, cwd=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", told)


@pytest.mark.slow
def test_the_command_that_shows_the_record_can_be_pasted(tmp_path: Path) -> None:
    path = config(tmp_path, FINISH)

    ran = gg("run", path, "--out", "a record", cwd=tmp_path)

    assert ran.stderr.endswith("record  a record\nshow    gg show 'a record'\n")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_at_the_end_of_the_turn(number: signal.Signals, tmp_path: Path) -> None:
    path = config(tmp_path, SPIN, SPIN, SPIN, sandbox={"guestSecs": 2})
    with start_gg(["run", path, "--out", "record", "--json"], cwd=tmp_path) as process:
        _read_until(process, "  program")
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=60)

    assert "stopping at the end of this turn; press Ctrl-C again to stop at once\n" in stderr
    assert (process.returncode, json.loads(stdout)["status"]) == (0, "canceled")
    assert len(RecordReader(tmp_path / "record").view().turns) == 1


@pytest.mark.slow
def test_ctrl_c_twice_stops_at_once_and_leaves_a_record_and_no_process(tmp_path: Path) -> None:
    path = config(tmp_path, SHOW, SPIN, sandbox={"guestSecs": 600})
    with start_gg(["run", path, "--out", "record"], cwd=tmp_path) as process:
        _read_until(process, "Turn 2")
        _read_until(process, "  program")
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        _read_until(process, "stopping at the end")
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)

    assert (process.returncode, stderr) == (
        130,
        "\nstopped at once; record holds every turn that ended\n",
    )
    assert children
    assert psutil.wait_procs(children, timeout=30)[1] == []
    view = RecordReader(tmp_path / "record").view()
    assert [turn.outcome is not None for turn in view.turns] == [True, False]


def _read_until(process: "subprocess.Popen[str]", start: str) -> None:
    assert process.stderr is not None
    assert any(line.startswith(start) for line in process.stderr), f"stderr ended before {start!r}"
