"""The client against real processes that speak, or misspeak, the protocol."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_js.channel import Channel
from runtime_js.errors import CompilerLost
from runtime_js.lsp import (
    HEADER_BYTES,
    KEPT_BYTES,
    Frame,
    FrameSplitter,
    LanguageClient,
    LspError,
)
from sandbox.process import ResourceLimits, spawn

# What every server of these tests begins with.
PREAMBLE = """
import json, sys

def read():
    length = int(sys.stdin.buffer.readline().split(b":")[1])
    sys.stdin.buffer.readline()
    return json.loads(sys.stdin.buffer.read(length))

def write(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
    sys.stdout.buffer.flush()

def answer(request, result):
    write({"jsonrpc": "2.0", "id": request["id"], "result": result})

def log(text):
    write(b'{"jsonrpc":"2.0","method":"window/logMessage","params":{"message":"%s"}}' % text)
"""

# (server, what the client says of it); the client's request is `ask`.
MISBEHAVIOUR = [
    pytest.param(
        'write({"id": read()["id"], "error": {"code": -32603, "message": "it panicked"}})',
        "broke the protocol at ask: an error instead of an answer: it panicked",
        id="error",
    ),
    pytest.param(
        'read(); write({"id": 7, "result": 1})',
        'broke the protocol at ask: a message that answers nothing: b\'{"id": 7, "result": 1}\'',
        id="answer to another question",
    ),
    pytest.param(
        'read(); write({"id": 1})',
        "broke the protocol at ask: a message that answers nothing: b'{\"id\": 1}'",
        id="neither result nor error",
    ),
    pytest.param("read(); write([1])", "broke the protocol at ask: no JSON object: b'[1]'", id="no object"),
    pytest.param(
        'read(); write(b"nonsense")',
        "broke the protocol at ask: no JSON (Expecting value: line 1 column 1 (char 0)): b'nonsense'",
        id="no JSON",
    ),
    pytest.param(
        f'answer(read(), "x" * {KEPT_BYTES})',
        f"broke the protocol at ask: a frame of {KEPT_BYTES + 41} bytes, limit {KEPT_BYTES}",
        id="too large",
    ),
    pytest.param(
        'read(); print("Content-Length: 1073741825\\r\\n\\r\\n", end="", flush=True); read()',
        "broke the protocol at ask: a frame of 1073741825 bytes announced, limit 1073741824",
        id="far too large",
    ),
    pytest.param("read()", "ended", id="no answer at all"),
]

MESSAGES = st.lists(st.binary(max_size=40), max_size=5)
CUTS = st.lists(st.integers(0, 200))


def test_an_answer_is_the_result_whatever_was_said_before() -> None:
    server = """
    request = read()
    log(b"working")
    write({"method": "$/progress", "params": {}})
    answer(request, [request["method"], request["params"]])
    """
    with client(server) as asking:
        assert asking.request("ask", {"a": "é😀"}) == ["ask", {"a": "é😀"}]


def test_questions_of_the_server_are_answered() -> None:
    server = """
    first = read()
    said = []
    for number, (method, params) in enumerate([
        ("workspace/configuration", {"items": [{"section": "js/ts"}, {"section": "other"}, {}]}),
        ("client/registerCapability", {"registrations": []}),
        ("window/showMessageRequest", {}),
    ]):
        write({"jsonrpc": "2.0", "id": f"s{number}", "method": method, "params": params})
        said.append(read())
    answer(first, said)
    """
    with client(server, configuration={"js/ts": {"a": 1}}) as asking:
        assert asking.request("ask", None) == [
            {"jsonrpc": "2.0", "id": "s0", "result": [{"a": 1}, None, None]},
            {"jsonrpc": "2.0", "id": "s1", "result": None},
            {
                "jsonrpc": "2.0",
                "id": "s2",
                "error": {"code": -32601, "message": "no window/showMessageRequest here"},
            },
        ]


def test_notifications_leave_with_the_next_request_in_order() -> None:
    with client("seen = [read(), read(), read()]\nanswer(seen[2], [m['method'] for m in seen])") as asking:
        asking.notify("one", {})
        asking.notify("two", {})
        assert asking.request("ask", {}) == ["one", "two", "ask"]


def test_half_a_character_is_replaced_by_one_of_its_length() -> None:
    with client("request = read()\nanswer(request, request['params'])") as asking:
        assert asking.request("ask", "a\ud800b") == "a?b"


def test_a_server_that_writes_before_it_reads_blocks_nobody() -> None:
    server = """
    for _ in range(100):
        log(b"x" * 10_000)
    request = read()
    answer(request, len(request["params"]))
    """
    with client(server) as asking:
        assert asking.request("ask", "y" * 2**20) == 2**20


def test_of_an_answer_that_is_too_large_the_head_may_be_mended() -> None:
    server = 'request = read()\nanswer(request, ["x" * 100] * 100_000)'

    def mend(head: bytes) -> bytes:
        assert len(head) == KEPT_BYTES
        return head[: head.rindex(b", ")] + b"]}"

    with client(server) as asking:
        result = asking.request("ask", {}, mend=mend)
        assert isinstance(result, list)
        assert {len(item) for item in result} == {100}


@pytest.mark.parametrize(("server", "detail"), MISBEHAVIOUR)
def test_a_server_that_breaks_the_protocol_is_lost(server: str, detail: str) -> None:
    with client(server) as asking, pytest.raises(CompilerLost) as lost:
        asking.request("ask", {})

    assert str(lost.value) == detail


def test_a_server_that_is_silent_is_lost() -> None:
    with client("read(); read()", timeout_s=0.5) as asking, pytest.raises(CompilerLost) as lost:
        asking.request("ask", {})

    assert (str(lost.value), lost.value.exit_status) == ("did not finish within 0.5 s", -9)


@given(MESSAGES, CUTS)
def test_frames_do_not_depend_on_the_chunks(messages: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(b"Content-Length: %d\r\n\r\n" % len(message) + message for message in messages)
    ends = sorted({min(cut, len(stream)) for cut in cuts} | {0, len(stream)})
    splitter = FrameSplitter()

    found = [frame for start, end in pairwise(ends) for frame in splitter.feed(stream[start:end])]

    assert found == [Frame(message, len(message)) for message in messages]


def test_of_a_large_frame_only_the_head_is_kept() -> None:
    size = KEPT_BYTES + 5
    stream = b"Content-Length: %d\r\n\r\n" % size + b"x" * size + b"Content-Length: 2\r\n\r\n{}"

    assert list(FrameSplitter().feed(stream)) == [Frame(b"x" * KEPT_BYTES, size), Frame(b"{}", 2)]


@pytest.mark.parametrize(
    "header",
    [b"\r\n\r\n", b"Content-Length: -1\r\n\r\n", b"Content-Length: 1e3\r\n\r\n", b"x" * (HEADER_BYTES + 1)],
)
def test_what_is_no_header_is_refused(header: bytes) -> None:
    with pytest.raises(LspError, match=r"^no header: "):
        list(FrameSplitter().feed(header))


def test_json_that_is_too_deep_is_refused() -> None:
    body = b'{"a":' + b"[" * 100_000

    with pytest.raises(LspError, match=r"^no JSON "):
        Frame(body, len(body)).message()


@contextmanager
def client(
    server: str, *, configuration: dict[str, object] | None = None, timeout_s: float = 60
) -> Iterator[LanguageClient]:
    """A client of a process that runs `server`."""
    argv = [sys.executable, "-I", "-c", PREAMBLE + dedent(server)]
    channel = Channel(spawn(argv, rlimits=ResourceLimits()), timeout_s=timeout_s)
    try:
        yield LanguageClient(channel, configuration=configuration or {})
    finally:
        channel.close()
