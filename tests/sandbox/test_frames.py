"""Decoding what a worker sent: any bytes become a message or `WorkerBrokeProtocol`, and nothing else."""

import json
from contextlib import suppress
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox import Call, GuestError, LogLine, WorkerBrokeProtocol
from sandbox.frames import Called, EndedRun, Fatal, Logged, Message, Ready, Waiting, decode, is_deeper
from sandbox.protocol import HEAD_BYTES, LENGTH_BYTES, LOG_LEVELS, frame

TEXT: Final = st.text(st.characters(), max_size=50)  # lone surrogates and NUL among them
JSON: Final[st.SearchStrategy[Any]] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
TYPES: Final = ("ready", "called", "started", "waiting", "logged", "ended", "fatal")
FIELDS: Final = ("operation", "stack", "bytes", "level", "text", "outcome", "confinement", "reason")
NEAR: Final = st.fixed_dictionaries({"type": st.sampled_from(TYPES)}, optional=dict.fromkeys(FIELDS, JSON))

ERROR: Final = {"name": "E", "message": "m", "stack": "s", "isError": True}
GOOD: Final[list[tuple[object, bytes | None, Message]]] = [
    (
        {"type": "called", "operation": "a.b", "stack": "s"},
        b'["x"]\n[]',
        Called(Call("a.b", '["x"]\n[]', "s"), None, False),
    ),
    (
        {"type": "called", "operation": "a.b", "stack": "s", "bytes": 9},
        None,
        Called(Call("a.b", "", "s"), 9, False),
    ),
    (
        {"type": "started", "operation": "a.b", "stack": "s"},
        b'["x"]\n[]',
        Called(Call("a.b", '["x"]\n[]', "s"), None, False, True),
    ),
    (
        {"type": "started", "operation": "a.b", "stack": "s", "bytes": 9},
        None,
        Called(Call("a.b", "", "s"), 9, False, True),
    ),
    ({"type": "waiting"}, None, Waiting()),
    ({"type": "logged", "level": "warn", "text": "a\n"}, None, Logged(LogLine("warn", "a\n"))),
    ({"type": "ended", "outcome": {"kind": "ended"}}, None, EndedRun("ended", None, None)),
    ({"type": "ended", "outcome": {"kind": "never-settled"}}, None, EndedRun("never-settled", None, None)),
    (
        {"type": "ended", "outcome": {"kind": "threw", "error": ERROR}},
        None,
        EndedRun("threw", GuestError("E", "m", "s", None, None, True), None),
    ),
    ({"type": "fatal", "reason": "r"}, None, Fatal("r")),
    (
        {
            "type": "ready",
            "confinement": {"seccomp": True, "no_new_privs": True, "rlimits": True, "reason": ""},
        },
        None,
        Ready(True, True, True, ""),
    ),
]

BAD: Final[list[tuple[bytes, str]]] = [
    (b"", "a head that is no JSON: 'Expecting value: line 1 column 1 (char 0)'"),
    (b"\xff{}", "a head that is no UTF-8"),
    (b"[]", "a head that is no object"),
    (b'{"type":"fatal","reason":""} x', "a head that is no object"),
    (b'{"type":"run"}', "a message of type 'run'"),
    (b'{"type":[1]}', "a message of type [1]"),
    (b'{"type":"logged","level":"log","text":"x"}\nvalue', "a value after a 'logged' message"),
    (b'{"type":"waiting"}\n1', "a value after a 'waiting' message"),
    (b'{"type":["started"]}\n[]', "a value after a ['started'] message"),
    (b'{"type":"started","operation":"x","stack":""}', "a call without arguments and without their size"),
    (b'{"type":"started","operation":"x","stack":""}\n\xff', "arguments that are not UTF-8"),
    (b'{"type":"logged","level":"shout","text":"x"}', "a log level 'shout'"),
    (
        b'{"type":"logged","level":"log","text":7}',
        "a field 'text' that is no text of at most 32,768 characters",
    ),
    (b'{"type":"called","operation":"x","stack":""}', "a call without arguments and without their size"),
    (
        b'{"type":"called","operation":"x","stack":"","bytes":true}',
        "a call without arguments and without their size",
    ),
    (
        b'{"type":"called","operation":"x","stack":"","bytes":1%b}' % (b"0" * 400),
        "a call without arguments and without their size",
    ),
    (b'{"type":"called","operation":"x","stack":""}\n\xff', "arguments that are not UTF-8"),
    (b'{"type":"ended","outcome":{"kind":"finished"}}', "an end without a known outcome"),
    (b'{"type":"ended","outcome":{"kind":["threw"]}}', "an end without a known outcome"),
    (b'{"type":"ended","outcome":{"kind":"threw"}}', "a thrown error without its description"),
    (b'{"type":"ready","confinement":{"seccomp":1}}', "a field 'seccomp' that is no truth value"),
    (b"[" * 200_000, "a head nested deeper than 4"),
    (b'{"a":' * 5 + b"1" + b"}" * 5, "a head nested deeper than 4"),
    (b'"' + b"x" * HEAD_BYTES + b'"', f"a head of {HEAD_BYTES + 2:,} bytes, limit {HEAD_BYTES:,}"),
    (b"1" * 10_000, None),  # type: ignore[list-item] # the wording is Python's
]


@pytest.mark.parametrize(("head", "value", "expected"), GOOD)
def test_message(head: object, value: bytes | None, expected: Message) -> None:
    framed = frame(json.dumps(head).encode(), value)

    assert int.from_bytes(framed[:LENGTH_BYTES]) == len(framed) - LENGTH_BYTES
    assert decode(framed[LENGTH_BYTES:]) == expected


@pytest.mark.parametrize(("body", "detail"), BAD)
def test_broken(body: bytes, detail: str | None) -> None:
    with pytest.raises(WorkerBrokeProtocol) as caught:
        decode(body)

    assert detail is None or caught.value.detail == detail


@given(st.binary(max_size=300))
def test_any_bytes_decode_or_break_the_protocol(body: bytes) -> None:
    assert_decodes_or_breaks(body)


@given(NEAR, st.none() | st.binary(max_size=50))
def test_near_messages_decode_or_break_the_protocol(head: dict[str, Any], value: bytes | None) -> None:
    assert_decodes_or_breaks(frame(json.dumps(head).encode(), value)[LENGTH_BYTES:])


@given(TEXT, TEXT, JSON, st.booleans())
def test_a_call_comes_through_whole(operation: str, stack: str, arguments: object, is_started: bool) -> None:
    head = {"type": "started" if is_started else "called", "operation": operation, "stack": stack}
    value = json.dumps([arguments])

    assert decode(frame(json.dumps(head).encode(), value.encode())[LENGTH_BYTES:]) == Called(
        Call(operation, value, stack), None, False, is_started
    )


@given(st.sampled_from(sorted(LOG_LEVELS)), TEXT)
def test_a_line_comes_through_whole(level: str, text: str) -> None:
    body = json.dumps({"type": "logged", "level": level, "text": text}).encode()

    assert decode(body) == Logged(LogLine(level, text))


@given(JSON, st.integers(0, 6))
def test_depth_is_that_of_the_value(value: object, depth: int) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        assert is_deeper(text.encode("utf-8", "surrogatepass"), depth) == (depth_of(value) > depth)


@pytest.mark.parametrize(
    ("text", "depth", "deeper"),
    [
        (b"[" * 65 + b"]" * 65, 65, False),
        (b"[" * 66 + b"]" * 66, 65, True),
        (b'[{"[[[[":"]\\"[[{"}]', 2, False),
        (b"[" + b"[]," * 100_000 + b"[]]", 2, False),
        (b"[" * 1_000_000, 65, True),
        (b"[}" * 50, 65, False),
        (b"]" * 100, 65, False),
    ],
)
def test_depth_of_large_and_broken_text(text: bytes, depth: int, deeper: bool) -> None:
    assert is_deeper(text, depth) == deeper


def depth_of(value: object) -> int:
    match value:
        case dict():
            return 1 + max(map(depth_of, value.values()), default=0)
        case list():
            return 1 + max(map(depth_of, value), default=0)
        case _:
            return 0


def assert_decodes_or_breaks(body: bytes) -> None:
    with suppress(WorkerBrokeProtocol):
        decode(body)
