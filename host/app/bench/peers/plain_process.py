"""A process that is started the plain way, as a user of a peer would: nothing of gg's confinement around it.

The only user of `subprocess` here; what gg itself starts for its work comes from `sandbox.process`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

_GRACE_S: Final = 5.0


class LineProcess:
    """Speaks lines of JSON over two pipes: a program goes out, its calls come back, then that it has ended.

    Out: `{"program"}`, then `{"ok"}` for each call. Back: `{"call", "argument"}` or `{"ended"}`.
    """

    def __init__(self, argv: Sequence[str], functions: Mapping[str, Callable[[Any], object]]) -> None:
        self._functions: Final = functions
        self._process: Final = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, program: str) -> None:
        """Raises `RuntimeError` where the process ends instead."""
        self._send({"program": program})
        while True:
            message = self._receive()
            if "ended" in message:
                return
            self._send({"ok": self._functions[message["call"]](message["argument"])})

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of the benchmark ended with status {self._process.wait()}")
        message: dict[str, Any] = json.loads(line)
        return message


def python_argv(program: str) -> list[str]:
    """Runs a text in a Python without site packages."""
    return [sys.executable, "-I", "-S", "-c", program]


def run_python(module: str, *arguments: str) -> str:
    """Runs a module of gg in a new Python; gives what it writes to stdout. Raises `RuntimeError`."""
    argv = [sys.executable, "-m", module, *arguments]
    ran = subprocess.run(argv, capture_output=True, text=True, env=dict(os.environ))
    if ran.returncode != 0:
        raise RuntimeError(f"{module} {' '.join(arguments)} failed: {ran.stderr.strip()[-500:]}")
    return ran.stdout
