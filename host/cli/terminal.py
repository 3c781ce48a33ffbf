"""The terminal of a person who types, left as it was found."""

import os
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

_STDERR: Final = 2
_PLAIN_PASTE: Final = b"\x1b[?2004l"


@contextmanager
def kept_terminal(*, in_use: bool = True) -> Iterator[Callable[[], None]]:
    """Puts back, in the end, what an editor that was cut off has left changed; nothing where none is in use.

    Yields what does so at once, for a signal handler that ends the process.
    """
    restore = _restorer() if in_use else _nothing
    try:
        yield restore
    finally:
        restore()


def _nothing() -> None:
    """There is nothing to put back."""


def _restorer() -> Callable[[], None]:
    if sys.stdin is None or not sys.stdin.isatty():
        return _nothing
    terminal = sys.stdin.fileno()
    found = termios.tcgetattr(terminal)

    def restore() -> None:
        with suppress(OSError, termios.error):  # a terminal that is gone has nothing to be put back
            if termios.tcgetattr(terminal) != found:
                termios.tcsetattr(terminal, termios.TCSANOW, found)
                os.write(_STDERR, _PLAIN_PASTE)

    return restore
