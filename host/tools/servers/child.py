"""A server's process and the ends of its three pipes, from start to the last of its group."""

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import anyio
from anyio.abc import Process

_LAUNCHER: Final = Path(__file__).with_name("launcher.py")
_PUT_IN: Final = ("LC_CTYPE",)  # by a Python that starts under the locale C
_CHUNK_BYTES: Final = 64 * 1024
EXIT_GRACE_S: Final = 2.0
"""How long a server may take to end after its input did, and again after it was told to."""
_REAP_S: Final = 2.0


class Pipe:
    """The host's end of a pipe, as a descriptor that does not block.

    Own pipes, because those that come with a process are closed when the last process that inherited them
    is gone, and its end is told no earlier.
    """

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor: int | None = descriptor

    async def read(self) -> bytes:
        """What there is; nothing at the end."""
        while self._descriptor is not None:
            try:
                return os.read(self._descriptor, _CHUNK_BYTES)
            except BlockingIOError:
                await anyio.wait_readable(self._descriptor)
        return b""

    async def write(self, data: bytes) -> None:
        """Raises `OSError` when nobody reads."""
        view = memoryview(data)
        while view:
            if self._descriptor is None:
                raise BrokenPipeError
            try:
                view = view[os.write(self._descriptor, view) :]
            except BlockingIOError:
                await anyio.wait_writable(self._descriptor)

    def close(self) -> None:
        """Whoever waits for it must be canceled first."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class Child:
    """A server's process, the leader of a session of its own, with its pipes."""

    def __init__(self, process: Process, stdin: Pipe, stdout: Pipe, stderr: Pipe) -> None:
        self._process: Final = process
        self.stdin: Final = stdin
        self.stdout: Final = stdout
        self.stderr: Final = stderr

    @classmethod
    async def start(cls, argv: Sequence[str], *, env: Mapping[str, str], cwd: Path | None) -> "Child":
        """Starts the program whose path is `argv[0]`; raises `OSError`. For the loop's thread."""
        ends: list[int] = []
        try:
            for _ in range(3):
                ends += os.pipe()
            stdin_read, stdin_write, stdout_read, stdout_write, stderr_read, stderr_write = ends
            put_in = " ".join(name for name in _PUT_IN if name not in env)
            start = [sys.executable, "-I", "-S", str(_LAUNCHER), str(os.getpid()), put_in]
            process = await anyio.open_process(
                [*start, *argv],
                stdin=stdin_read,
                stdout=stdout_write,
                stderr=stderr_write,
                env=env,
                cwd=cwd,
                start_new_session=True,
            )
        except BaseException:
            for end in ends:
                os.close(end)
            raise
        for end in (stdin_read, stdout_write, stderr_write):
            os.close(end)
        return cls(process, Pipe(stdin_write), Pipe(stdout_read), Pipe(stderr_read))

    async def wait(self) -> None:
        """Until the process has ended."""
        await self._process.wait()

    async def stop(self, *, at_once: bool) -> int | None:
        """Ends its input, then asks it to end, then kills it and what it started. Takes six seconds at most.

        Gives its exit status, `None` where it did not end by itself. Nobody may wait for `stdin` any more.
        """
        self.stdin.close()
        by_itself = not at_once and await self._ends_within(EXIT_GRACE_S)
        if not by_itself and not at_once:
            self._signal(signal.SIGTERM)
            await self._ends_within(EXIT_GRACE_S)
        self._signal(signal.SIGKILL)  # what it started may have stayed
        await self._ends_within(_REAP_S)
        return self._process.returncode if by_itself else None

    async def _ends_within(self, seconds: float) -> bool:
        with anyio.move_on_after(seconds):
            await self._process.wait()
            return True
        return False

    def _signal(self, number: int) -> None:
        # Those of the group that became another user's are out of reach.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)
