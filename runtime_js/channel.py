"""The two pipes to one compiler process, used under a deadline.

A compiler that ends, answers nothing in time or closes a pipe is lost: the process is killed and reaped, and
`CompilerLost` carries what it left behind. After that the channel is closed for good.
"""

import os
import select
import time
from collections.abc import Mapping
from typing import Final

from runtime_js.errors import CompilerLost
from sandbox.process import Child

__all__ = ["Channel"]

_CHUNK_BYTES: Final = 256 * 2**10
_GRACE_S: Final = 1.0  # from the end of a compiler's output to its exit status


class Channel:
    """Sends bytes to one child and receives bytes from it. One thread at a time."""

    def __init__(self, child: Child, *, timeout_s: float) -> None:
        self._child: Final = child
        self._timeout_s: Final = timeout_s
        self._deadline = 0.0
        self.is_open = True
        os.set_blocking(child.stdin_fd, False)
        os.set_blocking(child.stdout_fd, False)
        self.start_clock()

    @property
    def pid(self) -> int:
        return self._child.pid

    def start_clock(self) -> None:
        """A new exchange begins: all of it has to be over within `timeout_s`."""
        self._deadline = time.monotonic() + self._timeout_s

    def send(self, data: bytes) -> None:
        """Writes all of `data`."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._child.stdin_fd, rest) :]
            except BlockingIOError:
                self._wait({self._child.stdin_fd: select.POLLOUT})
            except BrokenPipeError:
                raise self._ended("closed its input") from None

    def receive(self) -> bytes:
        """The next bytes, at least one."""
        while True:
            try:
                data = os.read(self._child.stdout_fd, _CHUNK_BYTES)
            except BlockingIOError:
                self._wait({self._child.stdout_fd: select.POLLIN})
                continue
            if not data:
                raise self._ended("ended")
            return data

    def exchange(self, outgoing: bytearray) -> bytes:
        """Moves bytes both ways: removes what could be sent from `outgoing`, returns what came, if anything.

        For a peer that stops reading while nobody reads what it writes.
        """
        events = {self._child.stdout_fd: select.POLLIN}
        if outgoing:
            events[self._child.stdin_fd] = select.POLLOUT
        ready = self._wait(events)
        if self._child.stdin_fd in ready:
            try:
                del outgoing[: os.write(self._child.stdin_fd, outgoing)]
            except BrokenPipeError:
                raise self._ended("closed its input") from None
        return self.receive() if self._child.stdout_fd in ready else b""

    def lost(self, detail: str) -> CompilerLost:
        """Kills the child; the error to raise, with its exit status and the end of its stderr."""
        status = self.close()
        return CompilerLost(detail, status, self._child.stderr_tail())

    def close(self) -> int | None:
        """Kills and reaps the child; gives its exit status, None if that was done before."""
        if not self.is_open:
            return None
        self.is_open = False
        return self._child.close()

    def _wait(self, events: Mapping[int, int]) -> set[int]:
        """The descriptors of `events` that are ready; at least one is."""
        poll = select.poll()
        for descriptor, event in events.items():
            poll.register(descriptor, event)
        rest_s = self._deadline - time.monotonic()
        ready = poll.poll(rest_s * 1000) if rest_s > 0 else []
        if not ready:
            raise self.lost(f"did not finish within {self._timeout_s:g} s")
        return {descriptor for descriptor, _ in ready}

    def _ended(self, detail: str) -> CompilerLost:
        """The child closed a pipe, as a dying process does: waits a moment for its own exit status."""
        try:
            self._child.wait(_GRACE_S)
        except TimeoutError:
            detail += " and was killed"
        return self.lost(detail)
