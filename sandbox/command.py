"""Runs a command to its end, with nothing left of it afterwards.

A command is not confined: it may do what the user may, but for directories that are hidden from it. What is
seen to is that it is not waited for longer than its time, that what it prints takes no memory, and that it
and all it has started are gone when the call returns, and when this process is killed. The last is the work
of `sandbox.command_guard`.
"""

import json
import os
import select
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL
from typing import Any, Final, Literal

from sandbox.command_tail import OutputTail
from sandbox.errors import SandboxError
from sandbox.spawner import start_process

__all__ = ["CommandEnd", "CommandLost", "CommandNotStarted", "CommandStep", "run_command"]

CommandStep = Literal["guard", "process", "hide", "directory", "program"]
"""What was being done when a command could not be started: `hide` is to hide directories from it, `program`
to execute it.
"""

_GUARD: Final = Path(__file__).with_name("command_guard.py")
_TERMINATE: Final = b"t"
_START_S: Final = 10.0
_END_S: Final = 10.0  # far beyond the moment between SIGTERM and SIGKILL
_CHUNK_BYTES: Final = 64 * 2**10
_MOST_LEFT_BYTES: Final = 2**20  # as much as a pipe can be made to hold
_LONGEST_WAIT_S: Final = 3600.0
_MOST_REPORTED_BYTES: Final = 4096


@dataclass(frozen=True, kw_only=True)
class CommandEnd:
    """How a command ended. `exit_code` is absent where a signal ended it, and `signal` where none did.

    `timed_out`: its time was over before it had ended by itself. `output` is what it printed, both streams in
    the order of their writes, and `cut_bytes` how much was left out before it; `ran_s` its time in seconds.
    """

    exit_code: int | None
    signal: int | None
    timed_out: bool
    output: str
    cut_bytes: int
    ran_s: float


class CommandNotStarted(SandboxError):
    """Nothing was run: `step` could not be done, for the `reason` that the system gave."""

    def __init__(self, step: CommandStep, reason: str) -> None:
        super().__init__(f"cannot start a command ({step}): {reason}")
        self.step: Final[CommandStep] = step
        self.reason: Final = reason


class CommandLost(SandboxError):
    """The process that watches over a command ended or stalled, so how the command ended is not known.

    `output` is what it had printed.
    """

    def __init__(self, detail: str, output: str = "") -> None:
        super().__init__(f"a command was lost: {detail}")
        self.output: Final = output


def run_command(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout_s: float,
    keep_bytes: int,
    hidden: Sequence[Path] = (),
) -> CommandEnd:
    """Runs `argv` for `timeout_s` at most. Blocks. Its first is a path, or is looked up in the PATH of `env`.

    The command's stdin is empty. It has two more descriptors and no others, a session of its own, and the
    environment `env`. Of its output the last `keep_bytes` are kept. At the time-out it gets SIGTERM and, a
    moment later, SIGKILL; so does what it leaves running when it ends by itself. The `hidden` directories are
    there, and it can neither read nor write what is in them; none of them lies in another one.

    Raises `CommandNotStarted` or `CommandLost`; either way nothing is left running.
    """
    spec = {
        "parent": os.getpid(),
        "argv": list(argv),
        "cwd": str(cwd),
        "env": dict(env),
        "hidden": [os.path.realpath(path) for path in hidden],
    }
    with ExitStack() as stack:
        return _Guarded(stack, OutputTail(keep_bytes)).run(spec, timeout_s)


class _Guarded:
    """One command and its guard, which are gone when `stack` is unwound."""

    def __init__(self, stack: ExitStack, tail: OutputTail) -> None:
        self._tail: Final = tail
        self._reported = b""
        self._group: int | None = None
        self._end: dict[str, Any] | None = None
        self._no_more_orders: Final = stack.enter_context(ExitStack())
        try:
            with ExitStack() as theirs:
                orders, self._orders = _pipe(theirs, self._no_more_orders)
                self._output, output = _pipe(stack, theirs)
                self._reports, reports = _pipe(stack, theirs)
                argv = [sys.executable, "-I", "-S", str(_GUARD)]
                self._process: Final = start_process(
                    argv, stdin=orders, stdout=output, stderr=reports, cwd=Path("/"), env={}
                )
        except OSError as error:
            raise CommandNotStarted("guard", error.strerror or str(error)) from error
        stack.callback(self._give_up)
        os.set_blocking(self._orders, False)
        self._poll: Final = select.poll()
        self._open: Final = {self._output, self._reports}
        for descriptor in self._open:
            self._poll.register(descriptor, select.POLLIN)

    def run(self, spec: Mapping[str, object], timeout_s: float) -> CommandEnd:
        self._start(json.dumps(spec).encode("ascii") + b"\n")
        started = time.monotonic()
        self._look(started + timeout_s)
        if self._end is None:
            with suppress(BrokenPipeError):  # its guard is gone, which the reports tell
                os.write(self._orders, _TERMINATE)
            self._look(time.monotonic() + _END_S)
        ran_s = time.monotonic() - started
        if self._end is None:
            raise self._lost("its guard does not answer")
        if "failed" in self._end:
            step, code = self._end["failed"]
            raise CommandNotStarted(step, os.strerror(code))
        self._drain()
        output, cut_bytes = self._tail.read()
        status = self._end["ended"]
        return CommandEnd(
            exit_code=status if status >= 0 else None,
            signal=-status if status < 0 else None,
            timed_out=self._end["timed_out"],
            output=output,
            cut_bytes=cut_bytes,
            ran_s=ran_s,
        )

    def _start(self, spec: bytes) -> None:
        """Returns when there is a process that becomes the command."""
        deadline = time.monotonic() + _START_S
        writing = select.poll()
        writing.register(self._orders, select.POLLOUT)
        with suppress(BrokenPipeError):
            while spec and writing.poll(_wait_ms(deadline)):
                spec = spec[os.write(self._orders, spec) :]
        self._look(deadline, until_started=True)
        if self._group is None:
            raise CommandNotStarted("guard", f"not ready after {_START_S:g} s")

    def _look(self, deadline: float, *, until_started: bool = False) -> None:
        """Takes what the command prints and its guard reports, until there is an end or the time is over."""
        while self._end is None and not (until_started and self._group is not None):
            if time.monotonic() >= deadline:
                return
            for descriptor, _ in self._poll.poll(_wait_ms(deadline)):
                if descriptor == self._output:
                    self._take_output()
                elif not self._take_report():
                    raise self._lost(self._reported.decode(errors="replace") or "its guard was killed")

    def _take_output(self) -> bool:
        """False at its end."""
        data = self._read(self._output, _CHUNK_BYTES)
        self._tail.add(data)
        return bool(data)

    def _take_report(self) -> bool:
        """False where no more can come."""
        data = self._read(self._reports, _MOST_REPORTED_BYTES)
        *lines, self._reported = (self._reported + data).split(b"\n")
        for line in lines:
            try:
                report = json.loads(line)
                self._group = report.get("group", self._group)
            except (ValueError, AttributeError):
                self._reported = line
                return False
            if "ended" in report or "failed" in report:
                self._end = report
        return bool(data)

    def _read(self, descriptor: int, most: int) -> bytes:
        data = os.read(descriptor, most)
        if not data:
            self._poll.unregister(descriptor)
            self._open.discard(descriptor)
        return data

    def _lost(self, detail: str) -> CommandLost:
        """What is in the command's group is found all the same."""
        if self._group is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._group, SIGKILL)
        self._drain()
        return CommandLost(detail, self._tail.read()[0])

    def _drain(self) -> None:
        """Takes what is left in the pipe, which a process may hold open that it was handed to."""
        os.set_blocking(self._output, False)
        with suppress(BlockingIOError):
            for _ in range(_MOST_LEFT_BYTES // _CHUNK_BYTES):
                if self._output not in self._open or not self._take_output():
                    return

    def _give_up(self) -> None:
        """Has the guard kill what is left, where something is, and ends it."""
        self._no_more_orders.close()
        deadline = time.monotonic() + _END_S
        while self._reports in self._open and time.monotonic() < deadline:
            for descriptor, _ in self._poll.poll(_wait_ms(deadline)):
                self._read(descriptor, _CHUNK_BYTES)
        self._process.kill()
        self._process.wait()


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """A pipe whose ends are closed with these."""
    readable, writable = os.pipe()
    reader.callback(os.close, readable)
    writer.callback(os.close, writable)
    return readable, writable


def _wait_ms(deadline: float) -> float:
    return min(max(0.0, deadline - time.monotonic()), _LONGEST_WAIT_S) * 1000
