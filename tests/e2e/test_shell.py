"""Agents that run commands, in real runs of both modes: what they get, what is recorded, what is left."""

import json
import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal

import psutil
import pytest
from click.testing import CliRunner

from host.cli.commands.show import show
from host.core.messages import Reply
from host.events import AgentSurface, ApiCall, OperatorLog, RecordReader, Shell, TurnOutcome
from runtime_js import Compiler
from tests.helpers.hosts import Host
from tests.helpers.runs import FINISH, FINISHES, Ran, calls, run_agent

Execution = Literal["responses_as_code", "tool_calling"]
MODES: Final[tuple[Execution, ...]] = ("responses_as_code", "tool_calling")
SECRET: Final = "sesame-opens-everything"


def asking(mode: Execution, command: str | list[str], **options: object) -> str | Reply:
    """A reply that runs one command, of which a program shows what came of it."""
    if mode == "tool_calling":
        return calls(("shell", {"command": command, **options}))
    spelt = {"timeoutSecs": options["timeout_secs"]} if options else {}
    return f"""\
import {{ shell, views }} from "gg";
let told: string;
try {{
  told = JSON.stringify(shell.shell({json.dumps(command)}, {json.dumps(spelt)}));
}} catch (error) {{
  told = String(error);
}}
views.openText("told", told);
"""


def ran(out: Path, mode: Execution, compiler: Compiler, *replies: str | Reply, **more: Any) -> Ran:  # noqa: ANN401  (of `run_agent`)
    end = FINISHES if mode == "tool_calling" else FINISH
    done = run_agent(out, [*replies, end], execution=mode, compiler=compiler, **more)
    assert done.result.status == "completed", done.result.error
    return done


def told(done: Ran, mode: Execution, reply: int = 1) -> str:
    """What the model reads of a command."""
    if mode == "tool_calling":
        (answer,) = done.answers(reply)
        return answer
    (view,) = done.told(reply)
    return view.removeprefix("View: told\n----\n")


def output_of(done: Ran, mode: Execution) -> str:
    output: str = json.loads(told(done, mode))["output"]
    return output


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "a.txt").write_text("one\n")
    return {"shell": {"params": {"dir": "w"}}}


@pytest.mark.parametrize("mode", MODES)
def test_a_command_runs_in_its_directory(
    mode: Execution, shell: dict[str, Any], compiler: Compiler, tmp_path: Path
) -> None:
    asked = asking(mode, "cat a.txt; pwd; echo x > b.txt; exit 3")
    done = ran(tmp_path / "r", mode, compiler, asked, others=shell)

    given = json.loads(told(done, mode))
    assert given["output"] == f"one\n{tmp_path / 'w'}\n"
    assert given.get("exitCode", given.get("exit_code")) == 3
    assert (tmp_path / "w" / "b.txt").read_text() == "x\n"
    (event,) = done.of(Shell)
    assert (event.origin, event.in_shell, event.outcome, event.exit_code) == (
        "tool" if mode == "tool_calling" else "program",
        True,
        "exited",
        3,
    )
    assert [outcome.outcome for outcome in done.of(TurnOutcome)] == ["progressed", "finished"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("hostile", ["; touch owned", "$(touch owned)", "a\ntouch owned", "-n", "`id`"])
def test_no_shell_reads_what_stands_in_an_array(
    mode: Execution, hostile: str, shell: dict[str, Any], compiler: Compiler, tmp_path: Path
) -> None:
    done = ran(tmp_path / "r", mode, compiler, asking(mode, ["printf", "%s|", hostile]), others=shell)

    assert output_of(done, mode) == f"{hostile}|"
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["a.txt"]


@pytest.mark.parametrize("mode", MODES)
def test_a_time_out_is_a_failure_of_the_call(
    mode: Execution, shell: dict[str, Any], compiler: Compiler, tmp_path: Path
) -> None:
    asked = asking(mode, "echo before; sleep 1000", timeout_secs=0.5)
    done = ran(tmp_path / "r", mode, compiler, asked, others=shell)

    begins = "limit-exceeded: " if mode == "tool_calling" else "ApiError: "
    assert told(done, mode) == (
        f"{begins}The command was ended at its time-out of 0.5 s. It had printed, at the end:\nbefore\n"
    )
    asked_first, *_ = done.of(ApiCall)
    assert (asked_first.operation, asked_first.code) == ("shell.shell", "limit-exceeded")
    assert [outcome.outcome for outcome in done.of(TurnOutcome)] == ["progressed", "finished"]


@pytest.mark.slow
def test_the_time_of_a_command_is_not_the_programs(
    shell: dict[str, Any], compiler: Compiler, tmp_path: Path
) -> None:
    program = asking("responses_as_code", "sleep 1; echo done")
    done = ran(
        tmp_path / "r", "responses_as_code", compiler, program, others=shell, sandbox={"guestSecs": 0.5}
    )

    assert output_of(done, "responses_as_code") == "done\n"


def test_a_failure_that_no_program_catches_is_told_with_its_place(
    shell: dict[str, Any], compiler: Compiler, tmp_path: Path
) -> None:
    program = 'import { shell } from "gg";\nshell.shell(["no-such-program"]);\n'
    done = ran(tmp_path / "r", "responses_as_code", compiler, program, others=shell)

    assert done.told(1) == [
        "Runtime error\n----\nApiError: shell.shell (io-error): The command could not be started:"
        " `no-such-program`: no such file or directory.\n    at program.ts:2:7"
    ]


@pytest.mark.parametrize("mode", MODES)
def test_secrets_are_not_in_its_environment_and_masked_where_they_are(
    mode: Execution,
    shell: dict[str, Any],
    compiler: Compiler,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BOX_API_KEY", SECRET)
    monkeypatch.setenv("BOX_TOKEN", f"other-{SECRET[::-1]}")
    shell["shell"]["params"]["env"] = ["BOX_TOKEN", "BOX_LACKS"]
    asked = asking(mode, f"env; echo {SECRET} >&2; echo {SECRET} > kept")
    done = ran(tmp_path / "r", mode, compiler, asked, others=shell)

    output = output_of(done, mode)
    assert "BOX_API_KEY=" not in output
    assert "BOX_TOKEN=[masked:BOX_TOKEN]" in output
    assert (tmp_path / "w" / "kept").read_text() == f"{SECRET}\n"
    record = "".join(path.read_text() for path in (tmp_path / "r").rglob("*") if path.is_file())
    assert SECRET not in record
    assert SECRET[::-1] not in record
    (event,) = done.of(Shell)
    assert "echo [masked:BOX_API_KEY]" in event.command
    assert [log.text for log in done.of(OperatorLog)] == [
        "commands of the shell go without `BOX_LACKS`, which gg's environment does not have"
    ]


def test_of_a_secret_that_the_cut_goes_through_nothing_stays(
    shell: dict[str, Any], compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOX_API_KEY", SECRET)
    after = 16 * 1024 - len(SECRET) // 2
    command = f"echo {SECRET} | tr -d '\\n'; head -c {after} /dev/zero | tr '\\0' x"
    done = ran(tmp_path / "r", "tool_calling", compiler, asking("tool_calling", command), others=shell)

    assert output_of(done, "tool_calling") == "…[masked:BOX_API_KEY]" + "x" * after


@pytest.mark.parametrize("mode", MODES)
def test_a_shell_shares_the_copy_of_the_files(mode: Execution, compiler: Compiler, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.txt").write_text("one\n")
    files = {"params": {"dir": "data", "copy": True}}
    asked = asking(mode, "echo two >> a.txt; cat a.txt")
    done = ran(tmp_path / "r", mode, compiler, asked, files=files, others={"shell": {}})

    assert output_of(done, mode) == "one\ntwo\n"
    assert (tmp_path / "data" / "a.txt").read_text() == "one\n"
    assert (tmp_path / "r" / "workspace" / "root" / "a.txt").read_text() == "one\ntwo\n"


@pytest.mark.parametrize("mode", MODES)
def test_without_the_capability_there_is_no_shell(
    mode: Execution, compiler: Compiler, tmp_path: Path
) -> None:
    off = {"shell": {"enabled": False, "params": {"dir": "."}}}
    done = ran(tmp_path / "r", mode, compiler, asking(mode, "touch owned"), others=off)

    assert "shell" in told(done, mode)
    assert "not available to this agent" in told(done, mode)
    assert not (tmp_path / "owned").exists()
    (surface,) = done.of(AgentSurface)
    assert "shell.shell" not in surface.operations
    assert done.of(Shell) == []


def test_commands_are_shown(shell: dict[str, Any], compiler: Compiler, tmp_path: Path) -> None:
    program = """\
import { shell } from "gg";
shell.shell("printf '\\\\033[31m'; exit 3 # \\u001b[31m");
shell.shell(["echo", "a b"]);
shell.shell("kill -9 $$");
"""
    ran(tmp_path / "r", "responses_as_code", compiler, program, others=shell)
    shown = CliRunner().invoke(show, [str(tmp_path / "r")], catch_exceptions=False).stdout
    lines = [line for line in shown.splitlines() if line.startswith("  command")]

    assert [line.rpartition(", ")[0] for line in lines] == [
        "  command  printf '\\033[31m'; exit 3 # \\u001b[31m (exit 3",
        "  command  echo 'a b' (exit 0",
        "  command  kill -9 $$ (ended by SIGKILL",
    ]
    (turn, _) = RecordReader(tmp_path / "r").view().turns
    assert [command.outcome for command in turn.commands] == ["exited", "exited", "killed"]


HANGS_S: Final = 60.0
# Says who watches over it and who it is, and cannot be asked to end.
STUBBORN: Final = (
    "trap '' TERM INT HUP; (setsid sleep 1000 &); sleep 1000 & echo $PPID $$ $! > told; sleep 1000"
)


def write_run(folder: Path, mode: Execution, command: str) -> None:
    """A run of one turn, which is a command that may take a quarter of an hour."""
    replies = folder / "replies" / "root"
    replies.mkdir(parents=True)
    if mode == "tool_calling":
        call = {"name": "shell", "arguments": {"command": command}}
        (replies / "1.json").write_text(json.dumps({"toolCalls": [call]}))
    else:
        (replies / "1.ts").write_text(str(asking(mode, command)))
    shell = {"id": "shell", "params": {"dir": ".", "timeoutSecs": 1000}}
    document = {
        "task": "Wait.",
        "limits": {"maxTurns": 3},
        "model": {"provider": "scripted", "replies": "replies"},
        "agents": [{"id": "root", "execution": mode, "capabilities": [shell]}],
    }
    (folder / "run.json").write_text(json.dumps(document))


def processes_of(host: Host, told: Path) -> list[psutil.Process]:
    """The guard, the command and what they have started, once the command has told."""
    descriptor = os.open(told, os.O_RDONLY | os.O_NONBLOCK)
    try:
        if not select.select([descriptor], [], [], HANGS_S)[0]:
            host.watch(for_s=1)
            pytest.fail(f"the command was not started:\n{host.shown}")
        guard, *_ = map(int, os.read(descriptor, 4096).split())
    finally:
        os.close(descriptor)
    found = [psutil.Process(guard)]
    return [*found, *found[0].children(recursive=True)]


def assert_gone(processes: list[psutil.Process]) -> None:
    assert len(processes) >= 4
    left = psutil.wait_procs(processes, timeout=10)[1]
    for process in left:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    assert left == []


def killed(host: Host) -> None:
    host.kill()


def interrupted_twice(host: Host) -> None:
    interrupt(host)
    os.kill(host.pid, signal.SIGINT)
    assert host.wait() == 130
    assert "stopped at once" in host.shown


def interrupt(host: Host) -> None:
    os.kill(host.pid, signal.SIGINT)
    while "press Ctrl-C again" not in host.shown:
        host.watch(for_s=0.05)
        assert host.is_running, host.shown


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("end", [killed, interrupted_twice])
def test_nothing_outlives_a_host_that_ends_while_a_command_runs(
    end: Callable[[Host], None], mode: Execution, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "told")
    write_run(tmp_path, mode, STUBBORN)
    with Host(tmp_path, tmp_path / "record", scratch=tmp_path) as host:
        processes = processes_of(host, tmp_path / "told")
        end(host)

    assert_gone(processes)
    (turn,) = RecordReader(tmp_path / "record").view().turns
    assert turn.reply is not None
    assert turn.commands == ()  # one is recorded when it has ended


@pytest.mark.slow
def test_an_interrupt_lets_a_command_go_on_with_its_turn(tmp_path: Path) -> None:
    for name in ("told", "go"):
        os.mkfifo(tmp_path / name)
    write_run(tmp_path, "tool_calling", "echo $PPID > told; cat go")
    with Host(tmp_path, tmp_path / "record", scratch=tmp_path) as host:
        processes_of(host, tmp_path / "told")
        interrupt(host)
        (tmp_path / "go").write_text("gone on")
        assert host.wait() == 0

    view = RecordReader(tmp_path / "record").view()
    assert view.summary is not None
    assert view.summary.status == "canceled"
    assert [command.output for turn in view.turns for command in turn.commands] == ["gone on"]
