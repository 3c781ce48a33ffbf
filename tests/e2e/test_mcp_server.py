"""`gg mcp` as a process, driven by the official client over both transports, and by hand."""

import json
import signal
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio
import httpx2
import mcp_types as types
import psutil
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from host.app import list_runs
from host.events import RecordReader, verify_record
from host.skillbook import BookFile
from tests.helpers.mcp_client import ARGV, HELLO, Hand, by_hand, environ, over_http, over_stdio, text_of

SHOWS: Final = 'import { views } from "gg"; views.openText("a", "b");'
KEEPS: Final = (
    'import { memories } from "gg"; memories.writeMemory({ name: "n", description: "d", body: "kept" });'
)
ENDLESS: Final = "for (;;);"
TOOLS: Final = [
    "run_program",
    "search_docs",
    "write_memory",
    "update_memory",
    "delete_memory",
    "ace.ask",
    "ace.learn.sample",
    "ace.learn.feedback",
    "ace.skillbook.get",
    "ace.skillbook.save",
    "ace.skillbook.load",
    "g6_describe",
    "g6_invoke",
]
PRINTING: Final = """
import sys


def chatter(word: str) -> str:
    \"\"\"Says a word.\"\"\"
    print(word, flush=True)
    return word + "!"


print("loaded", flush=True)
"""
TOKEN: Final = "a-token-of-the-operator"


def configured(folder: Path, **changes: object) -> str:
    document = {"task": "t", "model": "human", "agents": [{"id": "agent"}], **changes}
    path = folder / "served.json"
    path.write_text(json.dumps(document))
    return str(path)


async def ran(client: Client, program: str) -> types.CallToolResult:
    result = await client.call_tool("run_program", {"program": program})
    assert isinstance(result, types.CallToolResult)
    return result


async def listed(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    _, left = psutil.wait_procs(processes, timeout=20)
    return left


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_every_tool_over_stdio(tmp_path: Path, mode: str) -> None:
    async def main() -> None:
        async with over_stdio(tmp_path, mode=mode) as client:
            assert await listed(client) == TOOLS
            shown = await ran(client, SHOWS)
            found = await client.call_tool("search_docs", {"query": "memory"})
            note = {"name": "n", "description": "d", "body": "b"}
            written = await client.call_tool("write_memory", note)
            again = await client.call_tool("write_memory", note)
            updated = await client.call_tool("update_memory", {**note, "body": "c"})
            deleted = await client.call_tool("delete_memory", {"name": "n"})
            rejected = await ran(client, 'const a: number = "";')
            thrown = await ran(client, 'throw new Error("no");')
            with pytest.raises(MCPError, match="did you mean run_program"):
                await client.call_tool("run_programm", {})
            unknown = await client.call_tool("run_program", {"programme": ""})

        assert (text_of(shown), shown.is_error) == ("View: a\n----\nb", False)
        assert shown.structured_content == {
            "outcome": "ran",
            "views": [{"title": "View: a", "text": "b"}],
            "notices": [],
            "error": None,
            "summary": None,
        }
        assert text_of(found).startswith("View: search results\n----\n")
        assert [json.loads(text_of(each))["revision"] for each in (written, updated, deleted)] == [1, 2, 3]
        assert again.is_error
        assert text_of(again).startswith(
            "conflict: Cannot write `n`: there is one of that name, at revision 1."
        )
        assert rejected.is_error
        assert text_of(rejected).startswith("Compiler error\n----\nprogram.ts:1:7: error TS2322: ")
        assert text_of(thrown) == "Runtime error\n----\nError: no\n    at program.ts:1:11"
        assert (text_of(unknown), unknown.is_error) == (
            "run_program does not know `programme`; it takes program alone",
            True,
        )

    anyio.run(main)

    (record,) = [run.path for run in list_runs(tmp_path / "records")]
    assert [check.problems for check in verify_record(RecordReader(record)) if check.problems] == []


@pytest.mark.slow
def test_memories_outlive_the_server(tmp_path: Path) -> None:
    async def main() -> None:
        async with over_stdio(tmp_path) as client:
            await ran(client, KEEPS)
        async with over_stdio(tmp_path) as client:
            again = await client.call_tool("write_memory", {"name": "n", "description": "d", "body": "b"})
            assert text_of(again).startswith("conflict: ")

    anyio.run(main)


@pytest.mark.slow
def test_what_was_answered_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    note = {"name": "n", "description": "d", "body": "b"}
    with by_hand(tmp_path) as hand:
        hand.call(1, "write_memory", **note)
        assert hand.read()["result"]["isError"] is False
        children = psutil.Process(hand.process.pid).children(recursive=True)
        hand.process.kill()
        assert alive(children) == []

    with by_hand(tmp_path) as hand:
        hand.call(1, "write_memory", **note)
        again = hand.read()["result"]
    assert again["content"][0]["text"].startswith("conflict: ")


@pytest.mark.slow
def test_a_program_that_finishes_is_followed_by_another_run(tmp_path: Path) -> None:
    async def main() -> None:
        async with over_stdio(tmp_path) as client:
            await ran(client, KEEPS)
            finished = await ran(client, 'import { session } from "gg"; session.finish("done");')
            after = await client.call_tool("delete_memory", {"name": "n"})

        assert text_of(finished) == "Finished\n----\ndone"
        assert (finished.structured_content["outcome"], finished.structured_content["summary"]) == (
            "finished",
            "done",
        )
        assert not after.is_error

    anyio.run(main)

    assert len(list_runs(tmp_path / "records")) == 2


@pytest.mark.slow
def test_a_ceiling_is_an_answer_and_a_canceled_call_stops_its_program(tmp_path: Path) -> None:
    config = configured(tmp_path, sandbox={"guestSecs": 3})

    async def main() -> None:
        async with over_stdio(tmp_path, config) as client:
            spent = await ran(client, ENDLESS)
            assert text_of(spent) == "Runtime error\n----\nGuest time: 3.0 s used, limit 3 s."
            with anyio.move_on_after(0.5) as scope:
                await ran(client, ENDLESS)
            assert scope.cancelled_caught
            shown = await ran(client, SHOWS)
            assert text_of(shown) == "View: a\n----\nb"

    anyio.run(main)

    (record,) = [run.path for run in list_runs(tmp_path / "records")]
    turns = RecordReader(record).view().turns
    errors = [turn.outcome.error_type for turn in turns if turn.outcome is not None]
    assert errors == ["sandbox_timeout", "sandbox_stopped", None]


@pytest.mark.slow
def test_a_fault_of_its_own_is_told_to_the_operator_alone(tmp_path: Path) -> None:
    with by_hand(tmp_path) as hand:
        hand.call(1, "run_program", program=KEEPS)
        hand.read()
        hand.call(2, "run_program", program=ENDLESS)
        _busy_worker(hand.process.pid).kill()
        lost = hand.read()["result"]
        hand.call(3, "delete_memory", name="n")
        after = hand.read()["result"]

    assert lost["isError"] is True
    assert lost["content"][0]["text"].startswith(
        "gg itself failed, and what was asked may have been done in part."
    )
    assert str(tmp_path) not in json.dumps(lost)
    assert (
        "sandbox: the worker died while running a program: signal 9" in (tmp_path / "stderr.txt").read_text()
    )
    assert after["isError"] is False


@pytest.mark.slow
def test_a_server_whose_stdin_is_closed_ends_with_its_children(tmp_path: Path) -> None:
    with by_hand(tmp_path) as hand:
        hand.call(1, "run_program", program=SHOWS)
        hand.read()
        hand.call(2, "run_program", program=ENDLESS)
        _busy_worker(hand.process.pid)
        children = psutil.Process(hand.process.pid).children(recursive=True)
        assert children
        assert hand.process.stdin is not None
        hand.process.stdin.close()
        assert hand.process.wait(20) == 0
        assert alive(children) == []

    (run,) = list_runs(tmp_path / "records")
    assert run.status == "canceled"


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server(tmp_path: Path, sent: signal.Signals) -> None:
    with by_hand(tmp_path) as hand:
        children = psutil.Process(hand.process.pid).children(recursive=True)
        hand.process.send_signal(sent)
        assert hand.process.wait(20) == 0
        assert alive(children) == []

    (run,) = list_runs(tmp_path / "records")
    assert run.status == "canceled"


@pytest.mark.slow
def test_stdout_is_for_the_protocol_alone(tmp_path: Path) -> None:
    (tmp_path / "talk.py").write_text(PRINTING)
    tools = {"id": "tools", "params": {"python": ["talk:chatter"]}}
    config = configured(tmp_path, agents=[{"id": "agent", "capabilities": [tools]}])
    program = """
import { views } from "gg";
import { local } from "gg:tools";
console.log("from the program");
views.openText("said", await local.chatter({ word: "hello" }));
"""

    with by_hand(tmp_path, config) as hand:
        hand.call(1, "run_program", program=program)
        answer = hand.read()

    assert answer["result"]["content"][0]["text"] == "View: said\n----\nhello!"
    told = (tmp_path / "stderr.txt").read_text().split("\n")
    assert [word for word in ("loaded", "hello") if word in told] == ["loaded", "hello"]
    assert any("from the program" in line for line in told)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("closed", "told"),
    [("<&-", "gg: stdin is closed, and a server"), (">&-", "gg: stdout is closed"), ("2>&-", "")],
)
def test_a_server_needs_its_streams(tmp_path: Path, closed: str, told: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {closed}', "sh", *ARGV],
        cwd=tmp_path,
        env=environ(tmp_path),
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(told)


@pytest.mark.slow
def test_a_client_that_leaves_stderr_unread_waits_for_nothing(tmp_path: Path) -> None:
    program = 'for (let i = 0; i < 2000; i++) console.log("line " + i);'
    process = subprocess.Popen(
        [*ARGV, "--record", str(tmp_path / "records")],
        cwd=tmp_path,
        env=environ(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        try:
            hand = Hand(process)
            hand.send(HELLO)
            hand.read()
            for number in range(30):
                hand.call(number, "run_program", program=program)
                assert hand.read()["id"] == number
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(20) == 0
        finally:
            process.kill()


@pytest.mark.slow
def test_a_client_that_cannot_be_written_to_ends_the_server(tmp_path: Path) -> None:
    with (tmp_path / "stderr.txt").open("wb") as stderr, Path("/dev/full").open("wb") as full:
        process = subprocess.Popen(
            [*ARGV, "--record", str(tmp_path / "records")],
            cwd=tmp_path,
            env=environ(tmp_path),
            stdin=subprocess.PIPE,
            stdout=full,
            stderr=stderr,
        )
    with process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert process.wait(60) == 0

    assert (tmp_path / "stderr.txt").read_text() == ""


@pytest.mark.slow
def test_what_cannot_be_read_is_answered(tmp_path: Path) -> None:
    note = {"name": "n", "description": "d", "body": "x" * (9 * 2**20)}
    half = b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run_program","arguments":'
    half += b'{"program":"\\ud800"}}}'
    with by_hand(tmp_path) as hand:
        hand.call(1, "run_program", program="//" + "x" * 2 * 2**20)
        program = hand.read()
        hand.send(half)
        surrogate = hand.read()
        hand.call(3, "write_memory", **note)
        argument = hand.read()
        hand.call(4, "run_program", program="x" * 21 * 2**20)
        message = hand.read()
        hand.send({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "of a client"}})
        hand.send(b"hello")
        nonsense = hand.read()

    assert program["result"]["content"][0]["text"].startswith("Compiler error\n----\nprogram.ts:1:1: error: ")
    assert (surrogate["id"], surrogate["error"]["code"]) == (2, types.PARSE_ERROR)
    assert "surrogate" in surrogate["error"]["message"]
    assert argument["result"]["content"][0]["text"] == (
        "limit-exceeded: The arguments of write_memory have 9 MiB, limit 8 MiB."
    )
    assert (message["id"], message["error"]["code"]) == (4, types.INVALID_REQUEST)
    assert message["error"]["message"].startswith("The message is too large: 21 MiB, limit 20 MiB")
    assert (nonsense["id"], nonsense["error"]["code"]) == (None, types.PARSE_ERROR)


@pytest.mark.slow
def test_two_clients_at_once_over_http(tmp_path: Path) -> None:
    async def main() -> None:
        async with web.client(mode="legacy") as one, web.client() as other:
            shown: dict[str, str] = {}

            async def ask(client: Client, label: str) -> None:
                for number in range(5):
                    result = await ran(
                        client, f'import {{ views }} from "gg"; views.openText("{label}", "{number}");'
                    )
                    shown[f"{label}{number}"] = text_of(result)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(ask, one, "one")
                tasks.start_soon(ask, other, "other")
            await ran(one, KEEPS)
            kept = await other.call_tool("delete_memory", {"name": "n"})

        assert shown == {
            f"{label}{number}": f"View: {label}\n----\n{number}"
            for label in ("one", "other")
            for number in range(5)
        }
        assert not kept.is_error

    with over_http(tmp_path) as web:
        anyio.run(main)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_call_that_is_canceled_over_http_stops_its_program(tmp_path: Path, mode: str) -> None:
    async def main() -> None:
        async with web.client(mode=mode) as client:
            with anyio.move_on_after(0.5) as scope:
                await ran(client, ENDLESS)
            assert scope.cancelled_caught
            assert text_of(await ran(client, SHOWS)) == "View: a\n----\nb"

    with over_http(tmp_path) as web:
        anyio.run(main)


@pytest.mark.slow
def test_a_client_of_a_session_that_leaves_without_a_word_leaves_its_program(tmp_path: Path) -> None:
    """Another client waits for that program, up to its ceiling; where the session is ended, it is stopped."""
    config = configured(tmp_path, sandbox={"guestSecs": 3})

    async def left(*, ended: bool) -> types.CallToolResult:
        session = {"Mcp-Session-Id": web.post().headers["mcp-session-id"]}
        call = {"name": "run_program", "arguments": {"program": ENDLESS}}
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        async with httpx2.AsyncClient() as http, web.client() as other:
            headers = {**web.headers, **session, "MCP-Protocol-Version": "2025-06-18"}
            async with http.stream("POST", web.url, json=request, headers=headers) as response:
                assert response.status_code == 200
                await anyio.to_thread.run_sync(_busy_worker, web.process.pid)
            if ended:
                await http.delete(web.url, headers=headers)
            return await ran(other, SHOWS)

    with over_http(tmp_path, config) as web:
        for ended in (True, False):
            assert text_of(anyio.run(partial(left, ended=ended))) == "View: a\n----\nb"

    (record,) = [run.path for run in list_runs(tmp_path / "records")]
    turns = RecordReader(record).view().turns
    errors = [turn.outcome.error_type for turn in turns if turn.outcome is not None]
    assert errors == ["sandbox_stopped", None, "sandbox_timeout", None]


@pytest.mark.slow
def test_a_request_needs_the_token_and_comes_from_this_machine(tmp_path: Path) -> None:
    with over_http(tmp_path, variables={"GG_MCP_TOKEN": TOKEN}, token=TOKEN) as web:
        own = web.url.removesuffix("/mcp")
        sent: list[tuple[dict[str, str], int]] = [
            ({}, 200),
            ({"Origin": own}, 200),
            ({"Authorization": ""}, 401),
            ({"Authorization": "Bearer another-token-altogether"}, 401),
            ({"Authorization": f"bearer {TOKEN}"}, 200),
            ({"Authorization": TOKEN}, 401),
            ({"Authorization": f"Basic {TOKEN}"}, 401),
            ({"Authorization": f"bearer {TOKEN}x"}, 401),
            ({"Origin": "https://example.org"}, 403),
            ({"Origin": "null"}, 403),
            ({"Origin": f"{own}.example.org"}, 403),
            ({"Host": "example.org"}, 421),
            ({"Host": "127.0.0.1"}, 421),
        ]
        answered = [web.post(**headers).status_code for headers, _ in sent]
        large = web.post(b"x" * (21 * 2**20)).status_code
        wrong = web.post(Authorization="").text

    assert answered == [status for _, status in sent]
    assert large == 413
    assert wrong == "the token is missing or wrong; send the header Authorization: Bearer TOKEN\n"


@pytest.mark.slow
def test_a_token_is_made_and_told_once(tmp_path: Path) -> None:
    with over_http(tmp_path) as web:
        assert web.printed == (f"mcp {web.url}", f"token {web.token}")
        assert len(web.token) >= 40
        assert web.post().status_code == 200
        web.process.terminate()
        _, told = web.process.communicate(timeout=20)

    assert web.token not in told
    assert web.process.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_server_over_http_that_is_ended_leaves_no_child(tmp_path: Path, sent: signal.Signals) -> None:
    """A client whose stream is open does not keep it."""
    told: list[str] = []

    async def main() -> None:
        async with web.client(mode="legacy") as client:
            await listed(client)
            web.process.send_signal(sent)
            _, printed = await anyio.to_thread.run_sync(lambda: web.process.communicate(timeout=20))
            told.append(printed)

    with over_http(tmp_path) as web:
        children = psutil.Process(web.process.pid).children(recursive=True)
        anyio.run(main)
        assert web.process.returncode == 0
        assert children
        assert alive(children) == []

    assert told == [""]


@pytest.mark.slow
def test_the_record_store_over_both_transports(tmp_path: Path) -> None:
    """One store under one home, whoever asks; what is sensitive is refused but where it is listed."""
    note = {"text": "The billing export runs at 02:00 UTC.", "written_by": "agent:ops-run-12"}

    async def invoked(client: Client, op: str, **args: object) -> dict[str, Any]:
        result = await client.call_tool("g6_invoke", {"block": "ctx_ace", "op": op, "args": args})
        answer: dict[str, Any] = result.structured_content
        assert json.loads(text_of(result)) == answer
        return answer

    async def over_one() -> None:
        async with over_stdio(tmp_path) as client:
            kept.update(await invoked(client, "put", **note))
            refused = await invoked(client, "forget", record_ids=[kept["record"]["id"]], reason="r")
            assert refused["code"] == "G6_E_SENSITIVE"

    async def over_the_other() -> None:
        async with web.client() as client:
            found = await invoked(client, "search", query="when does the export run")
            assert [each["id"] for each in found["records"]] == [kept["record"]["id"]]
            forgotten = await invoked(client, "forget", record_ids=[kept["record"]["id"]], reason="r")
            assert forgotten["code"] == "G6_E_MEMORY_FORGOTTEN"
            assert (await invoked(client, "approve"))["code"] == "G6_E_SENSITIVE"

    kept: dict[str, Any] = {}
    anyio.run(over_one)
    assert (tmp_path / "g6" / "memory" / "ctx_ace.db").exists()
    with over_http(tmp_path, variables={"G6_MCP_SENSITIVE": "ctx_ace.forget"}) as web:
        anyio.run(over_the_other)


@pytest.mark.slow
def test_the_skillbook_over_both_transports(tmp_path: Path) -> None:
    """One book in one file, whoever asks; save, load and learn are refused but where they are listed."""
    asked = {"session_id": "s", "question": "an export of many rows"}
    judged = {**asked, "answer": "42 parts", "feedback": "good", "ground_truth": "42"}
    book = BookFile(tmp_path / ".gg/skillbook.json")
    book.apply(
        lambda book: book.add_skill("context", "An export of many rows.", insight="Write it in parts.")
    )
    (tmp_path / "books").mkdir()

    async def answered(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
        result = await client.call_tool(tool, arguments)
        answer: dict[str, Any] = json.loads(text_of(result))
        assert result.structured_content == (None if result.is_error else answer)
        return answer

    async def over_one() -> None:
        async with over_stdio(tmp_path) as client:
            answer = await answered(client, "ace.ask", **asked)
            assert [each["id"] for each in answer["skills"]] == ["context-00001"]
            assert (await answered(client, "ace.learn.feedback", **judged))["code"].startswith("ACE_MCP_FORB")
            refused = await answered(client, "ace.skillbook.save", session_id="s", path="a.json")
            assert refused["code"] == "ACE_MCP_SAVE_LOAD_DISABLED"

    async def over_the_other() -> None:
        async with web.client() as client:
            await answered(client, "ace.ask", **asked)
            assert (await answered(client, "ace.learn.feedback", **judged))["learned"] is True
            saved = await answered(client, "ace.skillbook.save", session_id="s", path="a.json")
            assert (saved["path"], saved["saved_skill_count"]) == ("a.json", 1)
            away = await answered(client, "ace.skillbook.load", session_id="s", path="../.gg/skillbook.json")
            assert away["code"] == "ACE_MCP_VALIDATION_ERROR"
            loaded = await answered(client, "ace.skillbook.load", session_id="s", path="a.json")
            assert loaded["skill_count"] == 1

    anyio.run(over_one)
    root = ("--skillbook-root", str(tmp_path / "books"))
    with over_http(tmp_path, *root, variables={"G6_MCP_SENSITIVE": "ace"}) as web:
        anyio.run(over_the_other)
    [kept] = book.read().skillbook.skills()
    assert (kept.used_count, kept.helpful_count, len(kept.occurrences)) == (2, 1, 1)


Refused = tuple[list[str], dict[str, str], int, str]
REFUSED: Final[list[Callable[[Path], Refused]]] = [
    lambda _: (
        ["--transport", "http", "--host", "0.0.0.0"],
        {},
        2,
        "--host 0.0.0.0 is no address of this machine",
    ),
    lambda _: (["--host", "example.org", "--transport", "http"], {}, 2, "--host example.org is no address"),
    lambda _: (["--port", "1"], {}, 2, "--port is for --transport http; leave it out"),
    lambda _: (["--transport", "http"], {"GG_MCP_TOKEN": "short"}, 1, "GG_MCP_TOKEN holds no token"),
    lambda at: (
        ["--transport", "http", "--token-file", str(at / "none")],
        {},
        1,
        "none cannot be read: no such file or directory",
    ),
    lambda at: (
        ["--transport", "http", "--token-file", _file(at, 0o644)],
        {},
        1,
        "can be read by others: chmod 600",
    ),
    lambda at: ([str(at / "no.json")], {}, 2, "no.json does not exist; name a configuration"),
    lambda at: (["--skillbook-root", str(at / "none")], {}, 2, "--skillbook-root: directory"),
    lambda at: (["--record", _file(at, 0o600)], {}, 1, "cannot keep the records of a server"),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_served_is_refused(tmp_path: Path, case: Callable[[Path], Refused]) -> None:
    arguments, variables, code, told = case(tmp_path)

    done = _started(tmp_path, *arguments, variables=variables)

    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr


@pytest.mark.slow
def test_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    with over_http(tmp_path) as web:
        port = web.url.removesuffix("/mcp").rpartition(":")[2]
        other = tmp_path / "other"
        other.mkdir()
        done = _started(other, "--transport", "http", "--port", port)
        same = _started(tmp_path, "--record", str(tmp_path / "records"))

    assert done.returncode == 1
    assert f"127.0.0.1:{port} cannot be listened on: " in done.stderr
    assert "name another --port" in done.stderr
    assert same.returncode == 1
    assert "another server keeps its memories there" in same.stderr


def _started(
    folder: Path, *arguments: str, variables: dict[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*ARGV, *arguments],
        cwd=folder,
        env=environ(folder, **(variables or {})),
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def _file(folder: Path, mode: int) -> str:
    path = folder / "file.txt"
    path.write_text(TOKEN)
    path.chmod(mode)
    return str(path)


def _busy_worker(pid: int) -> psutil.Process:
    """The worker that runs an endless program."""
    server = psutil.Process(pid)
    while True:
        for child in server.children(recursive=True):
            if (
                child.is_running()
                and child.cpu_times().user > 0.3
                and "launch.py" in " ".join(child.cmdline())
            ):
                return child
