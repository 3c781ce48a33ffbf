"""The parent's hold on one worker process: start, exchange of frames, how it died, end."""

import importlib.util
import json
import math
import os
import signal
import sys
import time
from pathlib import Path
from typing import Final, Literal, Self

from sandbox.errors import (
    ConfinementUnavailable,
    SpawnFailed,
    WorkerBrokeProtocol,
    WorkerCrashed,
    describe_exit,
)
from sandbox.frames import Fatal, Message, Ready, decode, max_body_bytes
from sandbox.limits import Limits
from sandbox.pipe import PastDeadline, Pipe, WorkerGone
from sandbox.process import Child, ResourceLimits, spawn_launcher
from sandbox.program import GuestGlobals
from sandbox.protocol import EXIT_OUT_OF_MEMORY, frame
from sandbox.usage import Usage, read_usage

__all__ = ["Confine", "WorkerHandle"]

Confine = Literal["required", "best-effort"]

# Beyond the engine's own limit: copies of values on their way through the pipe, and fragmentation.
MEMORY_OVER_LIMIT_BYTES: Final = 64 * 2**20

PROGRAMS_PER_WORKER: Final = 200
RESIDENT_KEPT_BYTES: Final = 64 * 2**20

_START_S: Final = 10.0
_LAST_BREATH_S: Final = 1.0
_STDERR_BYTES: Final = 64 * 2**10
_STACK_BYTES: Final = 8 * 2**20  # the engine's own limit is far below
# A program may use its whole time after its worker has used half of this.
_CPU_S_PER_GUEST_S: Final = 4.0
_CPU_S_LEAST: Final = 60.0
_NEAR_MEMORY_SHARE: Final = 0.6


class WorkerHandle:
    """One worker, used by one exchange at a time; only `end_process` may come from another thread."""

    def __init__(self, child: Child, guest_globals: GuestGlobals, limits: Limits) -> None:
        """Takes over `child`, which owes nothing yet; `ensure_ready` configures it."""
        self._limits: Final = limits
        self._child: Final = child
        self._pipe: Final = Pipe(
            write_fd=self._child.stdin_fd,
            read_fd=self._child.stdout_fd,
            max_body=max_body_bytes(limits.value_bytes),
            on_tick=self._sample_memory,
        )
        self._ready: Ready | None = None
        self._resident_bytes = 0
        self._programs = 0
        self._configuration: Final = _configuration(guest_globals, limits)

    @classmethod
    def start(cls, guest_globals: GuestGlobals, limits: Limits) -> Self:
        """Starts a worker process and returns at once; `ensure_ready` waits for it."""
        return cls(_spawn(limits), guest_globals, limits)

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def alive(self) -> bool:
        return self._child.alive

    def ensure_ready(self, confine: Confine) -> Ready:
        """Waits until the worker is confined, 10 s at most; says what its confinement is.

        Raises `ConfinementUnavailable` where it is required and Linux cannot give it, `SpawnFailed` where the
        worker did not get that far. The caller closes the handle then.
        """
        if self._ready is None:
            self._ready = self._start_up()
        if confine == "required" and sys.platform == "linux" and not self._ready.seccomp:
            raise ConfinementUnavailable(self._ready.reason)
        return self._ready

    def send(self, data: bytes, *, deadline: float) -> None:
        self._pipe.send(data, deadline=deadline)

    def look(self, looks: bool) -> None:
        """Whether the worker's answers are looked for before the parent sleeps."""
        self._pipe.looks = looks

    def receive(self, *, deadline: float) -> Message:
        """The next message; see `Pipe.receive` and `frames.decode` for what it raises."""
        return decode(self._pipe.receive(deadline=deadline))

    def count_program(self) -> None:
        self._programs += 1

    def worth_keeping(self) -> bool:
        """Whether the worker may run another program."""
        usage = self._usage()
        return (
            self._programs < PROGRAMS_PER_WORKER
            and self.alive
            and (usage is None or usage.resident_bytes <= RESIDENT_KEPT_BYTES)
            and (usage is None or usage.cpu_s < _cpu_limit_s(self._limits) / 2)
        )

    def died_of_memory(self) -> bool:
        """Whether a worker that closed its pipe ended because its memory was used up."""
        try:
            status = self._child.wait(_LAST_BREATH_S)
        except TimeoutError:
            return False  # it only pretends
        killed = status in (-signal.SIGKILL, -signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS)
        return status == EXIT_OUT_OF_MEMORY or (killed and self.was_near_its_memory())

    def was_near_its_memory(self) -> bool:
        """Whether the worker was seen with most of the memory that a program may have."""
        return self._resident_bytes >= self._limits.memory_bytes * _NEAR_MEMORY_SHARE

    def crashed(self, doing: str) -> WorkerCrashed:
        """The error for a worker that has ended by itself. Reaps it."""
        status = self.close()
        return WorkerCrashed(exit_status=status, stderr_tail=self._child.stderr_tail(), doing=doing)

    def end_process(self) -> None:
        """Kills and reaps, but leaves the descriptors to the thread that uses them."""
        self._child.kill()
        self._child.wait()

    def close(self) -> int:
        """Kills, reaps and frees everything; gives the exit status. Harmless when repeated."""
        return self._child.close()

    def _start_up(self) -> Ready:
        deadline = time.monotonic() + _START_S
        try:
            self.send(self._configuration, deadline=deadline)
            message = self.receive(deadline=deadline)
        except PastDeadline:
            raise SpawnFailed("a worker", f"not ready after {_START_S:g} s") from None
        except WorkerGone:
            status = describe_exit(self.close())
            raise SpawnFailed(
                "a worker", f"it ended with {status}: {self._child.stderr_tail().strip()}"
            ) from None
        match message:
            case Ready():
                return message
            case Fatal(reason):
                raise SpawnFailed("a worker", reason)
            case _:
                raise WorkerBrokeProtocol("a message before it was ready")

    def _usage(self) -> Usage | None:
        return read_usage(self.pid)

    def _sample_memory(self) -> None:
        # What a process had is unknown once it is dead, so the last look decides what killed it.
        usage = self._usage()
        if usage is not None:
            self._resident_bytes = max(self._resident_bytes, usage.resident_bytes)


def _spawn(limits: Limits) -> Child:
    rlimits = ResourceLimits(
        cpu_s=_cpu_limit_s(limits),
        open_files=3,
        processes=0,
        stack_bytes=_STACK_BYTES,
        file_size_bytes=_STDERR_BYTES,
    )
    worker = {
        "engine_directory": _engine_directory(),
        "rlimits": rlimits.by_name(),
        "memory_bytes": limits.memory_bytes + MEMORY_OVER_LIMIT_BYTES,
    }
    return spawn_launcher({"worker": worker}, cwd=Path("/"))


def _cpu_limit_s(limits: Limits) -> int:
    return math.ceil(max(_CPU_S_LEAST, _CPU_S_PER_GUEST_S * limits.guest_s))


def _configuration(guest_globals: GuestGlobals, limits: Limits) -> bytes:
    head = {
        "type": "configure",
        "memory_bytes": limits.memory_bytes,
        "stack_bytes": limits.stack_bytes,
        "value_bytes": limits.value_bytes,
        "log_line_bytes": limits.log_line_bytes,
        "lazy": dict(guest_globals.lazy),
    }
    return frame(json.dumps(head).encode(), guest_globals.prelude.encode())


def _engine_directory() -> str:
    """Where the engine's extension is, without loading it into the host."""
    found = importlib.util.find_spec("_quickjs")
    if found is None or found.origin is None:
        raise SpawnFailed("a worker", "the package quickjs-ng is not installed; pip install quickjs-ng")
    return os.path.dirname(found.origin)
