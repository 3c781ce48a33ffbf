"""Watches over one command: `python -I -S command_guard.py`, with the command as a line of JSON on stdin.

A command may start whatever it likes, and nothing of that may outlive it, or outlive gg. So a process stands
between the two: orphans among the descendants of a subreaper become its children, in whatever session they
are, and it kills them all when the command has ended, when it is told to, and when gg is gone.

Stdin is what gg orders: after the command a byte that has it terminated, or the end, which has it killed at
once. Stdout is what the command prints. Stderr is what gg is told, a line of JSON each: `{"group": pid}`
before anything is executed, and at last `{"failed": [step, errno]}` or `{"ended": status, "timed_out": …}`.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from contextlib import suppress

# The package's front door is for hosts and would load the parent's half: enter beside it.
_PACKAGE = type(sys)("sandbox")
_PACKAGE.__path__ = [os.path.dirname(os.path.abspath(__file__))]
sys.modules["sandbox"] = _PACKAGE

from sandbox.confine import (  # noqa: E402 - needs the package above
    PR_SET_PDEATHSIG,
    apply_rlimits,
    close_descriptors,
    die_with_parent,
    forbid_new_privileges,
    prctl,
)
from sandbox.hiding import hide_by_mounts, hide_by_rules  # noqa: E402 - as well
from sandbox.light_json import parse, quote  # noqa: E402 - as well

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, Literal, NoReturn

    Cause = Literal["ended", "terminate", "kill"]

_ORDERS: Final = 0
_OUTPUT: Final = 1
_REPORTS: Final = 2
_TERMINATE: Final = b"t"
_GRACE_S: Final = 0.5  # from SIGTERM to SIGKILL

_PR_SET_CHILD_SUBREAPER: Final = 36
_NOT_STARTED: Final = 127


class Watch:
    """The command's process `main` and all that comes from it.

    `wake` is a pipe that holds a byte for each signal.
    """

    def __init__(self, main: int, wake: int) -> None:
        self._main: Final = main
        self._wake: Final = wake

    def until_ended(self) -> Cause:
        """Waits until the command has ended, or something is ordered."""
        cause = None
        while cause is None:
            cause = "ended" if self._has_ended() else self._ordered(None)
            self._reap()
        return cause

    def end(self, *, at_once: bool) -> int:
        """Ends all that is left, and gives the status of `main`: a signal is a negative number."""
        if not at_once and self._is_left():
            self._ask_to_end()
        _send(os.killpg, self._main, signal.SIGKILL)
        os.waitid(os.P_PID, self._main, os.WEXITED | os.WNOWAIT)
        # Whatever ends leaves its children to this process, until there is nothing left to leave any.
        while others := self._others():
            for process in others:
                _send(os.kill, process, signal.SIGKILL)
            for process in others:
                os.waitpid(process, 0)
        _, status = os.waitpid(self._main, 0)
        return os.waitstatus_to_exitcode(status)

    def _ask_to_end(self) -> None:
        over = time.monotonic() + _GRACE_S
        asked = set[int]()
        _send(os.killpg, self._main, signal.SIGTERM)
        while self._is_left() and (left := over - time.monotonic()) > 0:
            for process in set(self._others()) - asked:  # more come when their parents end
                _send(os.kill, process, signal.SIGTERM)
                asked.add(process)
            if self._ordered(left) == "kill":
                return
            self._reap()

    def _ordered(self, timeout_s: float | None) -> Cause | None:
        """Waits for a signal or an order. The end of the host is one, however it is learnt."""
        readable, _, _ = select.select([self._wake, _ORDERS], [], [], timeout_s)
        if self._wake in readable and signal.SIGTERM in os.read(self._wake, 4096):
            return "kill"
        if _ORDERS in readable:
            return "terminate" if os.read(_ORDERS, 1) == _TERMINATE else "kill"
        return None

    def _has_ended(self) -> bool:
        """It is not reaped: its id, which is that of its group, must not go to another process."""
        return os.waitid(os.P_PID, self._main, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def _is_left(self) -> bool:
        return not self._has_ended() or bool(self._others())

    def _others(self) -> list[int]:
        """The children of this process beside `main`; what has a parent of its own is not among them yet."""
        try:
            with open("/proc/thread-self/children", encoding="ascii") as file:
                return [process for process in map(int, file.read().split()) if process != self._main]
        except OSError:  # no Linux
            return []

    def _reap(self) -> None:
        for process in self._others():
            os.waitpid(process, os.WNOHANG)


def _send(send: Callable[[int, int], None], to: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):  # it has ended
        send(to, number)


def guard() -> None:
    """The whole life of this process."""
    close_descriptors()
    wake = _wakeup_pipe()
    forbid_new_privileges()
    if sys.platform == "linux":
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM, doing="ask for the parent-death signal")
        prctl(_PR_SET_CHILD_SUBREAPER, 1, doing="become a subreaper")
    spec = parse(_line())
    if os.getppid() != spec["parent"]:
        return  # the host died before the request could hold
    main, failure = _start(spec)
    if failure:
        os.waitpid(main, 0)
        _report(f'{{"failed":{failure}}}')
        return
    watch = Watch(main, wake)
    cause = watch.until_ended()
    status = watch.end(at_once=cause == "kill")
    _report(f'{{"ended":{status},"timed_out":{"true" if cause == "terminate" else "false"}}}')


def _wakeup_pipe() -> int:
    readable, writable = os.pipe()
    os.set_blocking(readable, False)
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, lambda number, frame: None)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    return readable


def _line() -> str:
    """What stands on stdin up to a line feed. Nothing is read ahead: orders follow."""
    parts = [b""]
    while not parts[-1].endswith(b"\n"):
        part = os.read(_ORDERS, 65_536)
        if not part:
            sys.exit(1)
        parts.append(part)
    return b"".join(parts).decode("ascii")


def _start(spec: dict[str, Any]) -> tuple[int, str]:
    """The process that becomes the command, and why it could not: `[step, errno]`, or an empty text."""
    may_begin, begin = os.pipe()
    failures, failed = os.pipe()
    parent = os.getpid()
    main = os.fork()
    if main == 0:
        os.close(begin)
        _become(spec, parent, may_begin, failed)
    _report(f'{{"group":{main}}}')
    for descriptor in (begin, may_begin, failed):
        os.close(descriptor)
    failure = b""
    while part := os.read(failures, 4096):
        failure += part
    os.close(failures)
    return main, failure.decode("ascii")


def _become(spec: dict[str, Any], parent: int, may_begin: int, failed: int) -> NoReturn:
    step = "process"
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        step = "hide"
        _hide(spec["hidden"])
        step = "process"
        die_with_parent(parent)
        os.read(may_begin, 1)  # ends when gg was told of this process
        apply_rlimits({})
        os.dup2(os.open(os.devnull, os.O_RDONLY), _ORDERS)
        os.dup2(_OUTPUT, _REPORTS)
        step = "directory"
        os.chdir(spec["cwd"])
        step = "program"
        os.execvpe(spec["argv"][0], spec["argv"], spec["env"])
    except OSError as error:
        os.write(failed, f"[{quote(step)},{error.errno or 0}]".encode("ascii"))
    finally:
        os._exit(_NOT_STARTED)


def _hide(paths: list[str]) -> None:
    if not paths:
        return
    probe = os.fork()  # who has failed half-way is of no use for anything else
    if probe == 0:
        try:
            hide_by_mounts(paths)
            os._exit(0)
        finally:
            os._exit(_NOT_STARTED)
    _, status = os.waitpid(probe, 0)
    hide = hide_by_rules if status else hide_by_mounts
    hide(paths)


def _report(line: str) -> None:
    with suppress(BrokenPipeError):  # the host is gone
        os.write(_REPORTS, f"{line}\n".encode("ascii"))


if __name__ == "__main__":
    guard()
