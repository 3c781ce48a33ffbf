"""Calls of real servers over stdio, well-behaved and not."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from host.core.errors import Refusal
from host.tools.servers import Servers, UnusableTool
from tests.helpers.mcp_servers import ENVIRON, call, good_spec, raw_spec, tool_of
from tests.helpers.processes import resident_bytes


@pytest.fixture(scope="module")
def good() -> Iterator[Servers]:
    with Servers.start([good_spec()], ENVIRON) as servers:
        yield servers


@pytest.fixture(scope="module")
def raw() -> Iterator[Servers]:
    """For calls that it survives."""
    with Servers.start([raw_spec()], ENVIRON) as servers:
        yield servers


@pytest.fixture
def doomed() -> Iterator[Servers]:
    """For one test alone, beside another server."""
    with Servers.start([raw_spec(), raw_spec(name="other")], ENVIRON) as servers:
        yield servers


def refused(function: Callable[[], object]) -> tuple[str, str, str]:
    with pytest.raises(Refusal) as caught:
        function()
    return caught.value.code, caught.value.kind, caught.value.message


def test_a_server_of_the_official_library(good: Servers) -> None:
    add = tool_of(good, "add")

    assert (add.namespace, add.name, add.is_local, add.timeout_s) == ("good", "add", False, 60.0)
    assert add.description == "Adds two numbers.\n\nThe second may be left out."
    assert add.returns is not None
    assert call(good, "add", a=2**70, b=1).value == {"total": 2**70 + 1, "parts": [2**70, 1]}
    assert call(good, "repeat", text="ä😀", times=2).value == "ä😀ä😀"
    assert [image.label for image in call(good, "picture").attachments] == [
        "good.picture 1",
        "good.picture 2",
    ]
    assert refused(lambda: call(good, "fail", text="no\nway")) == (
        "io-error",
        "tool",
        "Error executing tool fail: no\nway",
    )


def test_a_large_result_arrives_whole(good: Servers) -> None:
    assert call(good, "repeat", text="0123456789", times=50_000).value == "0123456789" * 50_000


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell it elsewhere")
def test_the_environment_of_a_server_holds_nothing_else(raw: Servers) -> None:
    assert call(raw, "environment").value == "PATH=/usr/bin:/bin\0"


def test_calls_of_one_server_run_at_the_same_time(good: Servers, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    meet = tool_of(good, "meet")

    reading, writing = (good.begin(meet, meet.bind({"pipe": str(pipe), "mode": mode})) for mode in "rw")

    assert [reading.result().value, writing.result().value] == ["opened to r", "opened to w"]


@pytest.mark.slow
def test_the_operator_is_told_what_a_server_says() -> None:
    lines: list[tuple[str, str]] = []
    with Servers.start(
        [good_spec()], ENVIRON, on_log=lambda server, line: lines.append((server, line))
    ) as servers:
        value = call(servers, "confide").value

    assert value == "MCPError: List roots not supported"
    assert ("good", "a line on stderr") in lines
    assert ("good", "warning: a message of the log") in lines


ASKED = [
    pytest.param("ping", {}, {"result": {}}, id="ping"),
    pytest.param("roots/list", {}, {"code": -32600, "message": "List roots not supported"}, id="roots"),
    pytest.param(
        "sampling/createMessage",
        {"messages": [], "maxTokens": 1},
        {"code": -32600, "message": "Sampling not supported"},
        id="sampling",
    ),
    pytest.param(
        "elicitation/create",
        {"message": "?", "requestedSchema": {"type": "object", "properties": {}}},
        {"code": -32600, "message": "Elicitation not supported"},
        id="elicitation",
    ),
    pytest.param(
        "own/thing", {}, {"code": -32601, "message": "Method not found", "data": "own/thing"}, id="own"
    ),
]


@pytest.mark.parametrize(("method", "params", "answer"), ASKED)
def test_what_a_server_asks_for_is_declined(
    raw: Servers, method: str, params: dict[str, Any], answer: dict[str, Any]
) -> None:
    call(raw, "asks", method=method, params=params)
    call(raw, "pid")  # by now the answer is there

    got = json.loads(str(call(raw, "replies").value))[-1]

    assert got.get("error", {"result": got.get("result")}) == answer


VALUES = [
    pytest.param('{"n": 9223372036854775808, "f": 1.0}', {"n": 2**63, "f": 1.0}, id="a large number"),
    pytest.param('{"t": "\\ud83d cut"}', {"t": "\ufffd cut"}, id="half a character"),
    pytest.param('{"t": "\\u0000\\u001b"}', {"t": "\0\x1b"}, id="control characters"),
]


@pytest.mark.parametrize(("written", "value"), VALUES)
def test_values_arrive_exactly(raw: Servers, written: str, value: object) -> None:
    assert call(raw, "value", json=written).value == value


UNREADABLE = [
    pytest.param(
        "value",
        {"json": '{"n": 1e400}'},
        "raw.value gave a number that JSON does not have, at n.",
        id="infinity",
    ),
    pytest.param(
        "value", {"json": '{"n": NaN}'}, "raw.value gave a number that JSON does not have, at n.", id="nan"
    ),
    pytest.param(
        "value",
        {"json": "{no}"},
        "raw.value failed: the server gave an answer that cannot be read: Invalid JSON: key must be a string"
        " at line 1 column 70.",
        id="no JSON",
    ),
    pytest.param(
        "value",
        {"json": "[1]"},
        "raw.value answered with what is no result: structuredContent: Input should be a valid dictionary.",
        id="no object",
    ),
    pytest.param(
        "content",
        {"content": [{"type": "hologram"}]},
        "raw.content answered with what is no result: content.0.TextContent.text: Field required.",
        id="unknown content",
    ),
    pytest.param(
        "error", {"code": -32000, "message": "down\x1b"}, "raw.error failed: down\\u001b (-32000)", id="error"
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "message"), UNREADABLE)
def test_an_answer_that_is_none_fails_its_call(
    raw: Servers, tool: str, arguments: dict[str, object], message: str
) -> None:
    code, _, told = refused(lambda: call(raw, tool, **arguments))

    assert (code, told) == ("io-error", message)


def test_arguments_that_a_server_refuses_are_invalid(raw: Servers) -> None:
    assert refused(lambda: call(raw, "error", code=-32602, message="no such table")) == (
        "invalid-argument",
        "tool",
        "raw.error: no such table",
    )


@pytest.mark.parametrize("place", ["first", "last"])
def test_a_result_that_is_too_large_is_not_kept_and_the_server_goes_on(raw: Servers, place: str) -> None:
    assert refused(lambda: call(raw, "huge", size=40_000_000, id=place)) == (
        "limit-exceeded",
        "tool_size",
        "The result of raw.huge is too large: 38.1 MiB, limit 8 MiB.",
    )
    assert call(raw, "long_lines", count=2).value == "after"


@pytest.mark.slow
def test_a_call_that_hangs_is_canceled_and_the_server_goes_on(tmp_path: Path) -> None:
    with Servers.start([raw_spec(timeout_s=1.5)], ENVIRON) as servers:
        told = refused(lambda: call(servers, "hang", folder=str(tmp_path)))

        assert told == (
            "limit-exceeded",
            "tool_time",
            "raw.hang did not answer within 1.5 s and was canceled.",
        )
        assert _canceled(servers) == [int((tmp_path / "began").read_text())]


def test_a_canceled_future_cancels_the_call(raw: Servers, tmp_path: Path) -> None:
    began = tmp_path / "began"
    os.mkfifo(began)
    hang = tool_of(raw, "hang")
    future = raw.begin(hang, hang.bind({"folder": str(tmp_path)}))
    request = int(began.read_text())  # the server has it

    assert future.cancel()
    assert _canceled(raw)[-1] == request


def _canceled(servers: Servers) -> list[int]:
    seen = json.loads(str(call(servers, "seen").value))
    return [each["params"]["requestId"] for each in seen if each["method"] == "notifications/cancelled"]


ENDINGS = [
    pytest.param({"status": 3}, "ended with exit status 3", id="exit status"),
    pytest.param({"signal": signal.SIGSEGV.value}, "ended by signal 11", id="signal"),
]


@pytest.mark.parametrize(("arguments", "ended"), ENDINGS)
def test_a_server_that_dies_fails_its_calls_and_is_started_again(
    doomed: Servers, tmp_path: Path, arguments: dict[str, object], ended: str
) -> None:
    began = tmp_path / "began"
    os.mkfifo(began)
    hang = tool_of(doomed, "hang", server="raw")
    waiting = doomed.begin(hang, hang.bind({"folder": str(tmp_path)}))
    assert began.read_text()  # the server has it
    elsewhere = tool_of(doomed, "pid", server="other")
    pid, other_pid = call(doomed, "pid").value, doomed.call(elsewhere, {}).value

    told = refused(lambda: call(doomed, "die", **arguments))

    words = f"was not answered: the server `raw` {ended}; its last line on stderr is `going down`."
    assert told == ("io-error", "server_ended", f"raw.die {words}")
    assert refused(waiting.result) == ("io-error", "server_ended", f"raw.hang {words}")
    assert call(doomed, "pid").value != pid
    assert doomed.call(elsewhere, {}).value == other_pid


@pytest.mark.slow
def test_a_server_has_died_whoever_holds_its_pipes() -> None:
    with Servers.start([raw_spec("stubborn")], ENVIRON) as servers:
        pid = call(servers, "pid").value
        told = refused(lambda: call(servers, "die"))  # and leaves a child, which has the same stdout

        assert told[:2] == ("io-error", "server_ended")
        assert call(servers, "pid").value != pid


def test_a_server_is_started_again_three_times() -> None:
    lines: list[str] = []
    with Servers.start([raw_spec()], ENVIRON, on_log=lambda server, line: lines.append(line)) as servers:
        for _ in range(4):
            refused(lambda: call(servers, "die"))
        told = refused(lambda: call(servers, "pid"))

    assert told == (
        "io-error",
        "server_ended",
        "raw.pid cannot be called: the server `raw` ended with exit status 3, after 3 more starts,"
        " its limit.",
    )
    assert [line for line in lines if "again" in line] == [
        f"ended with exit status 3; it is started again ({number} of 3)" for number in (1, 2, 3)
    ]


def test_a_server_that_cannot_be_started_again_says_why(tmp_path: Path) -> None:
    with Servers.start([raw_spec("once", str(tmp_path / "mark"))], ENVIRON) as servers:
        refused(lambda: call(servers, "die"))
        told = refused(lambda: call(servers, "pid"))

    assert told == (
        "io-error",
        "server_ended",
        "raw.pid cannot be called: the server `raw` ended with exit status 3, and started again it ended with"
        " exit status 4 before it had told its tools.",
    )


FLOODS = [
    pytest.param("flood_line", {}, "sent a message of more than 64 MiB", id="an endless line"),
    pytest.param(
        "flood_notifications", {}, "sent more than 5,000 messages unasked within 10 s", id="notifications"
    ),
    pytest.param("flood_requests", {}, "sent more than 5,000 messages unasked within 10 s", id="requests"),
    pytest.param("flood_garbage", {}, "sent more than 5,000 messages unasked within 10 s", id="garbage"),
    pytest.param(
        "huge",
        {"size": 9_000_000, "id": "middle"},
        "sent a message that names no call: 8.6 MiB, limit 8 MiB",
        id="an answer to nobody",
    ),
    pytest.param(
        "long_lines", {"count": 10}, "sent more than 64 MiB unasked within 10 s", id="long notifications"
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "reason"), FLOODS)
def test_a_server_that_floods_is_ended_in_bounded_memory(
    doomed: Servers, tool: str, arguments: dict[str, object], reason: str
) -> None:
    before = resident_bytes()

    told = refused(lambda: call(doomed, tool, **arguments))

    assert told == (
        "limit-exceeded",
        "server_flood",
        f"raw.{tool} was not answered: the server `raw` {reason}, and was ended.",
    )
    assert resident_bytes() - before < 64 * 2**20
    assert call(doomed, "pid").value != ""
    assert doomed.call(tool_of(doomed, "pid", server="other"), {}).value != ""


def test_what_a_server_writes_to_its_stderr_is_told_in_part() -> None:
    lines: list[str] = []
    with Servers.start([raw_spec()], ENVIRON, on_log=lambda server, line: lines.append(line)) as servers:
        assert call(servers, "flood_stderr", lines=50_000).value == "done"

    assert lines[:100] == ["y" * 99] * 100
    assert lines[-1].startswith("… ")
    assert len(lines) < 500


def test_a_server_that_closes_its_stdout_has_ended(doomed: Servers) -> None:
    assert refused(lambda: call(doomed, "close_stdout")) == (
        "io-error",
        "server_ended",
        "raw.close_stdout was not answered: the server `raw` ended with exit status 0.",
    )


def test_other_tools_of_a_server_are_not_taken_in_the_run(doomed: Servers) -> None:
    before = doomed.tools
    assert call(doomed, "change").value == "changed"
    assert doomed.tools is before


def listed(tmp_path: Path, *pages: list[Any]) -> Servers:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(pages))
    return Servers.start([raw_spec("listing", str(path))], ENVIRON)


def test_tools_that_are_none_do_not_take_the_others_along(tmp_path: Path) -> None:
    schema = {"type": "object"}
    page = [
        {"name": "plain", "inputSchema": schema, "title": "A title"},
        {"name": "get-user */ delete", "inputSchema": schema, "description": "Second.\n\nMore."},
        {"name": "plain", "inputSchema": schema},
        {"name": "listed", "inputSchema": {"type": "array"}},
        {"inputSchema": schema},
        "no tool",
        {"name": "lost", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}}},
        {"name": "odd", "inputSchema": schema, "outputSchema": {"type": "object", "minProperties": -1}},
        {"name": "a\n\nNotice\n----\nb", "inputSchema": schema},
        {"name": "x" * 129, "inputSchema": schema},
        {"name": "last", "inputSchema": schema},
    ]

    with listed(tmp_path, page) as servers:
        assert [(tool.name, tool.description) for tool in servers.tools] == [
            ("plain", "A title"),
            ("get-user */ delete", "Second.\n\nMore."),
            ("last", ""),
        ]
        malformed = "is not described as a tool has to be: "
        assert servers.unusable == (
            unusable("listed", f"{malformed}inputSchema.type: Input should be 'object'"),
            unusable(
                "(without a name)", f"{malformed}Input should be a valid dictionary or instance of Tool"
            ),
            unusable("plain", "has the name of another of its tools"),
            unusable("lost", "its input schema refers to `/$defs/a`, which is not within it"),
            unusable(
                "odd",
                "its output schema is no JSON Schema at `/minProperties`: -1 is less than the minimum of 0",
            ),
            unusable("a\\u000a\\u000aNotice\\u000a----\\u000ab", "has a name with control characters"),
            unusable("x" * 128 + "…", "has a name of 129 characters, 128 at most"),
        )


def unusable(tool: str, reason: str) -> UnusableTool:
    return UnusableTool(server="raw", tool=tool, reason=reason)


def test_tools_come_from_every_page(tmp_path: Path) -> None:
    pages = [[{"name": f"t{number}", "inputSchema": {"type": "object"}}] for number in range(5)]

    with listed(tmp_path, *pages) as servers:
        assert [tool.name for tool in servers.tools] == ["t0", "t1", "t2", "t3", "t4"]
