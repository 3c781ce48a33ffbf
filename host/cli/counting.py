"""How far long work has come: beside the clock on a terminal, as lines now and then elsewhere."""

import sys
from typing import Final

from host.cli.lines import Span, line
from host.cli.output import Output

_STEP: Final = 10_000
"""Things after which it is told anew where no terminal is."""
_TERMINAL_STEP: Final = 100


class Counting:
    """Told how many things are done, of how many where that is known. `what` is `checked`, `exported`."""

    def __init__(self, output: Output, what: str) -> None:
        self._output: Final = output
        self._what: Final = what
        self._is_watched: Final = sys.stderr.isatty()
        self._told = 0

    def __call__(self, done: int, total: int | None = None) -> None:
        step = _TERMINAL_STEP if self._is_watched else _STEP
        if done // step == self._told // step and done != total:
            return
        self._told = done
        if self._is_watched:
            self._output.still_doing(self._words(done, total))
        elif done >= _STEP:  # what is short is told by its end
            self._output.progress([line(Span(self._words(done, total), "dim"))])

    def _words(self, done: int, total: int | None) -> str:
        if not total:
            return f"{self._what} {done:,}"
        return f"{self._what} {done:,} of {total:,}, {100 * done // total} %"
