"""A server over streamable HTTP: the client that requests go through, and what it lets in."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import anyio
import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import MCP_SESSION_ID, streamable_http_client
from mcp_types import JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from host.core.text import format_size
from host.tools.servers.bounds import MAX_MESSAGE_BYTES, MAX_SKIPPED_BYTES, Flooded, Rate
from host.tools.servers.fate import Fate, told_line
from host.tools.servers.lines import LineCutter, LongLine
from host.tools.servers.messages import (
    TOO_LARGE,
    NoMessage,
    answer_in_place,
    read_long_line,
    without_half_characters,
)

FAILED: Final = 8_000_502
"""Code of an error that stands in the place of an answer which HTTP did not bring."""
SESSION_LOST: Final = 8_000_404
"""The same, where the server no longer knows the session; it has done nothing then."""

_CONNECT_S: Final = 10.0
_NOTIFY_S: Final = 5.0
_SLACK_S: Final = 30.0
_END_S: Final = 3.0
_TOLD_BYTES: Final = 300
_ASKED: Final = re.compile(rb'"id":(\d+)')
_CANCELS: Final = re.compile(rb'"requestId":(\d+)')


@asynccontextmanager
async def web_streams(
    url: str, *, headers: Mapping[str, str], timeout_s: float, fate: Fate
) -> AsyncIterator[TransportStreams]:
    """The streams that a session takes. Leaving ends the server's session."""
    async with BoundedClient(headers=headers, timeout_s=timeout_s, fate=fate) as client:
        # What is too large is told by the client, before this bound is reached.
        transport = streamable_http_client(url, http_client=client, max_sse_event_size=2 * MAX_MESSAGE_BYTES)
        async with transport as streams:
            try:
                yield streams
            finally:
                client.is_ending = True


class BoundedClient(httpx2.AsyncClient):
    """Sends requests, and never raises for what comes back: an answer that failed is put in its place.

    An exception would end the transport, and with it the calls that have nothing to do with it.
    """

    def __init__(self, *, headers: Mapping[str, str], timeout_s: float, fate: Fate) -> None:
        super().__init__(
            headers={**headers, "accept-encoding": "identity"},  # what is packed has no bound
            timeout=httpx2.Timeout(timeout_s + _SLACK_S, connect=_CONNECT_S, pool=_CONNECT_S),
        )
        self._timeout_s: Final = timeout_s
        self._fate: Final = fate
        self._canceled: Final[set[bytes]] = set()
        self.is_ending = False

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:  # noqa: ANN401 - passed on
        """As its parent does."""
        self._set_patience(request)
        try:
            response = await super().send(request, **options)
            return await self._let_in(request, response)
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError) as error:
            return _in_place(request, FAILED, f"cannot be reached ({_words(error)})")

    def _set_patience(self, request: httpx2.Request) -> None:
        timeout = request.extensions["timeout"]
        if request.method == "GET":
            timeout["read"] = None  # the server speaks there when it likes to
        elif self.is_ending:
            timeout.update(dict.fromkeys(timeout, _END_S))
        elif b'"method":"notifications/' in request.content[:100]:
            timeout["read"] = _NOTIFY_S  # later messages wait for it
            if canceled := _CANCELS.search(request.content):
                self._canceled.add(canceled[1])

    async def _let_in(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            return _in_place(request, FAILED, "answers in a compressed form, which was not asked for")
        stream = response.stream
        if not isinstance(stream, httpx2.AsyncByteStream):
            raise TypeError(f"no asynchronous response: {stream!r}")
        content_type = response.headers.get("content-type", "").lower()
        if response.is_success and content_type.startswith("text/event-stream"):
            asked = _ASKED.search(request.content[:100]) if request.method == "POST" else None
            response.stream = _Events(stream, self._fate, self._canceled, asked[1] if asked else None)
            return response
        body = _Body(stream)
        response.stream = body
        try:
            content = await response.aread()
        except _BodyTooLarge:
            await response.aclose()
            told = f"is too large: over {format_size(MAX_MESSAGE_BYTES)}, the limit"
            return _in_place(request, TOO_LARGE, told)
        if response.is_error and not _is_answer(content):
            return self._failed(request, response, content)
        return _with_content(response, request, without_half_characters(content))

    def _failed(self, request: httpx2.Request, response: httpx2.Response, content: bytes) -> httpx2.Response:
        self._fate.http_status = response.status_code
        told = told_line(content[:_TOLD_BYTES].decode(errors="replace").strip())
        status = f"HTTP {response.status_code} {response.reason_phrase}".strip()
        message = f"answered {status}{f': {told}' if told else ''}"
        if response.status_code == 404 and MCP_SESSION_ID in request.headers:
            return _in_place(request, SESSION_LOST, message)
        return _in_place(request, FAILED, message)


class _BodyTooLarge(Exception):
    pass


class _Body(httpx2.AsyncByteStream):
    """A body that is read whole."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream: Final = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size_bytes = 0
        async for chunk in self._stream:
            size_bytes += len(chunk)
            if size_bytes > MAX_MESSAGE_BYTES:
                raise _BodyTooLarge
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Events(httpx2.AsyncByteStream):
    """A stream of events, a line after another; a line that is too long becomes the error it stands for.

    `asked` is the number of the request that it answers; the stream ends once that is among the canceled.
    """

    def __init__(
        self, stream: httpx2.AsyncByteStream, fate: Fate, canceled: set[bytes], asked: bytes | None
    ) -> None:
        self._stream: Final = stream
        self._fate: Final = fate
        self._canceled: Final = canceled
        self._asked: Final = asked

    async def __aiter__(self) -> AsyncIterator[bytes]:
        lines, rate = LineCutter(MAX_MESSAGE_BYTES, max_skipped_bytes=MAX_SKIPPED_BYTES), Rate()
        try:
            async for chunk in self._stream:
                now_s = anyio.current_time()
                if self._asked in self._canceled:
                    return  # nobody waits for it, and a server may not heed that it was canceled
                for line in lines.feed(chunk):
                    if not isinstance(line, bytes) or not line.startswith(b"data:"):
                        size_bytes = line.size_bytes if isinstance(line, LongLine) else len(line)
                        rate.count(now_s, size_bytes=size_bytes)
                    yield _event_line(line)
        except Flooded as flood:
            self._fate.end(str(flood), cut=True)

    async def aclose(self) -> None:
        await self._stream.aclose()


def _event_line(line: bytes | LongLine) -> bytes:
    if isinstance(line, bytes):
        return without_half_characters(line) + b"\n"
    in_place = LongLine(line.head.removeprefix(b"data:"), line.tail, line.size_bytes)
    try:
        message = read_long_line(in_place)
    except NoMessage as error:
        raise Flooded(str(error)) from error
    if message is None:
        return b": a message that was too long\n"
    return f"data: {message.model_dump_json(by_alias=True, exclude_unset=True)}\n".encode()


def _in_place(request: httpx2.Request, code: int, message: str) -> httpx2.Response:
    """A failing answer: it names no request, and so answers the one that it belongs to."""
    error = answer_in_place(None, code, message).model_dump(mode="json", by_alias=True)
    return httpx2.Response(502, json=error, request=request)


def _with_content(response: httpx2.Response, request: httpx2.Request, content: bytes) -> httpx2.Response:
    if content == response.content:
        return response
    kept = {name: value for name, value in response.headers.items() if name != "content-length"}
    return httpx2.Response(response.status_code, headers=kept, content=content, request=request)


def _is_answer(content: bytes) -> bool:
    try:
        return isinstance(jsonrpc_message_adapter.validate_json(content, by_name=False), JSONRPCError)
    except ValidationError:
        return False


def _words(error: Exception) -> str:
    """What went wrong, with the kind of error where it says little."""
    return told_line(f"{type(error).__name__}: {error}".rstrip(": "))
