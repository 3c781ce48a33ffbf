"""How many agents of a run may be there at a time."""

import threading
from typing import Final

from host.core.errors import Refusal


class Places:
    """Thread-safe. A place is taken before what it is for begins, so that no two get the last one.

    An issue holds one from its creation to its end, whoever works on it: where every agent waits for issues,
    there is still room for those who work on them.
    """

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._lock: Final = threading.Lock()
        self._taken = 0

    def take(self) -> None:
        """Raises `Refusal` where none is left."""
        with self._lock:
            if self._taken < self._most:
                self._taken += 1
                return
        raise Refusal(
            "limit-exceeded",
            f"{self._taken:,} of {self._most:,} agents and issues have not ended; wait for some first.",
            kind="places",
        )

    def give_back(self, count: int = 1) -> None:
        with self._lock:
            self._taken -= count
