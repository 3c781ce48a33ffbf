"""Everything that can be wrong about a command line is answered in one line that names the remedy."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from host.cli.main import main
from host.cli.wrong_use import wrong_use
from tests.host.app.runs.records import begun, ended
from tests.host.cli.processes import GG, environment, start_gg
from tests.host.events.runs import STARTED

NAMES = ("bench", "check", "compare", "completion", "doctor", "mcp", "records", "repl", "run", "runs", "show")
COMMANDS = f"{', '.join(NAMES)}, skillbook and validate"
LONG = "y" * 5000
# What is found out after the command line was read is told without the way to the help.
NO_COMMAND = ("gg: there is no turn", "gg: there is no memory", "gg: `a` has", "gg: nowhere", "gg: x\\u001b")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with two records, one of a newer format, and things that are no records."""
    monkeypatch.chdir(tmp_path)
    ended(tmp_path / ".gg/runs/20261129-aa", day=1)
    ended(tmp_path / ".gg/runs/20261130-bb")
    ended(tmp_path / "newer")
    (tmp_path / "newer/run.json").write_text('{"formatVersion": 2}')
    ended(tmp_path / "damaged")
    (tmp_path / "damaged/events.ndjson").write_text("damage")
    (tmp_path / "empty").mkdir()
    (tmp_path / "used").mkdir()
    (tmp_path / "used/file").touch()
    (tmp_path / "notes.txt").write_text("notes")
    os.symlink("loop", tmp_path / "loop")
    return tmp_path


def used(
    *arguments: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of the console script, in this process."""
    monkeypatch.setattr(sys, "argv", ["gg", *arguments])
    with pytest.raises(SystemExit) as exit_info:
        main()
    captured = capsys.readouterr()
    return int(exit_info.value.code or 0), captured.out, captured.err


RUNS_REMEDY = "gg runs lists the records under .gg/runs."
IS_FILE = "it is a file, and not one of events; name the directory of one."
WRONG: list[tuple[list[str], str]] = [
    # commands
    (["shwo"], "gg: no such command `shwo`; did you mean show?"),
    (["SHOW"], "gg: no such command `SHOW`; did you mean show?"),
    (["xyzzy"], f"gg: no such command `xyzzy`; there are {COMMANDS}."),
    ([""], f"gg: no such command ``; there are {COMMANDS}."),
    (["sh\x1b[2Jow"], "gg: no such command `sh\\u001b[2Jow`; did you mean show?"),
    (
        ["runs", "prun", "--keep", "3"],
        "gg runs: `prun` is no command and does not exist; did you mean prune?",
    ),
    # options
    (["--versoin"], "gg: no such option `--versoin`; did you mean --version?"),
    (["-v"], "gg: no such option `-v`; there are --version and --help."),
    (["show", "last", "--jsn"], "gg show: no such option `--jsn`; did you mean --json?"),
    (
        ["run", "x.json", "--quite"],
        "gg run: no such option `--quite`; did you mean --quiet?",
    ),
    (["runs", "--jsn"], "gg runs: no such option `--jsn`; did you mean --json?"),
    (
        ["runs", "prune", "--kep", "3"],
        "gg runs prune: no such option `--kep`; did you mean --keep?",
    ),
    (
        ["show", "-x"],
        "gg show: no such option `-x`; there are --memory, --at, --agent, --window, --verify, --json, --quiet"
        " and --help.",
    ),
    (
        ["show", "last", "--a\nb"],
        "gg show: no such option `--a\\u000ab`; did you mean --at?",
    ),
    (["show", "last", "--json=1"], "gg show: --json takes no value."),
    (["show", "last", "--at"], "gg show: --at needs a value: --at TURN."),
    (
        ["show", "last", "--memory"],
        "gg show: --memory needs a value: --memory SLUG[@REV].",
    ),
    (["run", "--out"], "gg run: --out needs a value: --out DIR."),
    (["runs", "prune", "--keep"], "gg runs prune: --keep needs a value: --keep N."),
    (["runs", "prune"], "gg runs prune: --keep N is missing."),
    # arguments
    (["run"], "gg run: CONFIG is missing."),
    (["validate"], "gg validate: CONFIG is missing."),
    (["check"], "gg check: PATH is missing."),
    (
        ["bench"],
        "gg bench: NAME is missing; it is sandbox, compile, sessions, records, context, turns, limits, "
        "retrieval or skillbook.",
    ),
    (["completion"], "gg completion: SHELL is missing; it is bash, zsh or fish."),
    (
        ["show"],
        "gg show: RECORD is missing; name a path, an id as gg runs lists them, the beginning of one,"
        " or last, which is 20261130-bb now.",
    ),
    (["show", "last", "more"], "gg show: `more` is too much."),
    (["doctor", "a", "b"], "gg doctor: `a b` is too much."),
    (["doctor", "a\x1b[1m\nb"], "gg doctor: `a\\u001b[1m\\u000ab` is too much."),
    (["completion", "bash", "zsh"], "gg completion: `zsh` is too much."),
    (["repl", "a", "b"], "gg repl: `b` is too much."),
    (["runs", ".", "b"], "gg runs: `b` is too much."),
    # choices and numbers
    (
        ["completion", "tcsh"],
        "gg completion: SHELL: `tcsh` is none of bash, zsh or fish.",
    ),
    (
        ["bench", "\x1b"],
        "gg bench: NAME: `\\x1b` is none of sandbox, compile, sessions, records, context, turns, limits, "
        "retrieval or skillbook.",
    ),
    (["show", "last", "--at", "x"], "gg show: --at: `x` is no whole number from 1."),
    (["show", "last", "--at", "0"], "gg show: --at: `0` is no whole number from 1."),
    (["show", "last", "--at", "1.5"], "gg show: --at: `1.5` is no whole number from 1."),
    (
        ["show", "last", "--at", "9" * 5000],
        f"gg show: --at: `{'9' * 120}…` is no whole number from 1.",
    ),
    (
        ["runs", "prune", "--keep", "-1"],
        "gg runs prune: --keep: `-1` is no whole number from 0.",
    ),
    (
        ["show", "last", "--verify", "--at", "1"],
        "gg show: --verify looks at the whole record; leave --memory, --at, --agent and --window out.",
    ),
    (
        ["show", "last", "--verify", "--window"],
        "gg show: --verify looks at the whole record; leave --memory, --at, --agent and --window out.",
    ),
    (
        ["show", "last", "--window", "--memory", "notes"],
        "gg show: --window shows requests; leave --memory out.",
    ),
    # records
    (["show", "nowhere"], f"gg show: there is no record `nowhere`; {RUNS_REMEDY}"),
    (["show", "./nowhere"], f"gg show: `./nowhere` does not exist; {RUNS_REMEDY}"),
    (["show", ""], f"gg show: no record has an empty name; {RUNS_REMEDY}"),
    (["show", "empty"], f"gg show: `empty` is no session record: it holds no events.ndjson; {RUNS_REMEDY}"),
    (["show", "notes.txt"], f"gg show: `notes.txt` is no session record: {IS_FILE}"),
    (
        ["show", "2026"],
        "gg show: `2026` begins 2 ids: 20261130-bb, 20261129-aa; write more of it.",
    ),
    (
        ["show", "20261130-b8"],
        "gg show: there is no record `20261130-b8`; did you mean 20261130-bb?",
    ),
    (
        ["show", "loop"],
        "gg show: `loop` cannot be read: too many levels of symbolic links.",
    ),
    (["show", LONG], f"gg show: `{'y' * 120}…` cannot be read: file name too long."),
    (["show", "\udcff\udcfe"], f"gg show: there is no record `\\udcff\\udcfe`; {RUNS_REMEDY}"),
    (["show", "a\nb\x1b[31m"], f"gg show: there is no record `a\\u000ab\\u001b[31m`; {RUNS_REMEDY}"),
    (["show", "last", "--at", "9"], "gg: there is no turn 9; the run has turns 1 to 2"),
    (["show", "last", "--memory", "b"], "gg: there is no memory `b`; the run kept `a`"),
    (["show", "last", "--memory", "a@7"], "gg: `a` has no revision 7; there is revision 1 alone"),
    (
        ["show", "last", "--memory", "a@x"],
        "gg show: `a@x` is no SLUG@REV: REV is a whole number from 1.",
    ),
    (["show", "last", "--memory", "a", "--at", "1"], "gg: there is no memory `a`; the run kept none"),
    (
        ["runs", "nowhere"],
        "gg runs: `nowhere` does not exist; name a folder of session records.",
    ),
    (
        ["runs", "notes.txt"],
        "gg runs: `notes.txt` is no directory; name a folder of session records.",
    ),
    (
        ["runs", ".gg/runs/20261130-bb"],
        "gg runs: `.gg/runs/20261130-bb` is a session record itself; gg show shows it.",
    ),
    # configurations and what is written
    (["run", "nowhere"], "gg: nowhere does not exist; name a configuration, or the folder of one"),
    (["run", "x\x1b[2J"], "gg: x\\u001b[2J does not exist; name a configuration, or the folder of one"),
    (
        ["run", "x.json", "--out", "used"],
        "gg run: --out used is not empty; name a directory that is absent or empty.",
    ),
    (
        ["run", "x.json", "--out", "notes.txt"],
        "gg run: --out notes.txt is no directory; name a directory that is absent or empty.",
    ),
    (
        ["run", "x.json", "--out", ".gg/runs/20261130-bb"],
        "gg run: --out .gg/runs/20261130-bb is not empty; name a directory that is absent or empty.",
    ),
]


@pytest.mark.parametrize(
    ("arguments", "told"), WRONG, ids=lambda value: repr(value)[:60] if isinstance(value, list) else ""
)
@pytest.mark.usefixtures("folder")
def test_wrong_use_is_one_line(
    arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = "" if told.startswith(NO_COMMAND) else f" See {told.partition(':')[0]} --help"

    assert used(*arguments, monkeypatch=monkeypatch, capsys=capsys) == (2, "", f"{told}{where}\n")


# What is wrong with the record, not with the use of gg.
REFUSED = [
    (
        ["show", "newer"],
        "gg: newer/run.json has format version 2, and this gg reads up to 1; read it with a newer gg",
    ),
    (
        ["show", "newer", "--json"],
        "gg: newer/run.json has format version 2, and this gg reads up to 1; read it with a newer gg",
    ),
    (
        ["show", "damaged"],
        "gg: damaged/events.ndjson, line 1: not an event log: its first line is no JSON object",
    ),
]


@pytest.mark.parametrize(("arguments", "told"), REFUSED)
@pytest.mark.usefixtures("folder")
def test_a_record_that_cannot_be_read_is_refused_in_one_line(
    arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert used(*arguments, monkeypatch=monkeypatch, capsys=capsys) == (1, "", f"{told}\n")


def test_where_nothing_was_recorded_the_missing_record_is_told_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert used("show", monkeypatch=monkeypatch, capsys=capsys)[2] == (
        "gg show: RECORD is missing; name a path, an id as gg runs lists them, the beginning of one, or last."
        " See gg show --help\n"
    )
    assert used("show", "last", monkeypatch=monkeypatch, capsys=capsys)[2] == (
        "gg show: there is no record under .gg/runs yet; gg run CONFIG makes one. See gg show --help\n"
    )


def test_a_record_that_is_being_written_is_shown_and_not_written_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with begun(folder / "live", STARTED):
        shown = used("show", "live", monkeypatch=monkeypatch, capsys=capsys)
        run = used("run", "x.json", "--out", "live", monkeypatch=monkeypatch, capsys=capsys)

    assert (shown[0], shown[1].splitlines()[-1]) == (0, "the run is still going on after 1 event")
    assert (
        run[2]
        == "gg run: --out live is not empty; name a directory that is absent or empty. See gg run --help\n"
    )


def without_privileges(*arguments: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Runs `gg` as one to whom the modes of files apply, which they do not to root."""
    command = [str(GG), *map(str, arguments)]
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            pytest.skip("needs setpriv to put root's privileges aside")
        capabilities = "-dac_override,-dac_read_search"
        command = [setpriv, f"--bounding-set={capabilities}", f"--inh-caps={capabilities}", *command]
    return subprocess.run(
        command, cwd=cwd, env=environment(), capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.slow
def test_what_may_not_be_read_is_told(folder: Path) -> None:
    (folder / "shut").mkdir()
    (folder / "newer/events.ndjson").chmod(0)
    for place in ("shut", ".gg/runs/20261130-bb", "empty"):
        (folder / place).chmod(0)

    told = {
        arguments: without_privileges(*arguments, cwd=folder)
        for arguments in (("show", "shut"), ("show", "shut/x"), ("runs", "shut"), ("runs",))
    }

    assert {arguments: (ran.returncode, ran.stderr) for arguments, ran in told.items()} == {
        ("show", "shut"): (2, "gg show: `shut` cannot be read: permission denied. See gg show --help\n"),
        ("show", "shut/x"): (2, "gg show: `shut/x` cannot be read: permission denied. See gg show --help\n"),
        ("runs", "shut"): (2, "gg: `shut` cannot be read: permission denied\n"),
        ("runs",): (0, ""),
    }
    assert "20261130-bb  no record" in told[("runs",)].stdout
    assert "permission denied" in told[("runs",)].stdout


@pytest.mark.slow
def test_a_reader_that_has_left_is_no_error_of_a_long_output(folder: Path) -> None:
    with start_gg(["show", "last"], cwd=folder) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, stderr = process.communicate(timeout=60)

    assert (process.returncode, stderr) == (141, "")


@pytest.mark.parametrize(
    "arguments", [("show", "last"), ("show", "last", "--json"), ("runs",), ("completion", "zsh")]
)
def test_a_full_disk_is_told(arguments: tuple[str, ...], folder: Path) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [str(GG), *arguments],
            cwd=folder,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )

    assert (ran.returncode, ran.stderr) == (1, "gg: stdout cannot be written: no space left on device\n")


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--help", "--version"])
def test_what_click_prints_itself_is_no_fault_of_ggs_own(option: str, folder: Path) -> None:
    with open("/dev/full", "w") as full:
        lost = subprocess.run(
            [str(GG), option],
            cwd=folder,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    with start_gg([option], cwd=folder) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, stderr = process.communicate(timeout=60)

    assert (lost.returncode, lost.stderr) == (1, "gg: no space left on device\n")
    assert (process.returncode, stderr) == (141, "")


def test_an_argument_that_is_no_utf_8_reaches_no_terminal_as_it_is(folder: Path) -> None:
    ran = subprocess.run(
        [os.fsencode(GG), b"show", b"\xff\x1b[2J"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"gg show: there is no record `\\udcff\\u001b[2J`; ")


def test_json_is_printed_of_a_record_whose_path_is_no_utf_8(folder: Path) -> None:
    strange = os.fsencode(folder) + b"/\xff"
    shutil.copytree(os.fsencode(folder / ".gg/runs/20261130-bb"), strange)

    ran = subprocess.run(
        [os.fsencode(GG), b"show", b"\xff", b"--json"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=60,
    )

    assert json.loads(ran.stdout)["record"] == "\udcff"


def test_a_message_of_click_that_is_not_worded_here_is_one_line_too() -> None:
    error = click.UsageError("Something odd\n  in two lines.")

    assert wrong_use(error) == ("gg", "something odd in two lines. See gg --help")
