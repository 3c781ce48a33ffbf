"""The shell of one agent: where its commands run, for how long, and in which environment."""

import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from host.app.environment import environment, environment_for_shell
from host.app.record_home import RECORD_VARIABLES, FolderMoved, HiddenFolders
from host.app.workspaces import Workspaces
from host.core.text import join_words, quoted
from host.launch import AgentPlan
from host.operations import COMMAND_OUTPUT_BYTES, CommandEnd
from host.turn import RunState
from sandbox import CommandEnd as Ended
from sandbox import CommandLost, CommandNotStarted, run_command

_NOT_HIDDEN: Final = "the record store cannot be hidden from it, so that it is not run"


class AgentShell:
    """Runs commands, any number at once. `timeout_s` is the most that one may take."""

    def __init__(
        self,
        directory: Path,
        *,
        timeout_s: float,
        environment: Mapping[str, str],
        hidden: HiddenFolders,
        run: RunState,
    ) -> None:
        self._directory: Final = directory
        self._timeout_s: Final = timeout_s
        self._environment: Final = environment
        self._hidden: Final = hidden
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
                hidden=self._hidden.now(),
            )
        except FolderMoved as error:
            return CommandEnd(outcome="not_started", limit_s=limit_s, problem=f"{_NOT_HIDDEN}: {error}")
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
    variables = environment_for_shell(plan.shell.env)
    for names, why in _left_out(plan.shell.env, variables).items():
        note(f"commands of the shell go without {join_words(map(quoted, names))}, which {why}")
    hidden = HiddenFolders(environment(), commands_in=directory)
    return AgentShell(
        directory, timeout_s=plan.shell.timeout_s, environment=variables, hidden=hidden, run=run
    )


def _left_out(names: Sequence[str], variables: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    """The variables that commands were to have and have not, and why."""
    left = [name for name in names if name not in variables]
    missing = tuple(name for name in left if name not in RECORD_VARIABLES)
    withheld = tuple(name for name in left if name in RECORD_VARIABLES)
    told = {missing: "gg's environment does not have", withheld: "no agent is given"}
    return {names: why for names, why in told.items() if names}


def _problem(error: CommandNotStarted, program: str) -> str:
    reason = error.reason.lower()
    match error.step:
        case "program":
            return f"{quoted(program)}: {reason}"
        case "directory":
            return f"the directory of the commands cannot be entered: {reason}"
        case "hide":
            return f"{_NOT_HIDDEN}: {reason}"
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
