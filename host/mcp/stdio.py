"""The client at the other end of stdin and stdout.

Whatever else the process prints goes to stderr, and nothing else reads stdin. A line that is no message of
the protocol is answered, so that nobody waits for it.
"""

import fcntl
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from host.core.errors import HostError
from host.core.threads import call_in_thread
from host.mcp.bounds import MAX_MESSAGE_BYTES
from host.mcp.messages import Unreadable, read_request
from host.mcp.server import McpServer
from host.mcp.signals import stopped_by_signals
from host.tools import LineCutter, LongLine

_STDIN: Final = 0
_STDOUT: Final = 1
_STDERR: Final = 2
_CHUNK_BYTES: Final = 2**20
_LEAST_FD: Final = 3  # above those of every program


class StreamClosed(HostError):
    """Whoever started the server has left it without a stream that it speaks over."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} is closed, and a server over stdio needs it; use --transport http, or open it"
        )


class Wire:
    """The descriptors of the protocol, which are not those of the process while it is claimed."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self.read_fd: Final = read_fd
        self.write_fd: Final = write_fd

    @classmethod
    @contextmanager
    def claimed(cls) -> Iterator["Wire"]:
        """From here on stdin is empty and stdout is stderr, for this process and for what it starts.

        Raises `StreamClosed`.
        """
        for name in ("stdin", "stdout", "stderr"):
            if getattr(sys, name) is None:  # its descriptor may be another file's by now
                raise StreamClosed(name)
        sys.stdout.flush()
        kept = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _LEAST_FD) for fd in (_STDIN, _STDOUT)]
        try:
            nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
            os.dup2(nothing, _STDIN)
            os.close(nothing)
            os.dup2(_STDERR, _STDOUT)
            yield cls(*kept)
        finally:
            sys.stdout.flush()
            for private, fd in zip(kept, (_STDIN, _STDOUT), strict=True):
                os.dup2(private, fd)
                os.close(private)


def speak(server: McpServer, wire: Wire) -> None:
    """Serves until stdin ends, a signal comes, or nobody reads stdout any more."""
    anyio.run(_speak, server, wire)


async def _speak(server: McpServer, wire: Wire) -> None:
    into, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, answers = anyio.create_memory_object_stream[SessionMessage](0)
    protocol = server.protocol
    async with stopped_by_signals(), anyio.create_task_group() as tasks:
        tasks.start_soon(_receive, wire.read_fd, into, write.clone())
        tasks.start_soon(_send, wire.write_fd, answers, tasks.cancel_scope)
        await protocol.run(read, write, protocol.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _receive(
    fd: int,
    into: MemoryObjectSendStream[SessionMessage | Exception],
    answers: MemoryObjectSendStream[SessionMessage],
) -> None:
    async with into, answers:
        async for line in _lines(fd):
            message = read_request(line)
            if isinstance(message, Unreadable):
                await answers.send(SessionMessage(message.answer))
            else:
                await into.send(SessionMessage(message))


async def _lines(fd: int) -> AsyncIterator[bytes | LongLine]:
    """Those that are not blank. Where it is left, the thread that waits for the next one is left alone."""
    cutter = LineCutter(MAX_MESSAGE_BYTES)
    while chunk := await call_in_thread(lambda: os.read(fd, _CHUNK_BYTES)):
        for line in cutter.feed(chunk):
            if line.strip() if isinstance(line, bytes) else True:
                yield line


async def _send(
    fd: int, answers: MemoryObjectReceiveStream[SessionMessage], scope: anyio.CancelScope
) -> None:
    async with answers:
        async for answer in answers:
            line = answer.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            try:
                await call_in_thread(partial(_write, fd, line))
            except OSError:
                scope.cancel()  # the client has gone, or what it reads from is full
                return


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
