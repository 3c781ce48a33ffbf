"""The real console script, started as a person would start it."""

import os
import subprocess
import sys
from collections.abc import Sequence
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
