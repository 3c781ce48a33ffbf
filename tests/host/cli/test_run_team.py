"""A real run of several agents: watched, and what the commands say of its record."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from host.app import Session
from host.cli.main import cli
from host.launch import load
from tests.helpers.runs import MARKDOWN
from tests.host.cli.processes import gg
from tests.host.cli.test_live_team import margin

Calls = list[dict[str, Any]]


def call(tool: str, **arguments: object) -> dict[str, Any]:
    return {"name": tool, "arguments": arguments}


def memories(scope: str) -> dict[str, Any]:
    return {"id": "memories", "enabled": True, **MARKDOWN, "params": {**MARKDOWN["params"], "scope": scope}}


REPLIES: dict[str, list[Calls]] = {
    "lead": [
        [call("create_memory", name="plan", description="What to do", contents="Read.")],
        [call("spawn_subagent", agent="reader", prompt="Read it.\nAll of it."), call("wait_for_subagents")],
        [call("exec", agent="reader", prompt="Go on.")],
    ],
    "reader": [[call("read_memory", name="plan")], [call("finish", summary="It says: read.")]],
}
DOCUMENT: dict[str, Any] = {
    "name": "team",
    "task": "Read.",
    "root": "lead",
    "model": {"provider": "scripted", "replies": "replies"},
    "limits": {"maxTurns": 9},
    "agents": [
        {
            "id": "lead",
            "execution": "tool_calling",
            "roster": [{"agent": "reader", "as": "subagent"}],
            "capabilities": [{"id": "delegation", "enabled": True}, memories("isolated")],
        },
        {"id": "reader", "execution": "tool_calling", "capabilities": [memories("read-only")]},
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with the configuration, whose agents run one at a time."""
    (tmp_path / "run.json").write_text(json.dumps(DOCUMENT))
    for agent_id, replies in REPLIES.items():
        for number, calls in enumerate(replies, start=1):
            file = tmp_path / f"replies/{agent_id}/{number}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"toolCalls": calls}))
    return tmp_path


@pytest.mark.slow
def test_a_run_of_several_agents_is_watched(folder: Path) -> None:
    ran = gg("run", ".", "--out", ".gg/runs/one", cwd=folder)

    assert (ran.returncode, ran.stdout) == (0, "It says: read.\n")
    assert [re.sub(r", \d.*s$", "", line) for line in margin(ran.stderr)] == [
        "team: Read.",
        "Turn 1 · lead",
        "Turn 2 · lead",
        "reader starts as a subagent of lead: Read it. …",
        "Turn 1 · reader",
        "Turn 2 · reader",
        "reader ends: completed",
        "Turn 2 · lead, continued",
        "Turn 3 · lead",
        "reader-2 starts as a successor of lead: Go on.",
        "lead hands over to reader-2, memories-1 carried",
        "Turn 1 · reader-2",
        "Turn 2 · reader-2",
        "completed after 7 turns of 3 agents",
        "record  .gg/runs/one",
        "show    gg show .gg/runs/one",
    ]


def test_what_is_said_of_the_record_of_several_agents(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert Session.create(load(folder), out=folder / ".gg/runs/one").run().status == "completed"

    verified = CliRunner().invoke(cli, ["show", "last", "--verify"])
    assert (verified.exit_code, verified.stderr) == (0, "the record is right in everything\n")
    (listed,) = json.loads(CliRunner().invoke(cli, ["runs", "--json"]).stdout)["runs"]
    assert (listed["agents"], listed["turns"], listed["status"]) == (3, 7, "completed")
    lines = CliRunner().invoke(cli, ["show", "last"]).stdout.splitlines()
    assert lines[2:6] == [
        "agent     profile  started as  by    status     turns  store",
        "lead      lead     root              completed      3  memories-1",
        "reader    reader   subagent    lead  completed      2  memories-1 to read",
        "reader-2  reader   successor   lead  completed      2  memories-1 to read",
    ]
    assert "Memories of memories-1 (markdown): 1 memory, shared, handed on" in lines


@pytest.mark.slow
def test_a_turn_that_several_agents_have_is_wrong_use_without_one(folder: Path) -> None:
    assert Session.create(load(folder), out=folder / "r").run().status == "completed"

    ran = gg("show", "r", "--at", "1", cwd=folder)

    told = "gg: turn 1 is one of `lead`, `reader` and `reader-2`; say which with --agent\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", told)
