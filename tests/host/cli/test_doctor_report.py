"""`gg doctor --report` and `g6 doctor --report`: what is told of a traceback, and what never is."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from host.app.error_report import MOST_BYTES, InstalledCode, error_report
from host.context.reports import MOST_FRAMES
from tests.host.cli.processes import environment, gg

ROOT = Path(__file__).parents[3]
G6 = Path(sys.executable).with_name("g6")

KEY = "sk-abcdefghijklmnopqrstuv"
SECRETS = {
    "a key": KEY,
    "a password": "hunter2-in-source",
    "a token": "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "a PEM": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "an address": "ada.lovelace@private.example",
    "a host": "db7.internal.private.example",
    "an IP": "10.20.30.40",
    "a home": "lovelace",
    "a variable": "the value of a variable 42",
}
NAMES = {
    "a project": "moonshot",
    "a function": "launch_rocket",
    "a type": "RocketLost",
    "a message": "engine seven",
}
TRACE = f"""\
INFO request by {SECRETS["an address"]}
Traceback (most recent call last):
  File "/home/lovelace/moonshot/run.py", line 12, in launch_rocket
    connect("{SECRETS["a host"]}", password="hunter2-in-source")  # engine seven
    ~~~~~~~^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "{ROOT}/host/core/text.py", line 3, in join_words
    key = "{KEY}"
  File "/home/lovelace/moonshot/host/core/moonshot.py", line 5, in join_words
  File "C:\\Users\\lovelace\\moonshot\\{KEY}.py", line 6, in {SECRETS["a token"]}
ValueError: engine seven at {SECRETS["an IP"]}: {SECRETS["a token"]} for {SECRETS["an address"]}

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "{ROOT}/host/core/text.py", line 9, in launch_rocket
moonshot.RocketLost: password='hunter2-in-source' {SECRETS["a variable"]} https://lovelace:pw@db7/
-----BEGIN PRIVATE KEY-----
{SECRETS["a PEM"]}
-----END PRIVATE KEY-----
"""


def report_of(text: str, *, keep_caller_text: bool = False) -> dict[str, Any]:
    report = error_report(text.encode(), keep_caller_text=keep_caller_text)
    assert report is not None
    return report


def test_nothing_of_the_callers_is_in_a_report(tmp_path: Path) -> None:
    (tmp_path / "trace.txt").write_text(TRACE)

    ran = gg("doctor", "--report", "trace.txt", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert [what for what, text in (SECRETS | NAMES).items() if text in ran.stdout] == []
    report = json.loads(ran.stdout)
    assert list(report) == ["versions", "platform", "exception", "frames", "masks"]
    assert report["exception"] == {"type": "<exception>", "others": [{"type": "ValueError"}]}
    assert report["frames"] == [
        {"file": "<caller>", "line": 12, "function": "<caller>", "own": False},
        {"file": "host/core/text.py", "line": 3, "function": "join_words", "own": True},
        {"file": "<caller>", "line": 5, "function": "<caller>", "own": False},
        {"file": "<caller>", "line": 6, "function": "<caller>", "own": False},
        {"file": "host/core/text.py", "line": 9, "function": "<caller>", "own": True},
    ]
    assert report["masks"] == {"<caller>": 7, "<exception>": 1}


def test_what_is_kept_of_the_callers_text_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROCKET_TOKEN", SECRETS["a variable"])

    raw = json.dumps(report_of(TRACE, keep_caller_text=True)).encode()

    assert [what for what, text in SECRETS.items() if text.encode() in raw] == []
    assert [what for what, text in NAMES.items() if text.encode() not in raw] == []
    report = json.loads(raw)
    assert report["exception"] == {
        "type": "moonshot.RocketLost",
        "message": "password='[REDACTED]' [REDACTED] https://[REDACTED]:[REDACTED]@<host>/",
        "others": [
            {"type": "ValueError", "message": "engine seven at <ip>: [REDACTED] for [REDACTED_EMAIL]"}
        ],
    }
    assert report["frames"][0] == {
        "file": "~/moonshot/run.py",
        "line": 12,
        "function": "launch_rocket",
        "own": False,
    }
    assert report["frames"][3] == {
        "file": "~\\moonshot\\[REDACTED].py",
        "line": 6,
        "function": "[REDACTED]",
        "own": False,
    }


def test_no_source_line_is_kept() -> None:
    source = "connect_to_the_moon(7)"
    text = f'  File "a.py", line 1, in f\n    {source}\n    ^^^^\nValueError\n'

    assert source not in json.dumps(report_of(text, keep_caller_text=True))


def test_a_report_is_written_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("G6_HOME", str(tmp_path / "home"))

    ran = gg("doctor", "--report", "-", "--write", cwd=tmp_path, typed=TRACE)

    assert (ran.returncode, ran.stderr) == (0, "")
    path = Path(ran.stdout.removesuffix("\n"))
    assert path.parent == tmp_path / "home" / "diagnostics"
    assert re.fullmatch(r"report-\d{8}T\d{6}Z-[0-9a-f]{8}\.json", path.name)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert json.loads(path.read_bytes()) == report_of(TRACE)
    assert [what for what, text in (SECRETS | NAMES).items() if text.encode() in path.read_bytes()] == []


def test_a_link_in_place_of_the_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("G6_HOME", str(tmp_path / "home"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "home/diagnostics").symlink_to(tmp_path / "elsewhere")

    ran = gg("doctor", "--report", "-", "--write", cwd=tmp_path, typed=TRACE)

    assert (ran.returncode, ran.stdout) == (1, "")
    assert (
        ran.stderr == f"gg: {tmp_path}/home/diagnostics is a link; a report is written into a folder alone\n"
    )
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_g6_has_the_same_command(tmp_path: Path) -> None:
    (tmp_path / "trace.txt").write_text(TRACE)

    ran = subprocess.run(
        [G6, "doctor", "--report", "trace.txt"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert json.loads(ran.stdout) == report_of(TRACE)


def test_g6_has_no_other_command(tmp_path: Path) -> None:
    ran = subprocess.run(
        [G6, "run"], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "g6: no such command `run`; there is doctor. See g6 --help\n"


WRONG = [
    (["--report", "-"], 1, "gg: no traceback in standard input; give the whole of what was printed\n"),
    (
        ["--report", "absent.txt"],
        2,
        "gg doctor: absent.txt cannot be read: no such file or directory. See gg doctor --help\n",
    ),
    (
        ["--write"],
        2,
        "gg doctor: --write goes with --report FILE; name the file of a traceback. See gg doctor --help\n",
    ),
    (
        ["--keep-caller-text"],
        2,
        "gg doctor: --keep-caller-text goes with --report FILE; name the file of a traceback."
        " See gg doctor --help\n",
    ),
]


@pytest.mark.parametrize(("arguments", "code", "told"), WRONG)
def test_what_is_wrong_is_told(arguments: list[str], code: int, told: str, tmp_path: Path) -> None:
    ran = gg("doctor", *arguments, cwd=tmp_path, typed="nothing happened\n")

    assert (ran.returncode, ran.stdout, ran.stderr) == (code, "", told)


def test_only_names_that_gg_has_are_its_own() -> None:
    own = InstalledCode()

    assert own.file("/anywhere/site-packages/host/core/text.py") == "host/core/text.py"
    assert own.file("D:\\work\\sandbox\\engine.py") == "sandbox/engine.py"
    assert own.file("/x/g6/context.py") == "g6/context.py"
    assert own.file("/home/host/host/core/text.py") == "host/core/text.py"
    assert own.file("/home/host/core/moonshot.py") is None
    assert own.file("/x/host/core/../core/text.py") is None
    assert own.file("host") is None
    assert own.file(f"/x/host/{'y' * 5000}") is None
    assert own.has_function("host/core/text.py", "join_words")
    assert own.has_function("host/core/text.py", "<module>")
    assert not own.has_function("host/core/text.py", "launch_rocket")
    assert own.has_exception("host.core.errors.HostError")
    assert own.has_exception("sandbox.SandboxError") is False
    assert not own.has_exception("host.core.errors.RocketLost")
    assert not own.has_exception("moonshot.HostError")


def test_a_real_fault_of_ggs_own_is_told_in_whole() -> None:
    program = "import host.core.text as text\ntext.join_words(7)\n"
    failed = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    report = report_of(failed.stderr)

    assert report["exception"] == {"type": "TypeError"}
    assert report["frames"][0] == {"file": "<caller>", "line": 2, "function": "<caller>", "own": False}
    assert {(frame["file"], frame["function"]) for frame in report["frames"][1:]} == {
        ("host/core/text.py", "join_words")
    }


def test_a_very_long_traceback_loses_its_middle() -> None:
    frames = "".join(f'  File "a.py", line {number}, in f\n' for number in range(1, MOST_FRAMES + 3))
    report = report_of(f"Traceback (most recent call last):\n{frames}ValueError: x\n")

    assert len(report["frames"]) == MOST_FRAMES
    assert report["frames_left_out"] == 2
    assert [report["frames"][at]["line"] for at in (0, 499, 500, -1)] == [1, 500, 503, MOST_FRAMES + 2]


def test_of_a_very_long_file_the_end_is_read(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as file:
        file.write(b'  File "old.py", line 1, in f\nKeyError: x\n')
        os.truncate(file.fileno(), 2 * MOST_BYTES)
        file.seek(0, os.SEEK_END)
        file.write(b'\nTraceback (most recent call last):\n  File "new.py", line 2, in f\nValueError: x\n')

    ran = gg("doctor", "--report", log, cwd=tmp_path)

    assert [frame["line"] for frame in json.loads(ran.stdout)["frames"]] == [2]
