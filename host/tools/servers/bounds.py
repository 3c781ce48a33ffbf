"""How much of a server's is read, kept and told, and how often it may speak unasked."""

from typing import Final

from host.core.text import format_size

MIB: Final = 2**20

MAX_MESSAGE_BYTES: Final = 8 * MIB
"""An answer that is longer is not read: its call fails."""
MAX_SKIPPED_BYTES: Final = 64 * MIB
"""A message that is longer than this is not waited for: the server is ended."""
MAX_PAGES: Final = 100
MAX_TOOLS: Final = 1000
MAX_NAME_CHARS: Final = 128
"""Of the name of a tool; the protocol has no more either."""
MAX_RESTARTS: Final = 3
"""How often in a run a server that ended is started again."""
MAX_DEPTH: Final = 100
"""How deeply arguments may be nested."""

UNASKED_MESSAGES: Final = 5_000
UNASKED_BYTES: Final = 64 * MIB
LOG_LINES: Final = 100
LOG_LINE_CHARS: Final = 500
WINDOW_S: Final = 10.0
"""In so many seconds, so many messages nobody asked for and so many lines for the operator."""

KEPT_LINES: Final = 5
"""The last lines of a server's stderr, for what is said when it ends."""
ERROR_CHARS: Final = 2000
"""What is told of the text that a failing tool gave."""


class Flooded(Exception):
    """A server sends more than is read. The message completes a sentence that begins with its name."""


class Rate:
    """Counts what comes unasked, a window of time after another.

    `now_s` is the time of a clock that never goes back.
    """

    def __init__(self) -> None:
        self._since_s = float("-inf")
        self._messages = 0
        self._size_bytes = 0

    def count(self, now_s: float, *, messages: int = 0, size_bytes: int = 0) -> None:
        """Counts some more; raises `Flooded` over the bound."""
        if now_s - self._since_s > WINDOW_S:
            self._since_s, self._messages, self._size_bytes = now_s, 0, 0
        self._messages += messages
        self._size_bytes += size_bytes
        if self._messages > UNASKED_MESSAGES:
            raise Flooded(f"sent more than {UNASKED_MESSAGES:,} messages unasked within {WINDOW_S:g} s")
        if self._size_bytes > UNASKED_BYTES:
            raise Flooded(f"sent more than {format_size(UNASKED_BYTES)} unasked within {WINDOW_S:g} s")
