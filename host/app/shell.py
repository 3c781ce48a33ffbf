"""The shell of one agent: where its commands run, for how long, and in which environment."""

import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from host.app.environment import environment_for_shell
from host.app.workspaces import Workspaces
from host.core.text import join_words, quoted
from host.launch import AgentPlan
from host.operations import COMMAND_OUTPUT_BYTES, CommandEnd
from host.turn import RunState
from sandbox import CommandEnd as Ended
from sandbox import CommandLost, CommandNotStarted, run_command


class AgentShell:
    """Runs commands, any number at once. `timeout_s` is the most that one may take."""

    def __init__(
        self, directory: Path, *, timeout_s: float, environment: Mapping[str, str], run: RunState
    ) -> None:
        self._directory: Final = directory
        self._timeout_s: Final = timeout_s
        self._environment: Final = environment
        self._run: Final = run

    @property
    def directory(self) -> Path:
        return self._directory

    def run(self, argv: Sequence[str], *, timeout_s: float | None) -> CommandEnd:
        """Runs a program to its end, or to the first of its limits."""
        limit_s = self._timeout_s if timeout_s is None else min(timeout_s, self._timeout_s)
        left_s = self._run.left_s
        run_limit_s = None
        if left_s is not None and left_s < limit_s:
            limit_s, run_limit_s = left_s, self._run.ceilings.max_runtime_s
        self._run.flush()  # a command could kill gg: what asked for it is in the record before that
        try:
            ended = run_command(
                argv,
                cwd=self._directory,
                env=self._environment,
                timeout_s=limit_s,
                keep_bytes=COMMAND_OUTPUT_BYTES,
            )
        except CommandNotStarted as error:
            return CommandEnd(outcome="not_started", limit_s=limit_s, problem=_problem(error, argv[0]))
        except CommandLost as error:
            return CommandEnd(outcome="lost", limit_s=limit_s, output=error.output)
        return _end(ended, limit_s, run_limit_s)


def shell_of(
    plan: AgentPlan, run: RunState, workspaces: Workspaces, *, agent_id: str, note: Callable[[str], None]
) -> AgentShell | None:
    """The shell that an agent's plan grants, if it does.

    `note` is told of variables that it is to have and gg has not. Raises `HostDefect` where the directory
    is to be copied and cannot be.
    """
    if plan.shell is None:
        return None
    directory = plan.shell.directory
    if directory is None:
        assert plan.files is not None, "the rules refuse a shell without a directory"
        directory = workspaces.directory(plan.files, agent_id=agent_id)
    environment = environment_for_shell(plan.shell.env)
    missing = [quoted(name) for name in plan.shell.env if name not in environment]
    if missing:
        note(f"commands of the shell go without {join_words(missing)}, which gg's environment does not have")
    return AgentShell(directory, timeout_s=plan.shell.timeout_s, environment=environment, run=run)


def _problem(error: CommandNotStarted, program: str) -> str:
    reason = error.reason.lower()
    match error.step:
        case "program":
            return f"{quoted(program)}: {reason}"
        case "directory":
            return f"the directory of the commands cannot be entered: {reason}"
        case "guard" | "process":
            return f"no process could be started: {reason}"


def _end(ended: Ended, limit_s: float, run_limit_s: float | None) -> CommandEnd:
    is_killed = ended.signal is not None
    return CommandEnd(
        outcome="timed_out" if ended.timed_out else "killed" if is_killed else "exited",
        exit_code=None if ended.timed_out else ended.exit_code,
        signal=None if ended.signal is None else _signal_name(ended.signal),
        output=ended.output,
        cut_bytes=ended.cut_bytes,
        ran_s=ended.ran_s,
        limit_s=limit_s,
        run_limit_s=run_limit_s,
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # one of the real-time signals between the first and the last, which have no name
        return f"signal {number}"
