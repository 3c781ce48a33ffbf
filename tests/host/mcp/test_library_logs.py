"""What the libraries of the protocol log: their failures, in one line each, and nothing else."""

import logging
from collections.abc import Iterator

import pytest

from host.mcp.library_logs import told_of_libraries

LOGGER = logging.getLogger("uvicorn.error")


class ClientDisconnect(Exception):
    """As the library calls the one that says that a client has left."""


@pytest.fixture
def told() -> Iterator[list[str]]:
    lines: list[str] = []
    level = LOGGER.level
    LOGGER.setLevel(logging.NOTSET)  # servers of other tests leave theirs
    with told_of_libraries(lines.append):
        yield lines
    LOGGER.setLevel(level)


def fails(name: str, error: Exception, message: str = "no") -> None:
    try:
        raise error
    except Exception:
        logging.getLogger(name).exception(message)


def test_a_failure_is_one_line(told: list[str]) -> None:
    fails("uvicorn.error", ValueError("a\nb\x1b"), "Exception\nTraceback")

    assert told == ["uvicorn.error: Exception: ValueError: a\\u000ab\\u001b"]


class Kept(logging.Handler):
    """Of the root logger: what would be written where nobody else takes it."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def written() -> Iterator[list[logging.LogRecord]]:
    kept = Kept()
    logging.getLogger().addHandler(kept)
    yield kept.records
    logging.getLogger().removeHandler(kept)


def test_what_clients_make_is_not_told(told: list[str], written: list[logging.LogRecord]) -> None:
    logging.getLogger("uvicorn.error").error("ASGI callable returned without completing response.")
    logging.getLogger("mcp.server.transport_security").warning("Invalid Host header: %s", "x")
    fails("mcp.server.streamable_http", ClientDisconnect())

    assert (told, written) == ([], [])


def test_equal_failures_are_told_once(told: list[str]) -> None:
    for error in (OSError("files"), OSError("files"), OSError("other"), OSError("files")):
        fails("asyncio", error)

    assert [line.rpartition(" ")[2] for line in told] == ["files", "other", "files"]


def test_a_long_failure_is_cut(told: list[str]) -> None:
    fails("mcp", ValueError("x" * 10_000))

    assert len(told[0]) == 301


def test_afterwards_the_libraries_log_as_before() -> None:
    lines: list[str] = []
    logger = logging.getLogger("mcp")
    before = (logger.propagate, list(logger.handlers))

    with told_of_libraries(lines.append):
        pass

    assert (logger.propagate, logger.handlers) == before
