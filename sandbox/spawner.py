"""The one thread that starts children.

The kernel sends the parent-death signal when the *thread* that started a child ends, so all children
are started by one daemon thread that lives as long as the process.
"""

import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import Final

__all__ = ["start_process"]


def start_process(
    argv: Sequence[str], *, stdin: int, stdout: int, stderr: int, cwd: Path, env: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """Starts `argv` from the spawner thread with three given descriptors and no other; raises `OSError`."""
    return _SPAWNER.start(_Request(argv, stdin, stdout, stderr, cwd, env))


class _Request:
    def __init__(
        self, argv: Sequence[str], stdin: int, stdout: int, stderr: int, cwd: Path, env: Mapping[str, str]
    ) -> None:
        self.argv: Final = argv
        self.descriptors: Final = (stdin, stdout, stderr)
        self.cwd: Final = cwd
        self.env: Final = env
        self.started: Final[Future[subprocess.Popen[bytes]]] = Future()

    def carry_out(self) -> None:
        stdin, stdout, stderr = self.descriptors
        try:
            # A session of its own: Ctrl-C in the host's terminal is the host's to act on.
            process = subprocess.Popen(
                self.argv,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=self.cwd,
                env=self.env,
                close_fds=True,
                start_new_session=True,
            )
        except BaseException as error:
            self.started.set_exception(error)
        else:
            self.started.set_result(process)


class _Spawner:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: SimpleQueue[_Request] | None = None

    def start(self, request: _Request) -> subprocess.Popen[bytes]:
        self._queue().put(request)
        return request.started.result()

    def forget_thread(self) -> None:
        """After a fork of the host the thread is in the old process only; the next start makes another."""
        self._lock = threading.Lock()
        self._requests = None

    def _queue(self) -> "SimpleQueue[_Request]":
        with self._lock:
            if self._requests is None:
                requests: SimpleQueue[_Request] = SimpleQueue()
                threading.Thread(target=_serve, args=(requests,), name="gg-spawner", daemon=True).start()
                # Only now: whoever put a request into a queue without a thread would wait for ever.
                self._requests = requests
            return self._requests


def _serve(requests: "SimpleQueue[_Request]") -> None:
    while True:
        requests.get().carry_out()


_SPAWNER: Final = _Spawner()
os.register_at_fork(after_in_child=_SPAWNER.forget_thread)
