"""The host's side of decoding: any bytes become a message or `WorkerBrokeProtocol`.

Nothing is believed: heads are small and shallow before they are parsed, every field has its type and its
bound, and what is too much is refused, not cut. Values stay text.
"""

import json
from typing import Any, Final, Literal, NamedTuple

from sandbox.errors import WorkerBrokeProtocol
from sandbox.outcome import GuestError, LogLine
from sandbox.program import Call
from sandbox.protocol import HEAD_BYTES, LOG_LEVELS

__all__ = [
    "VALUE_DEPTH",
    "Called",
    "EndedRun",
    "Fatal",
    "Logged",
    "Message",
    "Ready",
    "Waiting",
    "decode",
    "is_deeper",
    "max_body_bytes",
]

VALUE_DEPTH: Final = 65  # an array of arguments, each nested 64 deep

_HEAD_DEPTH: Final = 4
_DECODER: Final = json.JSONDecoder()
_TEXT_CHARS: Final = 32 * 2**10
_LARGEST_SIZE: Final = 2**53  # more is no size of anything, and no float

Verdict = Literal["ended", "never-settled", "out-of-memory", "threw"]
_VERDICTS: Final = ("ended", "never-settled", "out-of-memory", "threw")


class Ready(NamedTuple):
    seccomp: bool
    no_new_privs: bool
    rlimits: bool
    reason: str


class Called(NamedTuple):
    call: Call
    oversize_bytes: int | None  # set instead of the call's arguments
    too_deep: bool  # nested deeper than `VALUE_DEPTH`
    is_started: bool = False  # the program does not wait for the answer


class Waiting(NamedTuple):
    """The program can go on only when a call that it started is complete."""


class Logged(NamedTuple):
    line: LogLine


class EndedRun(NamedTuple):
    verdict: Verdict
    error: GuestError | None
    ceiling: str | None  # "value" or "memory" where the error reports that ceiling


class Fatal(NamedTuple):
    reason: str


Message = Ready | Called | Waiting | Logged | EndedRun | Fatal


def max_body_bytes(value_bytes: int) -> int:
    """No body of a worker is larger."""
    return HEAD_BYTES + 1 + value_bytes


def decode(body: bytes) -> Message:
    """The message in `body`. Raises `WorkerBrokeProtocol`, and nothing else whatever the bytes are."""
    head, newline, value = body.partition(b"\n")
    message = _parse_head(head)
    kind = message.get("type")
    if kind in ("called", "started"):
        return _called(message, value if newline else None, is_started=kind == "started")
    if newline:
        raise WorkerBrokeProtocol(f"a value after a {_shown(kind)} message")
    match kind:
        case "logged":
            return _logged(message)
        case "waiting":
            return Waiting()
        case "ended":
            return _ended(message)
        case "ready":
            return _ready(message)
        case "fatal":
            return Fatal(_text(message, "reason"))
        case _:
            raise WorkerBrokeProtocol(f"a message of type {_shown(kind)}")


def is_deeper(text: bytes, depth: int) -> bool:
    """Whether the JSON in `text` nests deeper than `depth`, by the count of brackets outside strings.

    Needs no recursion and no stack: it peels innermost pairs, `depth` times at most. Text that is no JSON
    may be called deeper.
    """
    if text.count(b"[") + text.count(b"{") <= depth:
        return False
    brackets = _without_strings(text).translate(_BRACES_AS_BRACKETS, _ALL_BUT_BRACKETS)
    for _ in range(depth):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)


_ALL_BUT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_BRACES_AS_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")


def _without_strings(text: bytes) -> bytes:
    # Escapes first, so that every quotation mark left begins or ends a string.
    return b"".join(text.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])


def _parse_head(head: bytes) -> dict[str, Any]:
    if len(head) > HEAD_BYTES:
        raise WorkerBrokeProtocol(f"a head of {len(head):,} bytes, limit {HEAD_BYTES:,}")
    if is_deeper(head, _HEAD_DEPTH):
        raise WorkerBrokeProtocol(f"a head nested deeper than {_HEAD_DEPTH}")
    try:
        text = head.decode()
        message, end = _DECODER.raw_decode(text)
    except UnicodeDecodeError:
        raise WorkerBrokeProtocol("a head that is no UTF-8") from None
    except ValueError as error:
        raise WorkerBrokeProtocol(f"a head that is no JSON: {_shown(str(error))}") from None
    if not isinstance(message, dict) or end < len(text):
        raise WorkerBrokeProtocol("a head that is no object")
    return message


def _called(message: dict[str, Any], value: bytes | None, *, is_started: bool) -> Called:
    operation, stack = _text(message, "operation"), _text(message, "stack")
    if value is None:
        size = message.get("bytes")
        if type(size) is not int or not 0 <= size <= _LARGEST_SIZE:
            raise WorkerBrokeProtocol("a call without arguments and without their size")
        return Called(Call(operation, "", stack), size, False, is_started)
    try:
        call = Call(operation, value.decode(), stack)
    except UnicodeDecodeError:
        raise WorkerBrokeProtocol("arguments that are not UTF-8") from None
    return Called(call, None, is_deeper(value, VALUE_DEPTH), is_started)


def _logged(message: dict[str, Any]) -> Logged:
    level = message.get("level")
    if not isinstance(level, str) or level not in LOG_LEVELS:
        raise WorkerBrokeProtocol(f"a log level {_shown(level)}")
    return Logged(LogLine(level, _text(message, "text")))


def _ended(message: dict[str, Any]) -> EndedRun:
    outcome = message.get("outcome")
    if not isinstance(outcome, dict) or outcome.get("kind") not in _VERDICTS:
        raise WorkerBrokeProtocol("an end without a known outcome")
    verdict: Verdict = outcome["kind"]
    if verdict != "threw":
        return EndedRun(verdict, None, None)
    error = outcome.get("error")
    if not isinstance(error, dict):
        raise WorkerBrokeProtocol("a thrown error without its description")
    described = GuestError(
        name=_text(error, "name"),
        message=_text(error, "message"),
        stack=_text(error, "stack"),
        code=_optional_text(error, "code"),
        operation=_optional_text(error, "operation"),
        is_error=_flag(error, "isError"),
    )
    return EndedRun(verdict, described, _optional_text(error, "ceiling"))


def _ready(message: dict[str, Any]) -> Ready:
    found = message.get("confinement")
    if not isinstance(found, dict):
        raise WorkerBrokeProtocol("a ready message without its confinement")
    return Ready(
        seccomp=_flag(found, "seccomp"),
        no_new_privs=_flag(found, "no_new_privs"),
        rlimits=_flag(found, "rlimits"),
        reason=_text(found, "reason"),
    )


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or len(value) > _TEXT_CHARS:
        raise WorkerBrokeProtocol(f"a field {name!r} that is no text of at most {_TEXT_CHARS:,} characters")
    return value


def _flag(fields: dict[str, Any], name: str) -> bool:
    value = fields.get(name)
    if not isinstance(value, bool):
        raise WorkerBrokeProtocol(f"a field {name!r} that is no truth value")
    return value


def _optional_text(fields: dict[str, Any], name: str) -> str | None:
    return None if fields.get(name) is None else _text(fields, name)


def _shown(value: object) -> str:
    return repr(value)[:80]
