"""The host's ends of the two pipes of a worker: whole frames, never later than a deadline.

No call here blocks on a worker that does not read or write: both descriptors are non-blocking and waited for
with `poll`.
"""

import os
import select
import time
from collections.abc import Callable
from typing import Final

from sandbox.errors import WorkerBrokeProtocol
from sandbox.looking import pause
from sandbox.patience import LOOK_S, Patience
from sandbox.protocol import LENGTH_BYTES

__all__ = ["PastDeadline", "Pipe", "WorkerGone"]

_CHUNK_BYTES: Final = 65_536
_TICK_S: Final = 0.025


class PastDeadline(Exception):
    """The deadline passed; the worker still has not read or written what was due."""


class WorkerGone(Exception):
    """The worker closed its end: it is dead or dying."""


class Pipe:
    """Sends and receives bodies. `on_tick` is called about every 25 ms while it waits for the worker."""

    def __init__(self, *, write_fd: int, read_fd: int, max_body: int, on_tick: Callable[[], None]) -> None:
        os.set_blocking(write_fd, False)
        os.set_blocking(read_fd, False)
        self._write_fd: Final = write_fd
        self._read_fd: Final = read_fd
        self._max_body: Final = max_body
        self._on_tick: Final = on_tick
        self._readable: Final = select.poll()
        self._readable.register(read_fd, select.POLLIN)
        self._writable: Final = select.poll()
        self._writable.register(write_fd, select.POLLOUT)
        self._buffer = b""
        self._patience: Final = Patience()
        self.looks = False  # whether an answer is looked for before this end sleeps

    def send(self, frame: bytes, *, deadline: float) -> None:
        """Writes one frame; `deadline` is a `time.monotonic`. Raises `PastDeadline` or `WorkerGone`."""
        written = self._write(frame)
        while written < len(frame):
            self._wait(self._writable, deadline)
            written += self._write(memoryview(frame)[written:])

    def receive(self, *, deadline: float) -> bytes:
        """The body of the next frame. Raises `PastDeadline`, `WorkerGone` or `WorkerBrokeProtocol`."""
        buffer = self._buffer or self._read(deadline)
        while len(buffer) < LENGTH_BYTES:
            buffer += self._read(deadline)
        length = int.from_bytes(buffer[:LENGTH_BYTES])
        if length > self._max_body:
            raise WorkerBrokeProtocol(f"a frame of {length:,} bytes, limit {self._max_body:,}")
        end = LENGTH_BYTES + length
        if len(buffer) < end:
            buffer = self._complete(buffer, end, deadline)
        self._buffer = buffer[end:]
        return buffer[LENGTH_BYTES:end]

    def _complete(self, start: bytes, size: int, deadline: float) -> bytes:
        chunks, missing = [start], size - len(start)
        while missing > 0:
            chunks.append(self._read(deadline))
            missing -= len(chunks[-1])
        return b"".join(chunks)

    def _read(self, deadline: float) -> bytes:
        if not self._comes_at_once(deadline):
            self._wait(self._readable, deadline)
        chunk = os.read(self._read_fd, _CHUNK_BYTES)
        if not chunk:
            raise WorkerGone
        return chunk

    def _comes_at_once(self, deadline: float) -> bool:
        """Looks for data for a moment before it sleeps: to be woken costs more than most answers take.

        Raises `PastDeadline` also where there is data: a flood must not outrun the clock.
        """
        now = time.monotonic()
        if now >= deadline:
            raise PastDeadline
        end = min(now + LOOK_S, deadline) if self.looks else now
        while now < end:
            if self._readable.poll(0):
                return True
            os.sched_yield()  # the worker may be waiting for this very processor
            began, now = now, time.monotonic()
            if self._patience.is_spent(now - began):
                self.looks = False  # for the rest of the exchange
                pause()
        return False

    def _write(self, data: bytes | memoryview) -> int:
        try:
            return os.write(self._write_fd, data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise WorkerGone from None

    def _wait(self, ready: select.poll, deadline: float) -> None:
        while True:
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise PastDeadline
            # Rounded up: a poll of 0 ms would spin.
            if ready.poll(int(min(left_s, _TICK_S) * 1000) + 1):
                return
            self._on_tick()
