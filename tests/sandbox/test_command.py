"""Commands under their guard, with a real /bin/sh: how they end, what they get, what is left of them."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil
import pytest

from sandbox import CommandEnd, CommandLost, CommandNotStarted, command, run_command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a guard finds what was left on Linux alone")

ENVIRONMENT: Final = {"PATH": "/usr/bin:/bin", "MARK": "é x"}
KEEP: Final = 16 * 2**10
LONG_S: Final = 60.0  # ends no test but one that fails
SHORT_S: Final = 1.0


def run(*argv: str, cwd: Path = Path("/"), timeout_s: float = LONG_S) -> CommandEnd:
    return run_command(argv, cwd=cwd, env=ENVIRONMENT, timeout_s=timeout_s, keep_bytes=KEEP)


def sh(text: str, *, cwd: Path = Path("/"), timeout_s: float = LONG_S) -> CommandEnd:
    return run("/bin/sh", "-c", text, cwd=cwd, timeout_s=timeout_s)


def how(end: CommandEnd) -> tuple[int | None, int | None, bool, str]:
    return end.exit_code, end.signal, end.timed_out, end.output


ENDS = [
    pytest.param("exit 0", (0, None, False, ""), id="well"),
    pytest.param("exit 255", (255, None, False, ""), id="with a code"),
    pytest.param("echo a; echo b >&2; echo c", (0, None, False, "a\nb\nc\n"), id="both streams, in order"),
    pytest.param("kill -SEGV $$", (None, signal.SIGSEGV, False, ""), id="by a signal"),
    pytest.param("echo a; kill -KILL $$", (None, signal.SIGKILL, False, "a\n"), id="killed"),
    pytest.param("kill -36 $$", (None, 36, False, ""), id="by a real-time signal"),
    pytest.param("cat; read x || echo none", (0, None, False, "none\n"), id="nothing on its stdin"),
    pytest.param("exec >&- 2>&-; exit 4", (4, None, False, ""), id="its output closed"),
    pytest.param("no-such-program || exit 5", (5, None, False, None), id="a program that lacks"),
    pytest.param(r"printf 'a\000b\377\033[1m'", (0, None, False, "a\0b�\x1b[1m"), id="odd bytes"),
    pytest.param("pwd", (0, None, False, "/\n"), id="in its directory"),
    pytest.param("umask 777; ulimit -c", (0, None, False, "0\n"), id="no core files"),
]


@pytest.mark.parametrize(("text", "expected"), ENDS)
def test_a_command_ends(text: str, expected: tuple[int | None, int | None, bool, str | None]) -> None:
    end = sh(text)

    assert how(end) == (*expected[:3], end.output if expected[3] is None else expected[3])
    assert end.cut_bytes == 0
    assert 0 <= end.ran_s < LONG_S


def test_it_has_its_environment_and_no_more() -> None:
    assert sorted(run("env").output.splitlines()) == ["MARK=é x", "PATH=/usr/bin:/bin"]


def test_it_has_three_descriptors() -> None:
    leaked = os.dup(0)
    os.set_inheritable(leaked, True)
    try:
        listed = run("ls", "-l", "/proc/self/fd").output
    finally:
        os.close(leaked)

    links = dict(line.partition(" -> ")[::2] for line in listed.splitlines() if " -> " in line)
    by_number = {int(key.split()[-1]): target for key, target in links.items()}
    assert by_number.pop(3).endswith("/fd")  # that of the listing itself
    assert by_number[0] == "/dev/null"
    assert by_number[1] == by_number[2]
    assert by_number[1].startswith("pipe:")
    assert sorted(by_number) == [0, 1, 2]


def test_it_is_a_process_as_any_other() -> None:
    status = dict(line.split(":\t", 1) for line in run("cat", "/proc/self/status").output.splitlines())
    session = sh("ps -o sid= -p $$; echo $$").output.split()

    assert (status["SigBlk"], status["SigIgn"], status["NoNewPrivs"]) == ("0" * 16, "0" * 16, "1")
    assert session[0] == session[1] != str(os.getsid(0))


HOSTILE = [
    "; touch owned",
    "$(touch owned)",
    "`touch owned`",
    "a\ntouch owned",
    "&& touch owned",
    "| touch owned",
    "> owned",
    "'; touch owned; '",
    '"; touch owned; "',
    "$IFS",
    "~",
    "*",
    "",
    "\\",
    "-n",
    "--help",
    "é😀\x1b[31m",
]


@pytest.mark.parametrize("argument", HOSTILE)
def test_no_shell_reads_an_argument(argument: str, tmp_path: Path) -> None:
    end = run("printf", "%s|", argument, "last", cwd=tmp_path)

    assert (end.exit_code, end.output) == (0, f"{argument}|last|")
    assert list(tmp_path.iterdir()) == []


def test_neither_does_one_read_the_programs_name(tmp_path: Path) -> None:
    with pytest.raises(CommandNotStarted) as caught:
        run("echo x; touch owned", cwd=tmp_path)

    assert (caught.value.step, caught.value.reason) == ("program", "No such file or directory")
    assert list(tmp_path.iterdir()) == []


def test_a_program_is_found_in_its_directory_by_its_path_alone(tmp_path: Path) -> None:
    (tmp_path / "own").write_text("#!/bin/sh\necho own\n")
    (tmp_path / "own").chmod(0o700)

    assert run("./own", cwd=tmp_path).output == "own\n"
    with pytest.raises(CommandNotStarted):
        run("own", cwd=tmp_path)


def test_what_cannot_be_started_is_told(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("echo x")
    broken = tmp_path / "broken"
    broken.write_text("echo x")
    broken.chmod(0o700)

    told = []
    for argv, cwd in (
        (str(plain), tmp_path),
        (str(tmp_path), tmp_path),
        (str(broken), tmp_path),
        ("true", tmp_path / "gone"),
        ("true", plain),
    ):
        with pytest.raises(CommandNotStarted) as caught:
            run(argv, cwd=cwd)
        told.append((caught.value.step, caught.value.reason))

    assert told == [
        ("program", "Permission denied"),
        ("program", "Permission denied"),
        ("program", "Exec format error"),
        ("directory", "No such file or directory"),
        ("directory", "Not a directory"),
    ]


def test_arguments_of_megabytes_are_refused_by_the_system_and_reach_it_whole() -> None:
    with pytest.raises(CommandNotStarted) as caught:
        run("echo", "x" * 8 * 2**20)

    assert (caught.value.step, caught.value.reason) == ("program", "Argument list too long")
    assert how(run("echo", "-n", "é" * 4000)) == (0, None, False, "é" * 4000)


def test_without_descriptors_left_nothing_is_started_and_nothing_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = os.listdir("/proc/self/fd")

    def none_left(*args: object, **options: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(command, "start_process", none_left)
    with pytest.raises(CommandNotStarted) as caught:
        run("true")

    assert (caught.value.step, caught.value.reason) == ("guard", "Too many open files")
    assert os.listdir("/proc/self/fd") == before


def test_of_a_hundred_megabytes_the_end_is_kept() -> None:
    end = sh("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo the end")

    assert end.exit_code == 0
    assert end.output == "…" + "x" * (KEEP - 9) + "\nthe end\n"
    assert end.cut_bytes == 100_000_009 - KEEP


def test_an_output_without_end_is_ended_at_the_time_out() -> None:
    end = sh("yes", timeout_s=0.2)

    assert (end.exit_code, end.signal, end.timed_out) == (None, signal.SIGTERM, True)
    assert end.output in ("…" + "y\n" * (KEEP // 2), "…" + "\ny" * (KEEP // 2))
    assert end.cut_bytes > 0


@pytest.mark.slow
def test_what_was_printed_before_the_time_out_is_there() -> None:
    assert how(sh("echo before; sleep 1000", timeout_s=SHORT_S)) == (None, signal.SIGTERM, True, "before\n")


@pytest.mark.slow
def test_a_command_that_tidies_up_at_the_time_out_has_a_moment_for_it() -> None:
    end = sh("trap 'echo tidied; exit 7' TERM; echo ready; sleep 1000 & wait", timeout_s=SHORT_S)

    assert how(end) == (7, None, True, "ready\ntidied\n")


@pytest.fixture
def marked() -> Iterator[str]:
    """A text for command lines, by which the processes of a test are known; none of them may be left."""
    mark = f"1{os.getpid()}{threading.get_ident()}"
    yield mark
    left = processes(mark)
    for process in left:
        process.kill()
    assert left == []


def processes(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):  # it ended while it was looked at
            if mark in " ".join(process.cmdline()) and process.pid != os.getpid():
                found.append(process)
    return found


STUBBORN: Final = "trap '' TERM HUP INT; "
LEFT_RUNNING = [
    pytest.param("sleep {mark} &", id="in the background"),
    pytest.param("nohup sleep {mark} >&2 &", id="proof against the end of a terminal"),
    pytest.param("setsid sleep {mark} &", id="in a session of its own"),
    pytest.param("(setsid sh -c 'sleep {mark} & sleep {mark}' &)", id="grandchildren in another session"),
    pytest.param(STUBBORN + "sleep {mark} &", id="that ignores SIGTERM"),
    pytest.param(STUBBORN + "(setsid sh -c '(sleep {mark} &); sleep {mark}' &)", id="all of these"),
]


@pytest.mark.parametrize("left", LEFT_RUNNING)
def test_what_a_command_leaves_running_ends_with_it(left: str, marked: str, tmp_path: Path) -> None:
    end = sh(left.format(mark=marked) + "\necho ended", cwd=tmp_path)

    assert how(end) == (0, None, False, "ended\n")


@pytest.mark.slow
@pytest.mark.parametrize("left", LEFT_RUNNING)
def test_what_runs_at_the_time_out_ends_as_well(left: str, marked: str, tmp_path: Path) -> None:
    end = sh(left.format(mark=marked) + f"\necho ready; sleep {marked}; sleep {marked}", timeout_s=SHORT_S)

    assert (end.exit_code, end.timed_out, end.output) == (None, True, "ready\n")


def test_a_group_that_forks_without_end_is_ended(marked: str) -> None:
    end = sh(f"{STUBBORN} echo ready; while :; do sleep {marked} & done", timeout_s=0.1)

    assert how(end) == (None, signal.SIGKILL, True, "ready\n")


def test_a_guard_that_is_told_to_end_kills_at_once(marked: str) -> None:
    end = sh(f"{STUBBORN} sleep {marked} & kill $PPID; sleep {marked}")

    assert how(end) == (None, signal.SIGKILL, False, "")


def test_a_guard_that_is_killed_takes_the_command_along(marked: str) -> None:
    with pytest.raises(CommandLost) as caught:
        sh(f"echo before; sleep {marked} & kill -9 $PPID; sleep {marked}")

    assert caught.value.output == "before\n"
    psutil.wait_procs(processes(marked), timeout=10)


def test_a_guard_that_is_stopped_is_given_up(marked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_END_S", 0.2)
    with pytest.raises(CommandLost) as caught:
        sh(f"kill -STOP $PPID; echo stopped; exec sleep {marked}", timeout_s=0.2)

    assert caught.value.output == "stopped\n"
    psutil.wait_procs(processes(marked), timeout=10)


def test_nothing_is_left_open() -> None:
    before = sorted(os.listdir("/proc/self/fd"))
    sh("echo x")
    with pytest.raises(CommandNotStarted):
        run("no-such-program")

    assert sorted(os.listdir("/proc/self/fd")) == before
    assert [
        child for child in psutil.Process().children() if "command_guard" in " ".join(child.cmdline())
    ] == []


def test_commands_run_side_by_side(tmp_path: Path) -> None:
    """Each waits for the other, at the two ends of a pipe with a name."""
    os.mkfifo(tmp_path / "one")
    os.mkfifo(tmp_path / "two")
    ends: dict[str, CommandEnd] = {}

    def go(name: str, text: str) -> None:
        ends[name] = sh(text, cwd=tmp_path)

    threads = [
        threading.Thread(target=go, args=("a", "echo from a > one; cat two")),
        threading.Thread(target=go, args=("b", "cat one; echo from b > two")),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {name: end.output for name, end in ends.items()} == {"a": "from b\n", "b": "from a\n"}
