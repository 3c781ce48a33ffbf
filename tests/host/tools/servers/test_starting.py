"""Servers that cannot be started, those that take long, and how all of them end."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from host.core.errors import Refusal
from host.tools.servers import Servers, ServersFailed, ServerSpec
from tests.helpers.mcp_servers import ENVIRON, call, raw_command, raw_spec, tool_of

FAILURES = [
    pytest.param(
        raw_spec("leave", "7", "the key is missing\x1b[0m"),
        "ended with exit status 7 before it had told its tools",
        "Run it by hand to see what it says.",
        ("the key is missing\\u001b[0m",),
        id="ends",
    ),
    pytest.param(
        ServerSpec(name="raw", command=(sys.executable, "-m", "mcp_server_of_nobody")),
        "ended with exit status 1 before it had told its tools",
        "Install the module mcp_server_of_nobody for the Python that the command names.",
        (f"{sys.executable}: No module named mcp_server_of_nobody",),
        id="a module is missing",
    ),
    pytest.param(
        raw_spec("silent", start_timeout_s=0.3),
        "did not tell its tools within 0.3 s",
        "If it only needs longer, as at a first download, raise `startSecs`.",
        (),
        id="silent",
    ),
    pytest.param(
        raw_spec("garbage", start_timeout_s=3),
        "writes something else than messages to its stdout, first `Welcome to the server!`",
        "Its stdout is for messages of MCP alone: is it an MCP server over stdio?",
        (),
        id="no server of MCP",
    ),
    pytest.param(
        ServerSpec(name="raw", command=("echo", "hello")),
        "ended with exit status 0 before it had told its tools, and wrote `hello` to its stdout, which is for"
        " messages of MCP alone",
        "Run it by hand to see what it says.",
        (),
        id="another program",
    ),
    pytest.param(
        ServerSpec(name="raw", command=("yes",)),
        "sent more than 5,000 messages unasked within 10 s before it had told its tools, and wrote `y` to its"
        " stdout, which is for messages of MCP alone",
        "Run it by hand to see what it says.",
        (),
        id="an endless program",
    ),
    pytest.param(
        raw_spec("refuse"),
        "refused to start: no licence (-32603)",
        "Run it by hand to see what it says.",
        (),
        id="refuses",
    ),
    pytest.param(
        raw_spec("wrong_result"),
        "answers on its stdout with what is no MCP: capabilities: Field required",
        "Is it an MCP server?",
        (),
        id="another protocol",
    ),
    pytest.param(
        raw_spec("endless_pages"),
        "lists its tools on more than 100 pages",
        "Take it out of the configuration, or use another version of it.",
        (),
        id="endless pages",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "reason", "remedy", "stderr"), FAILURES)
def test_why_a_server_does_not_start(
    spec: ServerSpec, reason: str, remedy: str, stderr: tuple[str, ...]
) -> None:
    with pytest.raises(ServersFailed) as caught:
        Servers.start([spec], ENVIRON)

    (failure,) = caught.value.failures
    assert (failure.server, failure.target) == ("raw", spec.target)
    assert (failure.reason, failure.remedy, failure.stderr) == (reason, remedy, stderr)


def test_every_failing_server_is_told_and_none_is_left_running() -> None:
    specs = [
        raw_spec("leave", "1", "one", name="first"),
        raw_spec(name="fine"),
        ServerSpec(name="third", command=("server-of-nobody", "--x")),
    ]

    with pytest.raises(ServersFailed) as caught:
        Servers.start(specs, ENVIRON)

    assert str(caught.value) == (
        "The MCP server `first` ended with exit status 1 before it had told its tools.\n"
        f"  It is: {specs[0].target}\n"
        "  Its last lines on stderr:\n"
        "    one\n"
        "  Run it by hand to see what it says.\n"
        "The MCP server `third` cannot be started: there is no program `server-of-nobody` in PATH, which is"
        " /usr/bin:/bin.\n"
        "  It is: server-of-nobody --x\n"
        "  Install it, or write its whole path."
    )
    assert psutil.Process().children() == []


def test_servers_are_started_at_the_same_time_and_a_slow_one_is_waited_for(tmp_path: Path) -> None:
    pipes = [tmp_path / "a", tmp_path / "b"]
    for pipe in pipes:
        os.mkfifo(pipe)

    def let_go() -> None:
        for pipe in reversed(pipes):  # the second first: neither waits for the other
            pipe.write_text("go")

    thread = threading.Thread(target=let_go)
    thread.start()
    specs = [raw_spec("after", str(pipe), name=pipe.name) for pipe in pipes]
    with Servers.start(specs, ENVIRON) as servers:
        thread.join()
        assert [tool.namespace for tool in servers.tools if tool.name == "pid"] == ["a", "b"]


def test_tools_that_come_as_a_server_starts_are_taken() -> None:
    lines: list[str] = []
    spec = raw_spec("late_tools")
    with Servers.start([spec], ENVIRON, on_log=lambda server, line: lines.append(line)) as servers:
        assert [tool.name for tool in servers.tools] == ["pid", "change"]
        assert lines == []
        call(servers, "change")

    assert lines == ["has other tools now; this run keeps those that it began with"]


def test_what_a_server_prints_besides_messages_is_told() -> None:
    lines: list[str] = []
    spec = raw_spec("greeting")
    with Servers.start([spec], ENVIRON, on_log=lambda server, line: lines.append(line)) as servers:
        assert "pid" in [tool.name for tool in servers.tools]

    assert lines == ["on stdout, which is for messages alone: Welcome"]


def test_no_servers_at_all() -> None:
    with Servers.start([], {}) as servers:
        assert (servers.tools, servers.unusable) == ((), ())


@pytest.mark.slow
def test_closing_ends_a_server_that_does_not_want_to_and_what_it_started() -> None:
    servers = Servers.start([raw_spec("stubborn")], ENVIRON)
    pid = int(str(call(servers, "pid").value))
    tool = tool_of(servers, "pid")
    child = _child_of(pid)

    servers.close()
    servers.close()

    assert not psutil.pid_exists(pid)
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE
    with pytest.raises(Refusal, match=r"^raw\.pid cannot be called any more: the servers are stopped\.$"):
        servers.call(tool, {})


def _child_of(pid: int) -> int:
    (child,) = psutil.Process(pid).children()
    return child.pid


def test_closing_fails_the_calls_that_are_open(tmp_path: Path) -> None:
    began = tmp_path / "began"
    os.mkfifo(began)
    servers = Servers.start([raw_spec()], ENVIRON)
    hang = tool_of(servers, "hang")
    future = servers.begin(hang, hang.bind({"folder": str(tmp_path)}))
    assert began.read_text()

    servers.close()

    with pytest.raises(Refusal) as caught:
        future.result()
    assert (caught.value.code, caught.value.kind) == ("io-error", "server_ended")


HOST = """
import json, sys
from host.tools.servers import Servers, ServerSpec
spec = ServerSpec(name="raw", command=tuple(json.loads(sys.argv[1])))
servers = Servers.start([spec], {"PATH": "/usr/bin:/bin"})
tool = next(tool for tool in servers.tools if tool.name == "pid")
sys.stdout.write(str(servers.call(tool, {}).value) + "\\n")
sys.stdout.flush()
sys.stdin.read()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a server ends when its input does")
def test_a_server_dies_with_a_host_that_is_killed() -> None:
    argv = [sys.executable, "-c", HOST, json.dumps(raw_command("stubborn"))]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as host:
        assert host.stdout is not None
        server = psutil.Process(int(host.stdout.readline()))
        (left,) = server.children()

        host.send_signal(signal.SIGKILL)
        host.wait()

        assert psutil.wait_procs([server], timeout=10)[1] == []
    left.kill()  # what a server started is its own affair when nobody can tell it


def test_the_libraries_are_imported_with_the_first_server_alone() -> None:
    code = "import host.tools, sys; sys.exit('mcp' in sys.modules or 'jsonschema' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_library_is_told_with_the_extra_that_has_it() -> None:
    code = (
        "import sys; sys.modules['mcp'] = None\n"
        "from host.tools.servers import Servers, ServersNotInstalled\n"
        "try: Servers.start([], {})\n"
        "except ServersNotInstalled as error: sys.stdout.write(str(error))"
    )

    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert told == "MCP servers need the package mcp, which is not installed: pip install 'gg[mcp]'"
