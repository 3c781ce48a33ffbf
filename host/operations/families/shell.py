"""The shell family: one command, run to its end."""

import shlex
from typing import Final

from pydantic import Field

from host.core.errors import Refusal
from host.core.refusals import refuse_lone_surrogate
from host.core.scrubbing.cuts import first_cut
from host.core.text import escape_controls, shortened
from host.events import Shell as CommandRun
from host.operations.model import Arguments, Family, Native, Operation, Result
from host.operations.services import Caller, CommandEnd, Shell

COMMAND_OUTPUT_BYTES: Final = 16 * 2**10
_SHELL: Final = ("/bin/sh", "-c")
_RECORDED_CHARS: Final = 2048
_TOLD_CHARS: Final = 2048
_CUT: Final = "…"


class ShellArguments(Arguments):
    command: str | list[str] = Field(
        description="A text that `/bin/sh` reads, or a command's name and its arguments, which no shell"
        " reads: values that come from data belong there."
    )
    timeout_secs: float | None = Field(
        default=None,
        gt=0,
        description="Seconds that it may take. More than the configuration allows counts as that.",
    )


class ShellOutput(Result):
    """How a command ended, and what it printed."""

    exit_code: int | None = Field(default=None, description="Absent when a signal ended it.")
    output: str = Field(
        description="Its stdout and stderr as one text, in the order of the writes; of more than 16 KiB the"
        " end, after `…`. What is no UTF-8 is U+FFFD."
    )
    truncated: bool = Field(description="Whether the output is only the end of it.")
    cut_bytes: int = Field(description="Bytes that it had printed before that; 0 when nothing is left out.")
    signal: str | None = Field(default=None, description="The signal that ended it, such as `SIGSEGV`.")


def _shell(caller: Caller, arguments: ShellArguments) -> ShellOutput:
    command = arguments.command
    _check(command)
    shell = _shell_of(caller)
    argv = (*_SHELL, command) if isinstance(command, str) else tuple(command)
    end = shell.run(argv, timeout_s=arguments.timeout_secs)
    caller.emit(_event(caller, shell, command, end))
    _refuse_unless_ended(end)
    return ShellOutput(
        exit_code=end.exit_code,
        output=end.output,
        truncated=end.cut_bytes > 0,
        cut_bytes=end.cut_bytes,
        signal=end.signal,
    )


def _check(command: str | list[str]) -> None:
    parts = [command] if isinstance(command, str) else command
    if not parts or not parts[0].strip():
        raise Refusal("invalid-argument", "The command is blank; name what to run.", kind="blank_command")
    for part in parts:
        refuse_lone_surrogate(part, "The command")
        if "\0" in part:
            raise Refusal(
                "invalid-argument",
                "The command holds a NUL character, which no argument can; take it out.",
                kind="nul_in_command",
            )


def _shell_of(caller: Caller) -> Shell:
    if caller.shell is None:
        raise Refusal("unavailable", "This agent has no shell.", kind="no_shell")
    return caller.shell


def _refuse_unless_ended(end: CommandEnd) -> None:
    match end.outcome:
        case "timed_out" if end.run_limit_s is not None:
            told = f"The command was ended: the run's time is spent, limit {end.run_limit_s:g} s."
            raise Refusal("limit-exceeded", _with_output(told, end.output), kind="run_time")
        case "timed_out":
            told = f"The command was ended at its time-out of {end.limit_s:g} s."
            raise Refusal("limit-exceeded", _with_output(told, end.output), kind="command_time")
        case "not_started":
            told = f"The command could not be started: {end.problem}."
            raise Refusal("io-error", told, kind="command_not_started")
        case "lost":
            told = "The command was killed with the process of gg's that watched over it."
            raise Refusal("io-error", _with_output(told, end.output), kind="command_lost")
        case "exited" | "killed":
            pass


def _with_output(told: str, output: str) -> str:
    """With the end of what the command had printed, which is most of what is known of it."""
    if not output:
        return f"{told} It had printed nothing."
    return f"{told} It had printed, at the end:\n{escape_controls(_ending(output, _TOLD_CHARS))}"


def _ending(text: str, most: int) -> str:
    return text if len(text) <= most else f"{_CUT}{text[first_cut(text, len(text) - most) :]}"


def _event(caller: Caller, shell: Shell, command: str | list[str], end: CommandEnd) -> CommandRun:
    in_shell = isinstance(command, str)
    written = command if isinstance(command, str) else shlex.join(command)
    return CommandRun(
        turn=caller.turn,
        origin=caller.origin,
        command=shortened(written, _RECORDED_CHARS),
        in_shell=in_shell,
        cwd=str(shell.directory),
        outcome=end.outcome,
        exit_code=end.exit_code,
        signal=end.signal,
        output=_ending(end.output, _RECORDED_CHARS),
        truncated=end.cut_bytes > 0 or len(end.output) > _RECORDED_CHARS,
        duration_ms=end.ran_s * 1000,
    )


FAMILY = Family(
    "shell",
    "Runs commands on the machine, in one directory.",
    (
        Operation(
            id="shell.shell",
            summary=(
                "Runs a command to its end and gives what it printed; an exit code other than 0 is a result."
                " Its stdin is empty, and what it leaves running is ended with it."
            ),
            arguments=ShellArguments,
            options=("timeout_secs",),
            run=_shell,
            result=ShellOutput,
            capability="shell",
            failures=(
                (
                    "invalid-argument",
                    "the command is blank or holds a NUL character or a lone surrogate, or the time-out is"
                    " not over 0",
                ),
                (
                    "limit-exceeded",
                    "it takes longer than it may; it is ended, and the message has the end of what it had"
                    " printed",
                ),
                ("io-error", "it cannot be started"),
            ),
            native=Native(
                "shell",
                summary=(
                    "Runs a command to its end and gives its exit code and what it printed, of more than"
                    " 16 KiB the end. Its stdin is empty, and what it leaves running is ended with it."
                ),
                is_capped=False,
            ),
            example=(
                'const tests = shell.shell("make test | tail -n 40", { timeoutSecs: 60 });\n'
                'const found = shell.shell(["grep", "-c", "--", "$HOME; `it\'s`", "notes.txt"]);'
            ),
        ),
    ),
)
