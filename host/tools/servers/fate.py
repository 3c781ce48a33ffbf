"""What becomes of one connection to a server: why it ended, and what the server said last."""

from collections import deque
from collections.abc import Callable
from typing import Final

import anyio

from host.core.text import escape_line, shortened
from host.tools.servers.bounds import KEPT_LINES, LOG_LINE_CHARS, LOG_LINES, WINDOW_S


class OperatorLog:
    """Lines of one server for the operator, escaped and cut, and so many in a while at most."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell: Final = tell
        self._since_s = float("-inf")
        self._count = 0

    def write(self, line: str) -> None:
        """Tells a line; must be called in the event loop."""
        now_s = anyio.current_time()
        if now_s - self._since_s > WINDOW_S:
            self.flush()
            self._since_s = now_s
        self._count += 1
        if self._count <= LOG_LINES:
            self._tell(told_line(line))

    def flush(self) -> None:
        """Tells how many lines were left out."""
        left_out, self._count = self._count - LOG_LINES, 0
        if left_out > 0:
            self._tell(f"… {left_out:,} more line{'' if left_out == 1 else 's'}")


class Fate:
    """Filled in by whatever carries a connection, and read by whoever uses it.

    `ended` is set as soon as nothing more will come, `reason` completes a sentence that begins with the
    server's name. The first reason counts: what comes later follows from it.
    """

    def __init__(self, log: OperatorLog) -> None:
        self.log: Final = log
        self.ended: Final = anyio.Event()
        self.reason = ""
        self.was_cut = False
        self.exit_status: int | None = None
        self.stderr: Final[deque[str]] = deque(maxlen=KEPT_LINES)
        self.strayed = ""
        """The first line on stdout that was no message."""
        self.http_status: int | None = None
        """The last status of HTTP that was an error."""

    def end(self, reason: str, *, cut: bool = False) -> None:
        """The connection is over; `cut` is whether gg ends it, without waiting for the server."""
        if not self.ended.is_set():
            self.reason, self.was_cut = reason, cut
            self.ended.set()

    def hear(self, line: str) -> None:
        """A line on the server's stderr."""
        if line.strip():
            self.stderr.append(told_line(line))
            self.log.write(line)

    def stray(self, line: str) -> None:
        """A line on its stdout that is no message."""
        self.strayed = self.strayed or told_line(line)
        self.log.write(f"on stdout, which is for messages alone: {line}")

    @property
    def words(self) -> str:
        """The reason, with the exit status that belongs to it."""
        if self.was_cut or self.exit_status is None:
            return self.reason or "ended"
        return f"ended {exit_words(self.exit_status)}"


def exit_words(status: int) -> str:
    """`with exit status 3`, `by signal 9`."""
    return f"by signal {-status}" if status < 0 else f"with exit status {status}"


def told_line(line: str) -> str:
    return escape_line(shortened(line.rstrip(), LOG_LINE_CHARS))
