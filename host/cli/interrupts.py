"""Ctrl-C and SIGTERM: while a session runs, first the turn is let to its end, then not even that."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final, Protocol

from host.cli.exit_codes import INTERRUPTED
from host.cli.lines import one_line
from host.cli.output import Output

_FIRST: Final = "stopping at the end of this turn; press Ctrl-C again to stop at once"
_SECOND: Final = "stopped at once; {record} holds every turn that ended"


class Cancelable(Protocol):
    """What can be stopped at a turn boundary: a session, or the runs of a study."""

    @property
    def record(self) -> Path:
        """Where that is recorded."""
        ...

    def cancel(self) -> None:
        """Stops it there."""
        ...


@contextmanager
def interruptible(
    session: Cancelable, output: Output, *, before_exit: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM cancels at the next turn boundary, the second ends the process."""
    presses = 0

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal presses
        presses += 1
        if presses == 1:
            session.cancel()
            output.say_at_once(_FIRST)
            return
        # Threads may be inside exchanges that only their workers' death would end. All children die with this
        # process, and the record needs no closing to be loadable.
        before_exit()
        output.say_at_once(_SECOND.format(record=one_line(str(session.record))))
        os._exit(INTERRUPTED)

    with handled(interrupt):
        yield


@contextmanager
def handled(interrupt: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Both signals go to `interrupt` for as long as the block runs."""
    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
