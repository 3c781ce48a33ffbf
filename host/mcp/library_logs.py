"""What the libraries of the protocol log, which would otherwise stand on stderr as they write it.

Most of it is of clients' making: requests that cannot be read, streams that were left. None of that is for
the operator, whose disk it would fill. What has failed with an exception is told, in one line.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from host.core.text import escape_line, shortened

_LIBRARIES: Final = ("mcp", "uvicorn", "sse_starlette", "asyncio")
_LEFT: Final = frozenset({"ClientDisconnect", "CancelledError", "ClosedResourceError", "BrokenResourceError"})
_MOST_CHARS: Final = 300


@contextmanager
def told_of_libraries(tell: Callable[[str], None]) -> Iterator[None]:
    """While the block runs, `tell` is told of their failures, and nothing else of theirs is written."""
    handler = _Telling(tell)
    loggers = [logging.getLogger(name) for name in _LIBRARIES]
    before = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, propagates in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.propagate = propagates


class _Telling(logging.Handler):
    """One line for each failure; of equal ones in a row the first alone."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(logging.ERROR)
        self._tell: Final = tell
        self._told = ""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is None or type(error).__name__ in _LEFT:
            return
        first = record.getMessage().partition("\n")[0]
        told = shortened(escape_line(f"{record.name}: {first}: {type(error).__name__}: {error}"), _MOST_CHARS)
        if told != self._told:
            self._told = told
            self._tell(told)
