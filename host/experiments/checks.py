"""Whether what a run left behind is correct: a command or a Python function of the operator's says so.

A command exits with 0 for correct and with 1 for wrong, as test programs do. Whatever else becomes of a check
says nothing about the run: the check failed, which is counted apart.
"""

import inspect
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Literal, assert_never

from host.app import environment_for_commands
from host.core.errors import system_reason
from host.core.scrubbing.cuts import first_cut
from host.core.text import quoted
from host.launch import FunctionNotFound, import_function

Outcome = Literal["correct", "wrong", "check failed", "not checked"]
KEPT_CHARS: Final = 4_000
"""Of what a check says; the end is kept."""

_CORRECT: Final = 0
_WRONG: Final = 1


@dataclass(frozen=True)
class CheckResult:
    """What a check function may return in place of a bool: `detail` says what is wrong."""

    correct: bool
    detail: str = ""


@dataclass(frozen=True)
class Verdict:
    """What a check came to. `detail` is what it said; of a correct run nothing is kept."""

    outcome: Outcome
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class CommandCheck:
    """A command, started in the workspace. `study` is the folder of the study."""

    words: tuple[str, ...]
    study: Path
    timeout_s: float


@dataclass(frozen=True, kw_only=True)
class FunctionCheck:
    """A Python function as `module:function`, found beside the study."""

    reference: str
    study: Path
    timeout_s: float


Check = CommandCheck | FunctionCheck


class _TooLong(Exception):
    """A function has not come back in time."""


@dataclass(frozen=True, kw_only=True)
class Ended:
    """A run that is judged. `summary` is empty where it declared no ending."""

    task: str
    status: str
    summary: str
    workspace: Path
    record: Path


def judge(check: Check | None, ended: Ended) -> Verdict:
    """The verdict of the check; a check that cannot say whether the run is correct has failed itself."""
    match check:
        case None:
            return Verdict("not checked")
        case CommandCheck():
            return _judge_by_command(check, ended)
        case FunctionCheck():
            return _judge_by_function(check, ended)
        case _:
            assert_never(check)


def problem_of(check: Check) -> str | None:
    """Why a check could never be made, as far as that is known before any run."""
    if isinstance(check, FunctionCheck):
        try:
            import_function(check.reference, base=check.study)
        except FunctionNotFound as error:
            return str(error)
        return None
    program = check.words[0]
    if "{" in program or os.sep in program or shutil.which(program):
        return None
    return f"there is no program {quoted(program)} to check with"


def _judge_by_command(check: CommandCheck, ended: Ended) -> Verdict:
    facts = {
        "workspace": ended.workspace,
        "record": ended.record,
        "study": check.study,
        "python": sys.executable,
    }
    words = [_filled(word, facts) for word in check.words]
    added = {
        "GG_WORKSPACE": str(ended.workspace),
        "GG_RECORD": str(ended.record),
        "GG_STUDY": str(check.study),
        "GG_TASK": ended.task,
        "GG_STATUS": ended.status,
    }
    with tempfile.TemporaryFile() as summary, tempfile.TemporaryFile() as said:
        summary.write(ended.summary.encode("utf-8", "replace"))
        summary.seek(0)
        try:
            status = _run(words, cwd=ended.workspace, env=added, stdin=summary, said=said, check=check)
        except subprocess.TimeoutExpired:
            return Verdict("check failed", _told(f"not done after {check.timeout_s:g} s", _tail(said)))
        except (OSError, ValueError) as error:
            reason = system_reason(error) if isinstance(error, OSError) else str(error)
            return Verdict("check failed", f"{quoted(words[0])} cannot be started: {reason}")
        output = _tail(said)
    if status == _CORRECT:
        return Verdict("correct")
    if status == _WRONG:
        return Verdict("wrong", output)
    how = f"killed by signal {-status}" if status < 0 else f"exit status {status}, which says neither"
    return Verdict("check failed", _told(how, output))


def _run(
    words: list[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: IO[bytes],
    said: IO[bytes],
    check: CommandCheck,
) -> int:
    """The exit status. Raises `TimeoutExpired`, with the command and what it has started killed."""
    process = subprocess.Popen(
        words,
        cwd=cwd,
        env=environment_for_commands(env),
        stdin=stdin,
        stdout=said,
        stderr=said,
        start_new_session=True,
    )
    try:
        return process.wait(check.timeout_s)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)  # it was not reaped, so the number is still its own
        process.wait()
        raise


def _filled(word: str, facts: Mapping[str, object]) -> str:
    for name, value in facts.items():
        word = word.replace(f"{{{name}}}", str(value))
    return word


def _tail(file: IO[bytes]) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 4 * KEPT_CHARS))
    return _kept(file.read().decode("utf-8", "replace"))


def _kept(text: str) -> str:
    text = text.strip()
    return text if len(text) <= KEPT_CHARS else f"…{text[first_cut(text, len(text) - KEPT_CHARS) :]}"


def _told(how: str, output: str) -> str:
    return f"{how}\n{output}".strip()


def _judge_by_function(check: FunctionCheck, ended: Ended) -> Verdict:
    try:
        function = import_function(check.reference, base=check.study)
        said = _call(function, ended, check.timeout_s)
    except _TooLong:
        return Verdict("check failed", f"{check.reference} is not done after {check.timeout_s:g} s")
    except Exception:  # the operator's own code, which may fail in any way
        return Verdict("check failed", _kept(traceback.format_exc()))
    match said:
        case bool():
            return Verdict("correct" if said else "wrong")
        case CheckResult(correct=bool()):
            return Verdict("correct") if said.correct else Verdict("wrong", _kept(str(said.detail)))
    told = f"{check.reference} gives True, False or a CheckResult, and this is {said!r:.200}"
    return Verdict("check failed", told)


def _call(function: Callable[..., object], ended: Ended, timeout_s: float) -> object:
    """What the function gives. One that takes longer is left to itself. Raises `_TooLong`."""
    takes_record = "record" in inspect.signature(function).parameters
    more = {"record": ended.record} if takes_record else {}
    given: Future[object] = Future()

    def work() -> None:
        try:
            given.set_result(function(ended.workspace, ended.summary, **more))
        except BaseException as error:
            given.set_exception(error)

    threading.Thread(target=work, name="gg-check", daemon=True).start()
    if not wait([given], timeout_s).done:
        raise _TooLong
    return given.result()
