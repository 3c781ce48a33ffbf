"""The client's end of a language server: JSON-RPC in frames over two pipes, one request in flight.

What the server sends is treated as hostile: frames are bounded, of a larger one only the head is kept, and
whatever is not the awaited answer, a request of the server's or a notification ends the conversation. The
client's notifications are queued and leave with its next request, so one exchange costs few system calls.
"""

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from runtime_js.channel import Channel

__all__ = ["KEPT_BYTES", "Frame", "FrameSplitter", "LanguageClient", "LspError", "Mend"]

KEPT_BYTES: Final = 4 * 2**20
ANNOUNCED_BYTES: Final = 2**30
HEADER_BYTES: Final = 1024

_LENGTH: Final = re.compile(rb"Content-Length: (\d{1,12})\r\n\r\n", re.IGNORECASE)
_LOG: Final = b'{"jsonrpc":"2.0","method":"window/logMessage"'
_METHOD_NOT_FOUND: Final = -32601

Mend = Callable[[bytes], bytes]


class LspError(Exception):
    """Bytes that no server of this protocol sends. The message says what is wrong with them."""


@dataclass(frozen=True)
class Frame:
    """One message; `head` is all of it unless `size_bytes` is larger than `KEPT_BYTES`."""

    head: bytes
    size_bytes: int

    def message(self, mend: Mend | None = None) -> dict[str, object]:
        """The JSON object in the frame, mended if only its head was kept. Raises `LspError`."""
        body = self.head
        if self.size_bytes > len(body):
            if mend is None:
                raise LspError(f"a frame of {self.size_bytes} bytes, limit {KEPT_BYTES}")
            body = mend(body)
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise LspError(f"no JSON ({error}): {body[:200]!r}") from None
        if not isinstance(message, dict):
            raise LspError(f"no JSON object: {body[:200]!r}")
        return message


class LanguageClient:
    """Talks to the server at the other end of `channel`. `configuration` answers its questions, by section.

    Any failure loses the process and raises `CompilerLost`.
    """

    def __init__(self, channel: Channel, *, configuration: Mapping[str, object]) -> None:
        self._channel: Final = channel
        self._configuration: Final = configuration
        self._outgoing: Final = bytearray()
        self._splitter: Final = FrameSplitter()
        self._incoming: Final[deque[Frame]] = deque()
        self._last_id = 0

    def notify(self, method: str, params: object) -> None:
        """Queues a notification; it leaves with the next request."""
        self._queue({"method": method, "params": params})

    def request(self, method: str, params: object, *, mend: Mend | None = None) -> object:
        """Sends a request and returns its result, within the time that the channel has left.

        An answer larger than `KEPT_BYTES` is a failure, unless `mend` makes JSON of its head.
        """
        self._last_id += 1
        self._queue({"id": self._last_id, "method": method, "params": params})
        try:
            while True:
                answer = self._read(self._next_frame(), mend)
                if answer is not None:
                    return answer["result"]
        except LspError as error:
            raise self._channel.lost(f"broke the protocol at {method}: {error}") from error

    def _queue(self, message: Mapping[str, object]) -> None:
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, separators=(",", ":"))
        # A lone surrogate is no UTF-8, and servers refuse its escape. "?" is as long in UTF-16.
        body = text.encode(errors="replace")
        self._outgoing.extend(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def _next_frame(self) -> Frame:
        while not self._incoming:
            # Both ways at once: a server that cannot write stops reading.
            self._incoming.extend(self._splitter.feed(self._channel.exchange(self._outgoing)))
        return self._incoming.popleft()

    def _read(self, frame: Frame, mend: Mend | None) -> dict[str, object] | None:
        """The awaited answer, or None after a message that was dealt with."""
        if frame.head.startswith(_LOG):
            return None
        message = frame.message(mend)
        match message:
            case {"method": str(method), "id": int() | str() as request_id}:
                self._answer(method, request_id, message.get("params"))
                return None
            case {"method": str()}:
                return None
            case {"id": self._last_id, "result": _}:
                return message
            case {"error": {"message": str(text)}}:
                raise LspError(f"an error instead of an answer: {text:.500}")
            case _:
                raise LspError(f"a message that answers nothing: {frame.head[:200]!r}")

    def _answer(self, method: str, request_id: int | str, params: object) -> None:
        answer: dict[str, object]
        match method, params:
            case "workspace/configuration", {"items": [*items]}:
                sections = [item.get("section") if isinstance(item, dict) else None for item in items]
                answer = {"result": [self._configuration.get(str(section)) for section in sections]}
            case "client/registerCapability", _:
                answer = {"result": None}
            case _:
                answer = {"error": {"code": _METHOD_NOT_FOUND, "message": f"no {method} here"}}
        self._queue({"id": request_id, **answer})


class FrameSplitter:
    """Cuts a stream into frames, whatever the chunks it arrives in. Memory is bounded by `KEPT_BYTES`."""

    def __init__(self) -> None:
        self._buffer: Final = bytearray()
        self._head: Final = bytearray()
        self._size_bytes = 0
        self._missing_bytes = 0
        self._in_body = False

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yields the frames that `data` completes. Raises `LspError` for a header that is none."""
        self._buffer.extend(data)
        while self._in_body or self._take_header():
            self._take_body()
            if self._missing_bytes:
                return
            self._in_body = False
            yield Frame(bytes(self._head), self._size_bytes)

    def _take_header(self) -> bool:
        """Starts a body if its whole header has arrived."""
        found = _LENGTH.match(self._buffer)
        if found is None:
            if len(self._buffer) > HEADER_BYTES or b"\r\n\r\n" in self._buffer:
                raise LspError(f"no header: {bytes(self._buffer[:200])!r}")
            return False
        size_bytes = int(found[1])
        if size_bytes > ANNOUNCED_BYTES:
            raise LspError(f"a frame of {size_bytes} bytes announced, limit {ANNOUNCED_BYTES}")
        del self._buffer[: found.end()]
        self._head.clear()
        self._size_bytes = self._missing_bytes = size_bytes
        self._in_body = True
        return True

    def _take_body(self) -> None:
        taken = min(self._missing_bytes, len(self._buffer))
        room = KEPT_BYTES - len(self._head)
        self._head.extend(self._buffer[: min(taken, room)])
        del self._buffer[:taken]
        self._missing_bytes -= taken
