"""What is said beside a protocol: whole where there is room for it, and never waited for."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from host.cli.aside import Aside
from host.cli.lines import line
from host.cli.output import Output


@contextmanager
def unread() -> Iterator[int]:
    """A pipe in the place of stderr; gives the end that it could be read from."""
    read, write = os.pipe()
    kept = os.dup(2)
    os.dup2(write, 2)
    os.close(write)
    try:
        yield read
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(read)


def test_a_traceback_is_told_with_its_last_line() -> None:
    rows = [f'  File "x.py", line {number}' for number in range(100)]

    with unread() as pipe:
        Aside(Output(), quiet=False).tell(
            "\n".join(["run_program failed: Traceback", *rows, "ValueError: the cause\n"])
        )
        told = os.read(pipe, 2**20).decode().splitlines()

    assert told[0] == "gg: run_program failed: Traceback"
    assert len(told) == 102
    assert told[-1].endswith("│ ValueError: the cause")


def test_who_is_quiet_is_told_of_problems_alone() -> None:
    with unread() as pipe:
        aside = Aside(Output(quiet=True), quiet=True)
        aside.progress([line("console")])
        aside.tell("problem")

        assert os.read(pipe, 2**20) == b"gg: problem\n"


def test_a_pipe_that_is_full_is_left() -> None:
    with unread() as pipe:
        aside = Aside(Output(), quiet=False)
        for _ in range(1000):
            aside.tell("x" * 400)
        told = os.read(pipe, 2**20).decode().splitlines()

    assert set(told) == {f"gg: {'x' * 400}"}
    assert 100 < len(told) < 1000


def test_a_file_gets_everything(tmp_path: Path) -> None:
    path = tmp_path / "stderr.txt"
    tells = (
        "from host.cli.aside import Aside; from host.cli.output import Output;"
        " aside = Aside(Output(), quiet=False); [aside.tell('x' * 400) for _ in range(1000)]"
    )

    with path.open("wb") as stderr:
        subprocess.run([sys.executable, "-c", tells], stderr=stderr, check=True, timeout=60)

    assert path.read_text() == f"gg: {'x' * 400}\n" * 1000
