"""Reads programs one after another: from an editor on a terminal, else from stdin. Ctrl-D ends a program."""

import io
import sys
from collections.abc import Callable
from typing import Final

ReadProgram = Callable[[], str | None]
"""One program, or `None` when there are no more."""

_CTRL_D: Final = "\x04"


def program_reader(*, styled: bool) -> ReadProgram:
    """The editor where there is a terminal, else the lines of stdin; nothing where that is closed."""
    if sys.stdin is None:
        return lambda: None
    if not (sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty()):
        if isinstance(sys.stdin, io.TextIOWrapper):
            # A byte that is no text is the compiler's to find and to locate, whatever the locale.
            sys.stdin.reconfigure(errors="surrogateescape")
        return _read_piped
    from host.cli.program_editor import ProgramEditor  # its library takes long to import

    return ProgramEditor(styled=styled)


def _read_piped() -> str | None:
    """Up to a line that is Ctrl-D alone, or the end of stdin; a program that is not there ends it."""
    lines: list[str] = []
    for line in sys.stdin:
        if line.rstrip("\r\n") == _CTRL_D:
            return "".join(lines)
        lines.append(line)
    text = "".join(lines)
    return text if text.strip() else None
