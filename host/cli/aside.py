"""Lines for whoever watches a server, which nobody may be reading."""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from host.cli.lines import Line, block, line, styled, to_text
from host.cli.output import Output

_STDERR: Final = 2


class Aside:
    """Writes to stderr, and to a pipe as far as there is room: a client that started a server over pipes and
    leaves this one unread would otherwise stop it, with every call in it. What has no room is dropped.
    Thread-safe.
    """

    def __init__(self, output: Output, *, quiet: bool) -> None:
        self._output: Final = output
        self._quiet: Final = quiet
        self._pipe: Final = _own_end()

    def progress(self, lines: Iterable[Line]) -> None:
        """Nothing where `quiet`."""
        if not self._quiet:
            self._write(lines)

    def tell(self, told: str) -> None:
        """What an operator has to know, whole: a traceback has its cause in its last line."""
        head, _, rest = told.rstrip().partition("\n")
        self._write((line(styled("gg: ", "warn"), head), *(block(rest) if rest else ())))

    def _write(self, lines: Iterable[Line]) -> None:
        if self._pipe is None:
            self._output.problem(lines)
            return
        for each in lines:  # a line is shorter than what a pipe takes whole or not at all
            with suppress(OSError):
                os.write(self._pipe, to_text([each]).encode("utf-8", "backslashreplace"))


def _own_end() -> int | None:
    """The pipe in the place of stderr, opened anew, since who shares it must go on waiting for room."""
    try:
        if stat.S_ISFIFO(os.fstat(_STDERR).st_mode):
            return os.open(f"/proc/self/fd/{_STDERR}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:  # it is closed, or cannot be opened
        return None
    return None
