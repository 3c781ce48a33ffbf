"""The shell family through the bracket: what a call gives, refuses and records. The commands are real."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from host.app.record_home import HiddenFolders
from host.app.shell import AgentShell
from host.events import ApiCall, Shell
from host.operations import CommandEnd
from host.testing import CapturedEvents, FakeClock
from host.turn import Ceilings, Latch, RunState
from tests.host.operations.callers import Desk, error

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}


def run_state(*, max_runtime_s: float | None = None) -> RunState:
    return RunState(
        clock=FakeClock(),
        ceilings=Ceilings(max_runtime_s=max_runtime_s),
        latch=Latch(lambda defect: None),
        events=CapturedEvents(),
        flush=lambda: None,
        mask=str,
    )


def real_shell(directory: Path, *, timeout_s: float = 60.0, max_runtime_s: float | None = None) -> AgentShell:
    run = run_state(max_runtime_s=max_runtime_s)
    hidden = HiddenFolders({"G6_HOME": str(directory / "none")}, commands_in=directory)
    return AgentShell(directory, timeout_s=timeout_s, environment=ENVIRONMENT, hidden=hidden, run=run)


@dataclass
class Ended:
    """A shell whose commands have all ended in one way."""

    end: CommandEnd
    asked: list[tuple[tuple[str, ...], float | None]] = field(default_factory=list)
    directory: Path = Path("/work")

    def run(self, argv: Sequence[str], *, timeout_s: float | None) -> CommandEnd:
        self.asked.append((tuple(argv), timeout_s))
        return self.end


@pytest.fixture
def at(tmp_path: Path) -> Desk:
    (tmp_path / "a.txt").write_text("one\n")
    return Desk(shell=real_shell(tmp_path))


def printed(output: str, **more: object) -> dict[str, object]:
    return {"exitCode": 0, "output": output, "truncated": False, "cutBytes": 0, **more}


CALLS = [
    pytest.param(["cat a.txt; ls nothing 2>&1 >&- || echo none"], None, id="a text for the shell"),
    pytest.param(["echo a; exit 3"], printed("a\n", exitCode=3), id="a code is a result"),
    pytest.param([["cat", "a.txt"]], printed("one\n"), id="a program"),
    pytest.param([["echo", "$(id)", "; ls", ""]], printed("$(id) ; ls \n"), id="no shell reads arguments"),
    pytest.param(["printf '\\033[1m'"], printed("\x1b[1m"), id="control characters stay"),
    pytest.param(["true", {"timeoutSecs": 10}], printed(""), id="a time-out"),
    pytest.param(["true", {"timeoutSecs": None}], printed(""), id="none"),
    pytest.param([["true"], {"timeoutSecs": 1e300}], printed(""), id="a time-out beyond any"),
]


@pytest.mark.parametrize(("arguments", "expected"), CALLS)
def test_a_call_gives(at: Desk, arguments: list[object], expected: dict[str, object] | None) -> None:
    given = at.call("shell.shell", *arguments)

    assert given == {"ok": expected} if expected else given["ok"]["exitCode"] == 0
    assert at.captured.types == ("shell", "api_call")


def test_a_signal_stands_in_place_of_the_code(at: Desk) -> None:
    assert at.call("shell.shell", "echo a; kill -9 $$") == {
        "ok": {"output": "a\n", "truncated": False, "cutBytes": 0, "signal": "SIGKILL"}
    }
    assert json.loads(at.tool("shell", command="kill -36 $$")) == {
        "exit_code": None,
        "output": "",
        "truncated": False,
        "cut_bytes": 0,
        "signal": "signal 36",
    }


def test_a_tool_gives_the_same(at: Desk) -> None:
    assert json.loads(at.tool("shell", command=["cat", "a.txt"], timeout_secs=5)) == {
        "exit_code": 0,
        "output": "one\n",
        "truncated": False,
        "cut_bytes": 0,
        "signal": None,
    }
    assert json.loads(at.tool("shell", command="exit 2"))["exit_code"] == 2


def test_of_a_long_output_the_end_is_given(at: Desk) -> None:
    given = at.call("shell.shell", "yes | head -n 20000; echo end")["ok"]

    assert given["output"] == "…" + "y\n" * 8190 + "end\n"
    assert (given["truncated"], given["cutBytes"]) == (True, 40_004 - 16_384)


def test_an_output_of_control_characters_is_no_answer_too_large(at: Desk) -> None:
    answer = json.loads(at.tool("shell", command="head -c 20000 /dev/zero"))

    assert (answer["output"], answer["exit_code"]) == ("…" + "\0" * 16_384, 0)


REFUSED = [
    pytest.param([""], "The command is blank; name what to run.", id="blank"),
    pytest.param([" \n\t"], "The command is blank; name what to run.", id="white space"),
    pytest.param([[]], "The command is blank; name what to run.", id="no program"),
    pytest.param([["", "a"]], "The command is blank; name what to run.", id="a program without a name"),
    pytest.param(
        ["echo a\0b"],
        "The command holds a NUL character, which no argument can; take it out.",
        id="NUL",
    ),
    pytest.param(
        [["echo", "a", "\0"]],
        "The command holds a NUL character, which no argument can; take it out.",
        id="NUL in an argument",
    ),
    pytest.param(
        ["echo \ud800"],
        "The command holds a lone surrogate, which is half a character; take it out.",
        id="half a character",
    ),
    pytest.param(
        [["echo", "\udfff"]],
        "The command holds a lone surrogate, which is half a character; take it out.",
        id="half a character in an argument",
    ),
    pytest.param([], "shell.shell needs command, and it is missing.", id="nothing"),
    pytest.param([7], "shell.shell: command wants a string or an array and got the number 7.", id="a number"),
    pytest.param(
        [["ls", 7]], "shell.shell: command[1] wants a string and got the number 7.", id="a number among them"
    ),
    pytest.param(
        ["ls", {"timeoutSecs": 0}],
        "shell.shell: timeoutSecs wants a number over 0 and got the number 0.",
        id="no time",
    ),
    pytest.param(
        ["ls", {"timeoutSecs": -0.5}],
        "shell.shell: timeoutSecs wants a number over 0 and got the number -0.5.",
        id="less than none",
    ),
    pytest.param(
        ["ls", {"timeoutSecs": "1"}],
        "shell.shell: timeoutSecs wants a number and got the string `1`.",
        id="a time as a text",
    ),
    pytest.param(
        ["ls", {"timeout": 1}],
        "shell.shell does not know `timeout`. Did you mean timeoutSecs?",
        id="another option",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_a_call_is_refused_and_nothing_is_run(at: Desk, arguments: list[object], message: str) -> None:
    assert at.call("shell.shell", *arguments) == error("invalid-argument", "shell.shell", message)
    assert at.captured.types == ("api_call",)


def test_without_a_shell_the_call_is_not_available() -> None:
    assert Desk().call("shell.shell", "ls") == error("unavailable", "shell.shell", "This agent has no shell.")


UNSTARTED = [
    pytest.param(["no-such-program"], "`no-such-program`: no such file or directory", id="no program"),
    pytest.param(["./a.txt"], "`./a.txt`: permission denied", id="none that is executable"),
    pytest.param(["a; touch b"], "`a; touch b`: no such file or directory", id="a text as a program"),
    pytest.param(["echo", "x" * 200_000], "`echo`: argument list too long", id="an argument too long"),
]


@pytest.mark.parametrize(("command", "problem"), UNSTARTED)
def test_what_cannot_be_started_says_why(at: Desk, command: list[str], problem: str) -> None:
    assert at.call("shell.shell", command) == error(
        "io-error", "shell.shell", f"The command could not be started: {problem}."
    )
    (event,) = at.captured.of(Shell)
    assert (event.outcome, event.exit_code, event.duration_ms) == ("not_started", None, 0.0)


def test_a_directory_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    directory = tmp_path / "gone"
    directory.mkdir()
    at = Desk(shell=real_shell(directory))

    assert at.call("shell.shell", "rmdir ../gone && echo done")["ok"]["output"] == "done\n"
    assert at.call("shell.shell", "pwd") == error(
        "io-error",
        "shell.shell",
        "The command could not be started: the directory of the commands cannot be entered: no such file or"
        " directory.",
    )


def test_a_command_is_ended_at_its_time_out(at: Desk) -> None:
    assert at.call("shell.shell", "printf '\\033[1mbefore\\n'; sleep 1000", {"timeoutSecs": 0.75}) == error(
        "limit-exceeded",
        "shell.shell",
        "The command was ended at its time-out of 0.75 s. It had printed, at the end:\n\\u001b[1mbefore\n",
    )
    assert at.tool("shell", command="exec sleep 1000", timeout_secs=0.1) == (
        "limit-exceeded: The command was ended at its time-out of 0.1 s. It had printed nothing."
    )
    assert [(event.outcome, event.exit_code, event.signal) for event in at.captured.of(Shell)] == [
        ("timed_out", None, "SIGTERM"),
        ("timed_out", None, "SIGTERM"),
    ]


def test_more_time_than_there_is_counts_as_that(tmp_path: Path) -> None:
    at = Desk(shell=real_shell(tmp_path, timeout_s=0.1))

    assert at.call("shell.shell", "sleep 1000", {"timeoutSecs": 9}) == error(
        "limit-exceeded",
        "shell.shell",
        "The command was ended at its time-out of 0.1 s. It had printed nothing.",
    )


def test_a_command_is_ended_with_the_time_of_the_run(tmp_path: Path) -> None:
    at = Desk(shell=real_shell(tmp_path, max_runtime_s=0.1))

    assert at.call("shell.shell", "sleep 1000", {"timeoutSecs": 9}) == error(
        "limit-exceeded",
        "shell.shell",
        "The command was ended: the run's time is spent, limit 0.1 s. It had printed nothing.",
    )


def test_of_what_had_been_printed_the_end_is_told() -> None:
    ended = CommandEnd(outcome="timed_out", limit_s=120.0, output="…" + "x" * 5000 + "end")
    message = Desk(shell=Ended(ended)).call("shell.shell", "a")["error"]["message"]

    assert message == (
        "The command was ended at its time-out of 120 s. It had printed, at the end:\n…" + "x" * 2045 + "end"
    )


def test_a_command_that_was_lost() -> None:
    at = Desk(shell=Ended(CommandEnd(outcome="lost", limit_s=120.0, output="before\n")))

    assert at.call("shell.shell", "kill -9 $PPID") == error(
        "io-error",
        "shell.shell",
        "The command was killed with the process of gg's that watched over it. It had printed, at the end:"
        "\nbefore\n",
    )
    assert [event.outcome for event in at.captured.of(Shell)] == ["lost"]


def test_what_is_handed_to_the_shell() -> None:
    shell = Ended(CommandEnd(outcome="exited", limit_s=1.0, exit_code=0))
    at = Desk(shell=shell)
    at.call("shell.shell", "echo $HOME")
    at.call("shell.shell", ["echo", "$HOME"], {"timeoutSecs": 3})

    assert shell.asked == [(("/bin/sh", "-c", "echo $HOME"), None), (("echo", "$HOME"), 3.0)]


EVENTS: list[Any] = [
    pytest.param("ls -l | wc", ("ls -l | wc", True), id="for a shell"),
    pytest.param(["git", "log", "a b; c", ""], ("git log 'a b; c' ''", False), id="a program"),
    pytest.param("x" * 3000, ("x" * 2048 + "…", True), id="a long one"),
]


@pytest.mark.parametrize(("command", "expected"), EVENTS)
def test_a_command_is_recorded(command: str | list[str], expected: tuple[str, bool]) -> None:
    end = CommandEnd(outcome="exited", limit_s=1.0, exit_code=3, output="a" * 2049, ran_s=0.5)
    at = Desk(shell=Ended(end))
    at.call("shell.shell", command)

    shell, call = at.captured.of(Shell)[0], at.captured.of(ApiCall)[0]
    assert (shell.command, shell.in_shell) == expected
    assert (shell.turn, shell.origin, shell.cwd, shell.outcome) == (3, "program", "/work", "exited")
    assert (shell.exit_code, shell.signal, shell.output, shell.truncated) == (3, None, "…" + "a" * 2048, True)
    assert shell.duration_ms == 500.0
    assert (call.operation, call.ok) == ("shell.shell", True)


def test_the_time_of_the_run_is_asked_before_anything_is_run(tmp_path: Path) -> None:
    run = run_state(max_runtime_s=0.0)
    shell = Ended(CommandEnd(outcome="exited", limit_s=1.0, exit_code=0))
    at = Desk(shell=shell, refuse_over_run_time=run.refuse_over_run_time)

    assert at.call("shell.shell", "ls")["error"]["code"] == "limit-exceeded"
    assert shell.asked == []
