"""Secrets that are planted wherever a run takes texts from: none of them, nor a part, leaves the run.

Searched are the raw bytes of the record, of both streams, of what `gg show` prints, of the record store, and
of all that a server of models was sent.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from host.core.messages import Reply
from tests.helpers.acts import (
    Act,
    finishes,
    opens_file,
    puts_record,
    said,
    seeks_records,
    sends,
    spawns,
    waits,
    writes,
)
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.model_server import Answer, Asked, Said, chat_completions, fault, model_server
from tests.helpers.planted import Planted, Search
from tests.helpers.runs import SCRATCHPAD
from tests.host.cli.processes import gg

pytestmark = pytest.mark.slow

KNOWN: Final = "orange lighthouse of sector 77"
"""The value of a variable of the environment, which no shape tells."""
SERVER: Final = Path(__file__).parents[1] / "helpers" / "mcp_servers" / "leaking.py"
PLACES: Final = (
    *("task", "prompt", "prompt of a child", "file", "memory", "description", "view", "log", "error", "type"),
    *("schema", "tool", "tool result", "tool error", "log of a start", "log of a call", "arguments", "order"),
    *("message", "summary of a child", "record", "query", "name", "summary", "failure", "text of a reply"),
)
PLANTED: Final = {place: Planted(place) for place in PLACES}


def text(place: str) -> str:
    return f"{PLANTED[place].text}\nand {KNOWN}"


def program(body: str, imports: str = "views") -> str:
    return f'import {{ {imports} }} from "gg";\nimport {{ leaky }} from "gg:tools";\n{body}\n'


def js(place: str) -> str:
    return json.dumps(text(place))


def root_turns(execution: Execution) -> Iterator[str | Reply]:
    is_code = execution == "responses_as_code"
    yield said(
        execution,
        opens_file("notes.txt"),
        writes("note", text("memory"), text("description")),
        writes(PLANTED["name"].key, "its name is a key"),
    )
    if is_code:
        yield program(f'console.log({js("log")});\nviews.openText("v", {js("view")});')
        yield program(f"throw new Error({js('error')});")
        yield program(
            f'const wrong: "a" = "{PLANTED["type"].key}{"x" * 90}"; // {text("type").splitlines()[1]}'
        )
        yield program(
            f'views.openText("given", await leaky.give({{ password: {js("arguments")} }}));\n'
            'try { await leaky.fail({}); } catch (error) { views.openText("failed", String(error)); }'
        )
    else:
        yield said(execution, Act("", "read_memory", {"name": text("error")}))
        yield said(execution, Act("", "write_memory", {"name": 7, "nme": text("type")}))
        given = Act("", "leaky__give", {"password": text("arguments"), "token": 12345678})
        yield said(execution, given, Act("", "leaky__fail", {}))
    yield said(execution, spawns("child", text("order")), sends("child", text("message")), waits())
    yield said(execution, puts_record(text("record")), seeks_records(f"the key {PLANTED['query'].key}"))
    yield said(execution, finishes(text("summary")))


def child_turns(execution: Execution) -> Iterator[str | Reply]:
    yield said(execution, finishes(text("summary of a child")))


def configuration(folder: Path, execution: Execution, model: Mapping[str, Any]) -> Path:
    (folder / "workspace").mkdir()
    (folder / "workspace" / "notes.txt").write_text(text("file"), encoding="utf-8")
    (folder / "told.json").write_text(json.dumps({place: text(place) for place in PLACES}))
    command = [sys.executable, "-I", "-S", str(SERVER), str(folder / "told.json")]
    memories = {"id": "memories", **SCRATCHPAD}
    root = {
        "id": "root",
        "execution": execution,
        "prompt": f"You lead others. {text('prompt')}",
        "roster": [{"agent": "child", "as": "subagent"}],
        "capabilities": [
            memories,
            {"id": "delegation"},
            {"id": "records"},
            {"id": "files", "params": {"dir": "workspace"}},
            {"id": "tools", "params": {"mcp": {"leaky": {"command": command}}}},
        ],
    }
    child = {"id": "child", "execution": execution, "prompt": text("prompt of a child")}
    document = {
        "task": text("task"),
        "root": "root",
        "model": dict(model),
        "seed": 7,
        "limits": {"maxTurns": 12, "maxConsecutiveErrors": 4},
        "agents": [root, child],
    }
    path = folder / "run.json"
    path.write_text(json.dumps(document))
    return path


def judge(folder: Path, *streams: str, asked: list[Asked]) -> None:
    search = Search(PLANTED.values(), {"environment": KNOWN})
    ways = ((), ("--json",), ("--at", "3"), ("--window",), ("--window", "--json"))
    shown = [gg("show", "record", *more, cwd=folder) for more in ways]
    files = [path for root in ("record", "g6") for path in (folder / root).rglob("*") if path.is_file()]
    found = [
        *(each for path in files for each in search.found(path.name, path.read_bytes())),
        *(each for stream in streams for each in search.found("a stream", stream.encode())),
        *(each for ran in shown for each in search.found("gg show", (ran.stdout + ran.stderr).encode())),
        *(each for each in _bodies(asked, search)),
    ]

    assert [ran.returncode for ran in shown] == [0] * len(ways)
    assert found == [], "\n".join(found)
    verified = gg("show", "record", "--verify", cwd=folder)
    assert verified.returncode == 0, verified.stdout


def _bodies(asked: list[Asked], search: Search) -> Iterator[str]:
    for number, each in enumerate(asked):
        for in_ascii in (True, False):
            body = json.dumps(each.body, ensure_ascii=in_ascii)
            yield from search.found(f"request {number}", body.encode("utf-8", "surrogatepass"))


@pytest.fixture(autouse=True)
def _environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEPLOY_TOKEN", KNOWN)
    monkeypatch.setenv("PLAIN", "plain-looking-value-77")
    monkeypatch.setenv("G6_HOME", str(tmp_path / "g6"))


def spoken(reply: str | Reply) -> Answer:
    if isinstance(reply, str):
        return chat_completions(Said(text=reply))
    called = tuple((call.id, call.name, call.arguments) for call in reply.tool_calls)
    return chat_completions(Said(text=text("text of a reply"), calls=called))


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_of_a_run_with_a_real_client(execution: Execution, tmp_path: Path) -> None:
    left = {"root": list(root_turns(execution)), "child": list(child_turns(execution))}
    failures = [fault(500, f"{text('failure')} broke us")]

    def policy(asked: Asked) -> Answer:
        if failures and len(server.asked) == 2:
            return failures.pop()
        agent = "root" if "You lead others." in json.dumps(asked.body["messages"][0]) else "child"
        return spoken(left[agent].pop(0))

    with model_server() as server:
        server.policy = policy
        model = {
            "provider": "openai:gpt-4o",
            "baseUrl": server.url("/v1"),
            "apiKeyEnv": "PLAIN",
            "retryMaxDelaySecs": 0.01,
        }
        path = configuration(tmp_path, execution, model)
        ran = gg("run", path, "--out", "record", "--json", cwd=tmp_path)

    assert (ran.returncode, json.loads(ran.stdout)["status"]) == (0, "completed"), ran.stderr
    assert left == {"root": [], "child": []}
    assert "[masked:DEPLOY_TOKEN]" in json.dumps(server.asked[-1].body)
    judge(tmp_path, ran.stdout, ran.stderr, asked=server.asked)


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_of_a_run_on_scripted_replies(execution: Execution, tmp_path: Path) -> None:
    turns = {"root": root_turns(execution), "child": child_turns(execution)}
    for agent, replies in turns.items():
        folder = tmp_path / "replies" / agent
        folder.mkdir(parents=True)
        for number, reply in enumerate(replies, start=1):
            if isinstance(reply, str):
                (folder / f"{number:02}.ts").write_text(reply, encoding="utf-8")
                continue
            calls = [
                {"name": call.name, "arguments": json.loads(call.arguments)} for call in reply.tool_calls
            ]
            (folder / f"{number:02}.json").write_text(json.dumps({"toolCalls": calls}))
    path = configuration(tmp_path, execution, {"provider": "scripted", "replies": "replies"})

    ran = gg("run", path, "--out", "record", cwd=tmp_path)

    assert ran.returncode == 0, ran.stderr
    assert "[REDACTED]" in ran.stdout
    judge(tmp_path, ran.stdout, ran.stderr, asked=[])


def test_that_a_piece_would_be_found() -> None:
    planted = Planted("somewhere")
    search = Search([planted], {})

    assert search.found("here", f"…{planted.secrets[1][2:10]}…".encode()) != []
    assert all(search.found("here", secret.encode()) for secret in planted.secrets)
