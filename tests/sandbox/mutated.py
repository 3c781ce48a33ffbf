"""Frames of the protocol, and what becomes of them when they are damaged at random.

Standard library only: a script without site-packages imports it as well.
"""

import json
import random
from collections.abc import Callable
from typing import Final

LENGTH_BYTES: Final = 4
MOST_BYTES: Final = 200_000

_TOKENS: Final = (
    b"",
    b"null",
    b"true",
    b"-1",
    b"1e400",
    b"NaN",
    b"-Infinity",
    b"9" * 5_000,
    b'"' + b"x" * 40_000 + b'"',
    b'"\\ud800"',
    b'"\\u0000\x1b[2J"',
    b"[" * 3_000,
    b'{"a":' * 3_000,
    b"[" * 60 + b"]" * 60,
    b"{}",
    b'{"kind":"threw","error":{}}',
    b"\n",
    b"\\",
    b'"',
    b"\x00" * 9,
    b"\xff\xfe",
    b"\xed\xa0\x80",
)


def framed(head: dict[str, object], value: bytes | None = None) -> bytes:
    """One frame as the protocol has it."""
    body = json.dumps(head).encode()
    body = body if value is None else body + b"\n" + value
    return len(body).to_bytes(LENGTH_BYTES) + body


_ERROR: Final = {"name": "E", "message": "m", "stack": "at x (program.js:1:1)", "isError": True}
_CONFINED: Final = {"seccomp": True, "no_new_privs": True, "rlimits": True, "reason": ""}

FROM_WORKERS: Final = (
    framed({"type": "ready", "confinement": _CONFINED}),
    framed({"type": "called", "operation": "views.open_text", "stack": "s"}, b'["a",{"b":[1,2.5,null]}]'),
    framed({"type": "called", "operation": "a.b", "stack": "", "bytes": 99_999_999}),
    framed({"type": "started", "operation": "tools.git.status", "stack": "s"}, b'[{"path":"."}]'),
    framed({"type": "started", "operation": "a.b", "stack": "", "bytes": 99_999_999}),
    framed({"type": "waiting"}),
    framed({"type": "logged", "level": "log", "text": "a line"}),
    framed({"type": "ended", "outcome": {"kind": "ended"}}),
    framed({"type": "ended", "outcome": {"kind": "never-settled"}}),
    framed({"type": "ended", "outcome": {"kind": "threw", "error": _ERROR}}),
    framed(
        {"type": "ended", "outcome": {"kind": "threw", "error": {**_ERROR, "code": "x", "ceiling": "value"}}}
    ),
    framed({"type": "fatal", "reason": "r"}),
)


def mutated(frame: bytes, chance: random.Random) -> bytes:
    """The frame, damaged in one to four ways; its length is that of the body unless that is the damage."""
    body = frame[LENGTH_BYTES:]
    for _ in range(chance.randint(1, 4)):
        body = chance.choice(_DAMAGES)(body, chance)[:MOST_BYTES]
    return _length(body, chance) + body


def _length(body: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.8:
        return len(body).to_bytes(LENGTH_BYTES)
    lie = chance.choice((0, 1, len(body) - 1, len(body) + 1, 2**31, 2**32 - 1, chance.randrange(2**32)))
    return max(lie, 0).to_bytes(LENGTH_BYTES)


def _flip(body: bytes, chance: random.Random) -> bytes:
    found = bytearray(body or b"x")
    for _ in range(chance.randint(1, 8)):
        found[chance.randrange(len(found))] = chance.randrange(256)
    return bytes(found)


def _cut(body: bytes, chance: random.Random) -> bytes:
    return body[: chance.randint(0, len(body))]


def _insert(body: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(body))
    return body[:at] + chance.choice(_TOKENS) + body[at:]


def _replace_value(body: bytes, chance: random.Random) -> bytes:
    """Another value after one of the colons."""
    places = [at for at in range(len(body)) if body[at : at + 1] == b":"]
    if not places:
        return _insert(body, chance)
    start = chance.choice(places) + 1
    ends = [at for at in range(start, len(body)) if body[at : at + 1] in b",}\n"]
    end = ends[0] if ends else len(body)
    return body[:start] + chance.choice(_TOKENS) + body[end:]


def _repeat(body: bytes, chance: random.Random) -> bytes:
    start = chance.randint(0, len(body))
    end = chance.randint(start, len(body))
    return body[:end] + body[start:end] * chance.choice((1, 2, 50, 3_000)) + body[end:]


def _splice(body: bytes, chance: random.Random) -> bytes:
    other = chance.choice(FROM_WORKERS)[LENGTH_BYTES:]
    return body[: chance.randint(0, len(body))] + other[chance.randint(0, len(other)) :]


_DAMAGES: Final[tuple[Callable[[bytes, random.Random], bytes], ...]] = (
    _flip,
    _cut,
    _insert,
    _replace_value,
    _replace_value,
    _repeat,
    _splice,
)
