"""The latch: the first fault of gg's own that a run meets.

Once it is set, no error of the same turn is charged to the model, and the run ends at the next boundary.
"""

import threading
from collections.abc import Callable
from typing import Final

from host.core.errors import HostDefect


class Latch:
    """Thread-safe. `report` is called for every defect, the first and the later ones, as they happen.

    `on_defect` may be set to what is to be called before that.
    """

    def __init__(self, report: Callable[[HostDefect], None]) -> None:
        self._report: Final = report
        self.on_defect: Callable[[], None] = nobody
        self._lock: Final = threading.Lock()
        self._first: HostDefect | None = None

    @property
    def defect(self) -> HostDefect | None:
        return self._first

    def record(self, defect: HostDefect) -> None:
        with self._lock:
            if self._first is None:
                self._first = defect
        self.on_defect()
        self._report(defect)


def nobody() -> None:
    """Who is told where nobody waits for it."""
