"""A confined child process and its two pipes, for workers and for the compilers.

A child has descriptors 0, 1 and 2 and no others, an empty environment, limits it cannot raise, and dies
with the host. Its stderr goes to an anonymous file whose size the kernel limits, so nobody has to drain it
and its end can be read after the child's death.
"""

import errno
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from sandbox.errors import SpawnFailed
from sandbox.scratch import make_directory, remove_directory
from sandbox.spawner import start_process

__all__ = ["Child", "ResourceLimits", "SpawnFailed", "spawn", "spawn_launcher"]

_LAUNCHER: Final = Path(__file__).with_name("launch.py")
_STDERR_TAIL_BYTES: Final = 8 * 2**10


@dataclass(frozen=True, kw_only=True)
class ResourceLimits:
    """Limits a child cannot raise. `None` leaves one as the host has it; core files are always off."""

    address_space_bytes: int | None = None
    data_bytes: int | None = None  # private writable memory: for programs that reserve more than they use
    stack_bytes: int | None = None
    cpu_s: int | None = None
    open_files: int | None = 64
    processes: int | None = None  # counts all processes and threads of the user, so only 0 says something
    file_size_bytes: int | None = 2**20  # bounds stderr as well

    def by_name(self) -> dict[str, int]:
        """Those that are set, by the names of `sandbox.confine.RLIMITS`."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class Child:
    """A running child. Whoever started it calls `close`, which leaves no process and no descriptor.

    `stdin_fd` and `stdout_fd` are the parent's ends of two pipes, blocking, owned by this object.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        *,
        stdin_fd: int,
        stdout_fd: int,
        stderr_fd: int,
        own_directory: Path | None,
    ) -> None:
        self.pid: Final = process.pid
        self.stdin_fd: Final = stdin_fd
        self.stdout_fd: Final = stdout_fd
        self._process: Final = process
        self._stderr_fd: Final = stderr_fd
        self._own_directory: Final = own_directory
        self._last_stderr: str | None = None

    @property
    def alive(self) -> bool:
        """Whether the process has not ended yet. Never blocks."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Sends SIGKILL; harmless if the child has ended. Any thread may call it."""
        self._process.kill()

    def wait(self, timeout_s: float | None = None) -> int:
        """Reaps the child and gives its exit status; a signal is a negative number.

        Raises `TimeoutError` when it is still running after `timeout_s`.
        """
        try:
            return self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"child {self.pid} is still running after {timeout_s} s") from None

    def stderr_tail(self) -> str:
        """The last 8 KiB the child wrote to stderr, with a mark where there was more; also after `close`."""
        if self._last_stderr is not None:
            return self._last_stderr
        size = os.fstat(self._stderr_fd).st_size
        start = max(0, size - _STDERR_TAIL_BYTES)
        tail = os.pread(self._stderr_fd, _STDERR_TAIL_BYTES, start).decode(errors="replace")
        return f"…{tail}" if start else tail

    def close(self) -> int:
        """Kills the child if it still runs, reaps it, closes the descriptors; gives the exit status."""
        self.kill()
        status = self.wait()
        if self._last_stderr is None:
            self._last_stderr = self.stderr_tail()
            for descriptor in (self.stdin_fd, self.stdout_fd, self._stderr_fd):
                os.close(descriptor)
            if self._own_directory is not None:
                remove_directory(self._own_directory)
        return status


def spawn(
    argv: Sequence[str],
    *,
    rlimits: ResourceLimits,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Child:
    """Starts the program `argv[0]` (a path) as a confined child. Raises `SpawnFailed`.

    `cwd` None gives it an empty directory of its own, removed by `close`. An `argv[0]` that cannot be
    executed is seen as exit status 127 with the reason on stderr.
    """
    spec = {"rlimits": rlimits.by_name(), "argv": list(argv), "env": dict(env or {})}
    return spawn_launcher(spec, cwd=cwd)


def spawn_launcher(spec: Mapping[str, object], *, cwd: Path | None) -> Child:
    """Starts `launch.py` with `spec`, to which the host's pid is added. Raises `SpawnFailed`."""
    if not sys.executable:
        raise SpawnFailed("a child process", "sys.executable is empty, so there is no Python to start")
    # -E and -s are part of -I; -S keeps site-packages out.
    argv = [sys.executable, "-I", "-S", str(_LAUNCHER), json.dumps({"parent": os.getpid(), **spec})]
    try:
        return _start(argv, cwd)
    except OSError as error:
        reason = f"{sys.executable}: {error.strerror}"
        if error.errno == errno.EMFILE:
            most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
            reason += f"; this process may have {most:,}, and `ulimit -n` raises that"
        raise SpawnFailed("a child process", reason) from error


def _start(argv: Sequence[str], cwd: Path | None) -> Child:
    """Whichever step fails, nothing is left: descriptors run out, and the temporary directory fills up."""
    with ExitStack() as always, ExitStack() as undo:
        own_directory = make_directory() if cwd is None else None
        if own_directory is not None:
            undo.callback(remove_directory, own_directory)
        child_stdin, stdin_fd = os.pipe()
        always.callback(os.close, child_stdin)
        undo.callback(os.close, stdin_fd)
        stdout_fd, child_stdout = os.pipe()
        always.callback(os.close, child_stdout)
        undo.callback(os.close, stdout_fd)
        stderr_fd = _anonymous_file()
        undo.callback(os.close, stderr_fd)
        process = start_process(
            argv,
            stdin=child_stdin,
            stdout=child_stdout,
            stderr=stderr_fd,
            cwd=cwd or own_directory or Path("/"),
            env={},
        )
        undo.pop_all()
    return Child(
        process, stdin_fd=stdin_fd, stdout_fd=stdout_fd, stderr_fd=stderr_fd, own_directory=own_directory
    )


def _anonymous_file() -> int:
    if sys.platform == "linux":
        return os.memfd_create("gg-stderr")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
