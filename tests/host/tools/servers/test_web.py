"""Servers over streamable HTTP on loopback, in a thread of this process."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from host.core.errors import Refusal
from host.tools.servers import Servers, ServersFailed, ServerSpec
from tests.helpers.mcp_servers import call, tool_of
from tests.helpers.mcp_servers.good import server as good_server
from tests.helpers.mcp_servers.web import RawApp, serving
from tests.helpers.processes import resident_bytes


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the place of the guard for all tests: nothing but loopback is reached."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:  # noqa: ANN401
        assert address[0] == "127.0.0.1", f"a test tried to connect to {address!r}"
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def app() -> RawApp:
    return RawApp()


@pytest.fixture
def raw(app: RawApp) -> Iterator[Servers]:
    with serving(app) as url, Servers.start([ServerSpec(name="raw", url=url)], {}) as servers:
        yield servers


def refused(function: Callable[[], object]) -> tuple[str, str, str]:
    with pytest.raises(Refusal) as caught:
        function()
    return caught.value.code, caught.value.kind, caught.value.message


FORMS = [
    pytest.param({}, id="events"),
    pytest.param({"json_response": True}, id="JSON"),
    pytest.param({"stateless_http": True}, id="without sessions"),
]


@pytest.mark.parametrize("form", FORMS)
def test_a_server_of_the_official_library(form: dict[str, bool]) -> None:
    app = good_server.streamable_http_app(**form)
    with serving(app) as url, Servers.start([ServerSpec(name="good", url=url)], {}) as servers:
        assert call(servers, "add", a=2**70, b=1).value == {"total": 2**70 + 1, "parts": [2**70, 1]}
        assert call(servers, "repeat", text="0123456789", times=50_000).value == "0123456789" * 50_000
        assert call(servers, "picture").attachments[0].media_type == "image/png"
        code, kind, _ = refused(lambda: call(servers, "repeat", text="x", times=9 * 2**20))
        assert (code, kind) == ("limit-exceeded", "tool_size")


def test_a_token_comes_from_the_environment_and_the_session_is_ended(app: RawApp) -> None:
    app.token = "Bearer secret"
    with serving(app) as url:
        spec = ServerSpec(name="raw", url=url, headers_env={"Authorization": "TOKEN"})
        with Servers.start([spec], {"TOKEN": "Bearer secret"}) as servers:
            assert call(servers, "echo", text="ä😀").value == "ä😀"

    assert app.deleted == ["s1"]


def test_why_a_server_does_not_start(app: RawApp) -> None:
    app.token = "Bearer secret"
    with serving(app) as url:
        specs = [
            ServerSpec(name="a", url=url),
            ServerSpec(name="b", url=url, headers_env={"Authorization": "TOKEN"}),
        ]
        with pytest.raises(ServersFailed) as caught:
            Servers.start(specs, {})

    assert str(caught.value) == (
        "The MCP server `a` answered HTTP 401 Unauthorized: no token.\n"
        f"  It is: {url}\n"
        "  Name the header that it wants, and the variable that holds its value, in `headersFrom`.\n"
        "The MCP server `b` needs environment variables that are not set: TOKEN.\n"
        f"  It is: {url}\n"
        "  Set them before gg starts, or take their names out of the configuration."
    )


def test_a_server_that_is_not_there() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"

        with pytest.raises(ServersFailed) as caught:
            Servers.start([ServerSpec(name="raw", url=url)], {})

    (failure,) = caught.value.failures
    assert failure.reason == "cannot be reached (ConnectError: All connection attempts failed)"
    assert failure.remedy == "Look whether it runs, and whether the URL is right."


HALF = '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"\\ud83d cut"}]}}'


@pytest.mark.parametrize(
    ("body", "content_type"),
    [(HALF, "application/json"), (f"event: message\ndata: {HALF}\n\n", "text/event-stream")],
)
def test_half_a_character_arrives_as_its_replacement(raw: Servers, body: str, content_type: str) -> None:
    assert call(raw, "body", body=body, type=content_type).value == "\ufffd cut"


FAILED = [
    pytest.param(
        {"status": 500, "body": "oh\x1b dear", "type": "text/plain"},
        ("io-error", "raw.body failed: the server answered HTTP 500 Internal Server Error: oh\\u001b dear."),
        id="a status",
    ),
    pytest.param(
        {"status": 400, "body": '{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no table"}}'},
        ("invalid-argument", "raw.body: no table"),
        id="an error with a status",
    ),
    pytest.param(
        {"body": "<html>", "type": "text/html"},
        ("io-error", "raw.body failed: Unexpected content type: text/html (-32600)"),
        id="a page",
    ),
    pytest.param(
        {"body": "{no}"},
        ("io-error", "raw.body failed: the server gave an answer that cannot be read."),
        id="no JSON",
    ),
    pytest.param(
        {"body": ": nothing\n\n", "type": "text/event-stream"},
        ("io-error", "raw.body failed: SSE stream ended without a response (-32000)"),
        id="no answer",
    ),
    pytest.param(
        {"body": "x", "headers": {"content-encoding": "gzip"}},
        (
            "io-error",
            "raw.body failed: the server answers in a compressed form, which was not asked for.",
        ),
        id="compressed",
    ),
    pytest.param(
        {"status": 307, "body": "", "headers": {"location": "http://example.com/"}},
        (
            "io-error",
            "raw.body failed: Redirect to http://example.com/ not followed; use that URL as the endpoint if"
            " it is the intended server (-32600)",
        ),
        id="elsewhere",
    ),
]


@pytest.mark.parametrize(("arguments", "told"), FAILED)
def test_an_answer_that_is_none_fails_its_call_alone(
    raw: Servers, app: RawApp, arguments: dict[str, object], told: tuple[str, str]
) -> None:
    code, _, message = refused(lambda: call(raw, "body", **arguments))

    assert (code, message) == told
    assert call(raw, "echo", text="still there").value == "still there"
    assert app.initialized == 1


TOO_LARGE = [
    pytest.param("big_event", {"size": 20_000_000}, "19.1 MiB, limit 8 MiB", id="an event"),
    pytest.param(
        "endless_body",
        {"type": "application/json", "begin": "{", "again": " ", "times": 65536},
        "over 8 MiB, the limit",
        id="an endless body",
    ),
]


@pytest.mark.parametrize(("tool", "arguments", "size"), TOO_LARGE)
def test_a_result_that_is_too_large_is_not_kept(
    raw: Servers, tool: str, arguments: dict[str, object], size: str
) -> None:
    assert refused(lambda: call(raw, tool, **arguments)) == (
        "limit-exceeded",
        "tool_size",
        f"The result of raw.{tool} is too large: {size}.",
    )
    assert call(raw, "echo", text="still there").value == "still there"


NOTIFICATION = 'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n'
FLOODS = [
    pytest.param(
        {"begin": "data: ", "again": "x", "times": 65536}, "sent a message of more than 64 MiB", id="a line"
    ),
    pytest.param(
        {"begin": "", "again": NOTIFICATION, "times": 500},
        "sent more than 5,000 messages unasked within 10 s",
        id="notifications",
    ),
    pytest.param(
        {"begin": "", "again": f": {'x' * 65536}\n", "times": 4},
        "sent more than 64 MiB unasked within 10 s",
        id="comments",
    ),
]


@pytest.mark.parametrize(("arguments", "reason"), FLOODS)
def test_a_server_that_floods_is_cut_off_and_connected_to_again(
    raw: Servers, app: RawApp, arguments: dict[str, object], reason: str
) -> None:
    before = resident_bytes()

    told = refused(lambda: call(raw, "endless_body", type="text/event-stream", **arguments))

    assert told == (
        "limit-exceeded",
        "server_flood",
        f"raw.endless_body was not answered: the server `raw` {reason}, and was ended.",
    )
    assert resident_bytes() - before < 128 * 2**20  # the server is in this process as well
    assert call(raw, "echo", text="again").value == "again"
    assert app.initialized == 2


@pytest.mark.slow
def test_a_call_that_hangs_is_canceled_and_others_go_on(app: RawApp) -> None:
    with serving(app) as url, Servers.start([ServerSpec(name="raw", url=url, timeout_s=1.5)], {}) as servers:
        hang = tool_of(servers, "hang")
        future = servers.begin(hang, {})
        assert call(servers, "echo", text="meanwhile").value == "meanwhile"

        assert refused(future.result) == (
            "limit-exceeded",
            "tool_time",
            "raw.hang did not answer within 1.5 s and was canceled.",
        )
        assert app.is_notified.wait(10)


def test_a_session_that_the_server_forgot_is_begun_again_within_the_call(raw: Servers, app: RawApp) -> None:
    call(raw, "forget")

    assert call(raw, "echo", text="again").value == "again"
    assert app.initialized == 102
