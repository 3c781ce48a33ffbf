"""One esbuild process, driven over its service protocol.

The process has an empty environment, an empty directory, and no descriptor left to open a file with: what
it compiles is sent to it, what it asks for is answered by the caller. One request is in flight at a time;
while it is, esbuild asks back (`on-resolve`, `on-load`) and pings.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from runtime_js.channel import Channel
from runtime_js.errors import CompilerLost
from runtime_js.wire import Packet, Value, WireError, decode_packet, encode_packet, field, take_frame
from sandbox.process import ResourceLimits, SpawnFailed, spawn

__all__ = ["PROTOCOL_VERSION", "Answer", "EsbuildService"]

PROTOCOL_VERSION: Final = "0.28.2"  # the protocol is internal to esbuild: it holds for this version only

# Go needs two descriptors for its timers. With no more than these nothing can be opened: esbuild resolves
# `import("../" + name)` by walking directories without asking a plugin.
_OPEN_FILES: Final = 5 if sys.platform == "linux" else 64

Answer = Callable[[Value], Value]


class EsbuildService:
    """A started esbuild. Any failure but an error answer loses the process and raises `CompilerLost`."""

    def __init__(self, executable: Path, *, timeout_s: float, memory_bytes: int) -> None:
        argv = [str(executable), f"--service={PROTOCOL_VERSION}", "--ping"]
        limits = ResourceLimits(data_bytes=memory_bytes, open_files=_OPEN_FILES)
        try:
            child = spawn(argv, rlimits=limits)
        except SpawnFailed as error:
            raise CompilerLost(f"could not be started: {error}", None, "") from error
        self._channel: Final = Channel(child, timeout_s=timeout_s)
        self._buffer: Final = bytearray()
        self._requests = 0
        version = self._receive_version()
        if version != PROTOCOL_VERSION.encode():
            raise self.lost(f"speaks protocol {version!r:.40}, not {PROTOCOL_VERSION!r}")

    @property
    def pid(self) -> int:
        return self._channel.pid

    def request(self, value: Value, answer: Answer) -> Value:
        """Sends one request and gives its response; `answer` answers what esbuild asks in between.

        The time limit runs from here to the response.
        """
        self._channel.start_clock()
        request_id = self._requests
        self._requests += 1
        self._channel.send(encode_packet(Packet(request_id, False, value)))
        try:
            while True:
                replies = []
                while (frame := take_frame(self._buffer)) is not None:
                    packet = decode_packet(frame)
                    if not packet.is_response:
                        replies.append(_reply(packet, answer))
                    elif packet.id == request_id:
                        return packet.value
                    else:
                        raise WireError(f"a response to request {packet.id}, expected one to {request_id}")
                self._channel.send(b"".join(replies))
                self._buffer.extend(self._channel.receive())
        except WireError as error:
            raise self.lost(f"broke the protocol: {error}") from error

    def lost(self, detail: str) -> CompilerLost:
        """Kills the process; the error to raise."""
        return self._channel.lost(detail)

    def close(self) -> None:
        """Ends the process. Safe to call again."""
        self._channel.close()

    def _receive_version(self) -> bytes:
        try:
            while (frame := take_frame(self._buffer)) is None:
                self._buffer.extend(self._channel.receive())
        except WireError as error:
            raise self.lost(f"broke the protocol: {error}") from error
        return frame


def _reply(packet: Packet, answer: Answer) -> bytes:
    is_ping = field(packet.value, "command", str) == "ping"
    return encode_packet(Packet(packet.id, True, {} if is_ping else answer(packet.value)))
