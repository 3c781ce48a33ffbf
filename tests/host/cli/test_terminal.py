"""`gg run` on a terminal: a pseudo-terminal of 60 columns."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import termios
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.host.cli.processes import GG, environment

COLUMNS = 60
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
SUMMARY = (
    "A summary that is longer than the terminal is wide, so that it has to be wrapped somewhere. \x1b[2J"
)


def write_config(folder: Path, *replies: str) -> None:
    document = {
        "name": "terminal",
        "task": "A task that is longer than the terminal is wide, so that it has to be wrapped.",
        "model": {"provider": "scripted", "replies": list(replies)},
        "sandbox": {"guestSecs": 600},
        "agents": [{"id": "root"}],
    }
    (folder / "run.json").write_text(json.dumps(document))


def on_terminal(folder: Path, act: Callable[[int, str], None], **more: str) -> tuple[int, str]:
    """Runs `gg run` on a terminal, with `more` in its environment.

    `act` sees the process and the whole output as it grows.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
        variables = {**environment(), "TERM": "xterm-256color", **more}
        os.execve(GG, [str(GG), "run", "run.json", "--out", "record"], variables)
    output = b""
    while True:
        try:
            output += os.read(terminal, 65_536)
        except OSError:  # the other end is closed
            break
        act(pid, output.decode(errors="replace"))
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), output.decode()


def seen(output: str) -> list[str]:
    """The lines that stay: escapes interpreted as far as a spinner needs."""
    rows = [row.split("\r\x1b[2K")[-1].rstrip("\r") for row in output.split("\n")]
    return [re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", row) for row in rows]


@pytest.mark.slow
def test_lines_are_fitted_to_the_terminal_and_the_cursor_comes_back(tmp_path: Path) -> None:
    finish = f'import {{ session }} from "gg";\nsession.finish({json.dumps(SUMMARY)});\n'
    write_config(tmp_path, f"// {'x' * 100}\n{finish}")

    code, output = on_terminal(tmp_path, lambda pid, text: None)

    assert code == 0
    assert output.rfind(SHOW) > output.rfind(HIDE) > -1
    rows = seen(output)
    assert rows[:2] == [
        "terminal: A task that is longer than the terminal is wide,",
        "          so that it has to be wrapped.",
    ]
    assert "           │ // " + "x" * 43 + "…" in rows
    assert "waiting for the model" in output
    assert "\x1b[2J" not in output


def test_the_cursor_comes_back_when_a_run_is_stopped_at_once(tmp_path: Path) -> None:
    write_config(tmp_path, "while (true) {}\n")
    pressed: list[str] = []

    def act(pid: int, output: str) -> None:
        due = ["carrying out the reply", "stopping at the end"][len(pressed) :]
        if due and due[0] in output:
            pressed.append(due[0])
            os.kill(pid, signal.SIGINT)

    code, output = on_terminal(tmp_path, act)

    assert (code, len(pressed)) == (130, 2)
    assert output.rfind(SHOW) > output.rfind(HIDE) > -1


@pytest.mark.slow
def test_the_editor_is_not_imported_where_no_person_is_asked(tmp_path: Path) -> None:
    write_config(tmp_path, 'import { session } from "gg";\nsession.finish("done");\n')

    code, output = on_terminal(tmp_path, lambda pid, text: None, PYTHONPROFILEIMPORTTIME="1")

    assert code == 0
    assert "host.cli.program_input" in output
    assert "prompt_toolkit" not in output
