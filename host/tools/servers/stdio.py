"""A server over stdio: messages, a line each, to and from a process."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from host.tools.servers.bounds import LOG_LINE_CHARS, MAX_MESSAGE_BYTES, MAX_SKIPPED_BYTES, Flooded, Rate
from host.tools.servers.child import Child
from host.tools.servers.fate import Fate
from host.tools.servers.lines import LineCutter, LongLine
from host.tools.servers.messages import NoMessage, read_long_line, read_message

# A server that does not read must not hold up whoever cancels a call of its.
_WAITING_MESSAGES: Final = 64
_LAST_LINES_S: Final = 0.5
_THROTTLE_S: Final = 1.0

Incoming = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def stdio_streams(
    argv: Sequence[str], *, env: Mapping[str, str], cwd: Path | None, fate: Fate
) -> AsyncIterator[Streams]:
    """Starts the program at the path `argv[0]` and gives the streams that a session takes.

    Leaving ends the process and what it started. Raises `OSError` where it cannot be started.
    """
    child = await Child.start(argv, env=env, cwd=cwd)
    to_session, from_server = anyio.create_memory_object_stream[Incoming](0)
    to_server, from_session = anyio.create_memory_object_stream[SessionMessage](_WAITING_MESSAGES)
    writing, written, heard = anyio.CancelScope(), anyio.Event(), anyio.Event()

    async def write() -> None:
        with writing:
            await _write_messages(child, from_session, fate)
        written.set()

    async def hear() -> None:
        await _read_log(child, fate)
        heard.set()

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_read_messages, child, to_session, fate)
            tasks.start_soon(write)
            tasks.start_soon(hear)
            tasks.start_soon(_watch, child, fate)
            try:
                yield from_server, to_server
            finally:
                with anyio.CancelScope(shield=True):
                    from_server.close()  # from here on the reader throws away what comes
                    writing.cancel()
                    await written.wait()
                    fate.exit_status = await child.stop(at_once=fate.was_cut)
                    with anyio.move_on_after(_LAST_LINES_S):
                        await heard.wait()
                tasks.cancel_scope.cancel()
    finally:
        for stream in (to_session, from_server, to_server, from_session):
            stream.close()
        for pipe in (child.stdin, child.stdout, child.stderr):
            pipe.close()


async def _watch(child: Child, fate: Fate) -> None:
    """Ends what a server left open that is gone: what it has started may hold the other ends of its pipes."""
    await child.wait()
    with anyio.move_on_after(_LAST_LINES_S):
        await fate.ended.wait()  # by the end of its output, when that is read
    fate.end("ended")


async def _read_messages(child: Child, to_session: MemoryObjectSendStream[Incoming], fate: Fate) -> None:
    lines, rate = LineCutter(MAX_MESSAGE_BYTES, max_skipped_bytes=MAX_SKIPPED_BYTES), Rate()
    try:
        while chunk := await child.stdout.read():
            for line in lines.feed(chunk):
                await _pass_on(line, to_session, fate, rate)
        await _pass_on(lines.last(), to_session, fate, rate)
        fate.end("closed its stdout")
    except Flooded as flood:
        fate.end(str(flood), cut=True)
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        fate.end("is no longer needed")
    to_session.close()
    while await child.stdout.read():
        pass  # a server that waits for its output to be read does not see that its input has ended


async def _pass_on(
    line: bytes | LongLine, to_session: MemoryObjectSendStream[Incoming], fate: Fate, rate: Rate
) -> None:
    size_bytes = line.size_bytes if isinstance(line, LongLine) else len(line)
    try:
        message = read_long_line(line) if isinstance(line, LongLine) else read_message(line)
    except NoMessage as error:
        if isinstance(line, LongLine):
            raise Flooded(str(error)) from error
        if line.strip():
            fate.stray(line[: 4 * LOG_LINE_CHARS].decode(errors="replace"))
        message = None
    if message is None:
        rate.count(anyio.current_time(), messages=1, size_bytes=size_bytes)
    else:
        await to_session.send(SessionMessage(message))


async def _write_messages(
    child: Child, from_session: MemoryObjectReceiveStream[SessionMessage], fate: Fate
) -> None:
    try:
        async for item in from_session:
            text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            await child.stdin.write(f"{text}\n".encode())
    except OSError:
        from_session.close()
        fate.end("closed its stdin")


async def _read_log(child: Child, fate: Fate) -> None:
    lines, rate = LineCutter(4 * LOG_LINE_CHARS), Rate()
    while chunk := await child.stderr.read():
        try:
            rate.count(anyio.current_time(), size_bytes=len(chunk))
        except Flooded:
            await anyio.sleep(_THROTTLE_S)  # whoever writes so much waits for a reader
        for line in lines.feed(chunk):
            fate.hear(_text(line))
    fate.hear(_text(lines.last()))


def _text(line: bytes | LongLine) -> str:
    return (line.head if isinstance(line, LongLine) else line).decode(errors="replace")
