"""The real console script, started as a person would start it."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

GG = Path(sys.executable).with_name("gg")


def environment() -> dict[str, str]:
    """This process's environment, without what would make rich see a terminal."""
    forced = ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS")
    return {name: value for name, value in os.environ.items() if name not in forced}


def gg(*arguments: str | Path, cwd: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Runs `gg` to its end, with what is `typed` on its stdin."""
    command = [str(GG), *map(str, arguments)]
    return subprocess.run(
        command,
        cwd=cwd,
        env=environment(),
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def start_gg(arguments: Sequence[str | Path], *, cwd: Path) -> "subprocess.Popen[str]":
    """Starts `gg`; its stderr can be read line by line while it runs."""
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([str(GG), *map(str, arguments)], cwd=cwd, env=environment(), **options)


Step = tuple[str, str | Callable[[], object]]
"""A text that is waited for, and what is typed then, or what is done."""


def on_terminal(
    *arguments: str | Path, cwd: Path, steps: Sequence[Step], columns: int = 80, **more: str
) -> tuple[int, str]:
    """Runs `gg` on a pseudo-terminal, with `more` in its environment: its exit code, and all that it shows.

    Each step waits for its text in what is shown after that of the step before.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        variables = {**environment(), "TERM": "xterm-256color", **more}
        os.execve(GG, [str(GG), *map(str, arguments)], variables)
    shown, seen, due = b"", 0, list(steps)
    while (data := _read(pid, terminal, shown)) is not None:
        shown += data
        while due and (at := shown.find(due[0][0].encode(), seen)) >= 0:
            text, act = due.pop(0)
            seen = at + len(text.encode())
            if callable(act):
                act()
            else:
                os.write(terminal, act.encode())
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert not due, f"{due[0][0]!r} was never shown:\n{shown.decode(errors='replace')}"
    return os.waitstatus_to_exitcode(status), shown.decode(errors="replace")


def _read(pid: int, terminal: int, shown: bytes) -> bytes | None:
    """What is shown next; `None` when the other end is closed."""
    if not select.select([terminal], [], [], 60)[0]:
        os.kill(pid, signal.SIGKILL)
        raise AssertionError(f"gg hangs:\n{shown.decode(errors='replace')}")
    try:
        return os.read(terminal, 65_536) or None
    except OSError:
        return None
