"""The packets of esbuild's service protocol, which its own JavaScript API speaks over the same two pipes.

    stream   = frame(version) frame(packet)*
    frame    = u32 length, bytes
    packet   = u32 id * 2 + is_response, value
    value    = 0 | 1 bool | 2 u32 | 3 string | 4 bytes | 5 u32 count, values | 6 u32 count, (string, value)*

Numbers are little endian; strings and bytes carry a u32 length; strings are UTF-8. Decoding trusts nothing:
what is no packet raises `WireError`, and so does a field that is not of the type its reader expects. A packet
with an array of more than 1,000 values is cut after them: a text may have more errors than anybody reads.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

__all__ = ["Packet", "Value", "WireError", "decode_packet", "encode_packet", "field", "take_frame"]

Value: TypeAlias = "bool | int | str | bytes | Sequence[Value] | Mapping[str, Value] | None"

_MAX_FRAME_BYTES: Final = 256 * 2**20
_MAX_DEPTH: Final = 32  # esbuild nests five deep
_MAX_ITEMS: Final = 1_000

_NULL, _BOOL, _INT, _STRING, _BYTES, _ARRAY, _OBJECT = range(7)
_U32: Final = struct.Struct("<I")
_TAGGED: Final = struct.Struct("<BI")
_HEAD: Final = struct.Struct("<II")

T = TypeVar("T")


class WireError(ValueError):
    """Bytes that are no packet, or a packet that is not the expected one."""


@dataclass(frozen=True)
class Packet:
    """One message. `id` pairs a response with its request; each side counts its own requests."""

    id: int
    is_response: bool
    value: Value


def encode_packet(packet: Packet) -> bytes:
    """The framed packet. Of a number the lowest 32 bits are sent; a string must be encodable as UTF-8."""
    parts: list[bytes] = []
    _encode(packet.value, parts)
    body = b"".join(parts)
    return _HEAD.pack(len(body) + 4, packet.id << 1 | packet.is_response) + body


def decode_packet(frame: bytes) -> Packet:
    """The packet in the bytes of a frame."""
    try:
        (head,) = _U32.unpack_from(frame)
        value, end = _decode(frame, 4, _MAX_DEPTH)
    except _Cut as cut:
        value, end = cut.value, len(frame)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise WireError(f"no packet: {error}") from error
    if end != len(frame):
        raise WireError(f"no packet: {len(frame) - end} bytes too many")
    return Packet(head >> 1, bool(head & 1), value)


def take_frame(buffer: bytearray) -> bytes | None:
    """Removes the first frame from `buffer` and gives its bytes; None while it is incomplete."""
    if len(buffer) < 4:
        return None
    (length,) = _U32.unpack_from(buffer)
    if length > _MAX_FRAME_BYTES:
        raise WireError(f"a frame of {length} bytes, limit {_MAX_FRAME_BYTES}")
    if len(buffer) < 4 + length:
        return None
    frame = bytes(memoryview(buffer)[4 : 4 + length])
    del buffer[: 4 + length]
    return frame


def field(value: Value, name: str, kind: type[T]) -> T:
    """The field `name` of an object, which must be of type `kind`."""
    found = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(found, kind):
        raise WireError(f"field {name!r} is {found!r:.80}, not {kind.__name__}")
    return found


class _Cut(Exception):
    """Ends the decoding of a packet; carries what was decoded of it."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


def _encode(value: Value, parts: list[bytes]) -> None:
    match value:
        case None:
            parts.append(b"\0")
        case bool():
            parts.append(b"\1\1" if value else b"\1\0")
        case int():
            parts.append(_TAGGED.pack(_INT, value & 0xFFFFFFFF))
        case str():
            text = value.encode()
            parts += (_TAGGED.pack(_STRING, len(text)), text)
        case bytes():
            parts += (_TAGGED.pack(_BYTES, len(value)), value)
        case Mapping():
            parts.append(_TAGGED.pack(_OBJECT, len(value)))
            for key, item in value.items():
                name = key.encode()
                parts += (_U32.pack(len(name)), name)
                _encode(item, parts)
        case _:
            parts.append(_TAGGED.pack(_ARRAY, len(value)))
            for item in value:
                _encode(item, parts)


def _decode(frame: bytes, at: int, depth: int) -> tuple[Value, int]:
    tag = frame[at]
    at += 1
    if tag == _NULL:
        return None, at
    if tag == _BOOL:
        return bool(frame[at]), at + 1
    (number,) = _U32.unpack_from(frame, at)
    at += 4
    if tag == _INT:
        return number, at
    if tag == _STRING:
        return _slice(frame, at, number).decode(), at + number
    if tag == _BYTES:
        return _slice(frame, at, number), at + number
    if depth == 0:
        raise WireError(f"no packet: values nested deeper than {_MAX_DEPTH}")
    if tag == _ARRAY:
        items: list[Value] = []
        try:
            for _ in range(min(number, _MAX_ITEMS)):
                item, at = _decode(frame, at, depth - 1)
                items.append(item)
        except _Cut as cut:
            raise _Cut([*items, cut.value]) from None
        if number > _MAX_ITEMS:
            raise _Cut(items)
        return items, at
    if tag == _OBJECT:
        fields: dict[str, Value] = {}
        for _ in range(number):
            (length,) = _U32.unpack_from(frame, at)
            key = _slice(frame, at + 4, length).decode()
            try:
                fields[key], at = _decode(frame, at + 4 + length, depth - 1)
            except _Cut as cut:
                raise _Cut({**fields, key: cut.value}) from None
        return fields, at
    raise WireError(f"no packet: unknown tag {tag}")


def _slice(frame: bytes, at: int, length: int) -> bytes:
    if at + length > len(frame):
        raise WireError("no packet: it ends within a value")
    return frame[at : at + length]
