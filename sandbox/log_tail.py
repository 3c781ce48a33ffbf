"""What is kept of a program's log: its end."""

from collections import deque
from typing import Final

from sandbox.errors import WorkerBrokeProtocol
from sandbox.limits import Limits
from sandbox.outcome import LogLine

__all__ = ["LogTail"]


class LogTail:
    """The last lines of a program's log, within the limits. `dropped` counts those before them."""

    def __init__(self, limits: Limits) -> None:
        self.dropped = 0
        self._limits: Final = limits
        self._kept: Final[deque[tuple[LogLine, int]]] = deque()
        self._bytes = 0

    def add(self, line: LogLine) -> None:
        """Raises `WorkerBrokeProtocol` for a line that the worker should have cut."""
        size = len(line.text.encode("utf-8", "surrogatepass"))
        if size > self._limits.log_line_bytes:
            raise WorkerBrokeProtocol(f"a log line of {size:,} bytes, limit {self._limits.log_line_bytes:,}")
        self._kept.append((line, size))
        self._bytes += size
        while len(self._kept) > self._limits.log_lines or self._bytes > self._limits.log_bytes:
            _, gone = self._kept.popleft()
            self._bytes -= gone
            self.dropped += 1

    def lines(self) -> tuple[LogLine, ...]:
        return tuple(line for line, _ in self._kept)
