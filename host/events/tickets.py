"""What one thread waits for and another settles, once."""

import threading


class Ticket:
    """A thing to wait for. An interrupt of the one who waits leaves nothing half done."""

    def __init__(self) -> None:
        self._open = threading.Lock()
        self._open.acquire()

    def wait(self, timeout_s: float) -> bool:
        """True once it is settled; for one thread, once."""
        return self._open.acquire(timeout=timeout_s)

    def settle(self) -> None:
        """Called once."""
        self._open.release()
