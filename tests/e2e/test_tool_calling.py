"""Agents whose replies call tools, in real runs: the fixture by the command line, and what a run needs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from click.testing import CliRunner

from host.app import Session
from host.cli.commands.check import check
from host.cli.commands.show import show
from host.core.messages import Message, Reply
from host.events import (
    AgentSurface,
    CodeExecution,
    MemoryRevision,
    MemoryState,
    Notice,
    RecordReader,
    TurnOutcome,
    read_events,
)
from host.launch import ScriptedModel, validate
from tests.helpers.runs import FINISHES, MARKDOWN, SCRATCHPAD, calls, run_agent
from tests.host.cli.processes import gg

FIXTURE = Path(__file__).parents[2] / "fixtures" / "tool-calling"
GOLDEN = Path(__file__).parent / "golden"
SUMMARY = "mail belongs to ben now, search to chi; the note says how the files name their owners."
TOOLS = (
    "create_memory",
    "read_memory",
    "edit_memory",
    "delete_memory",
    "read_file",
    "write_file",
    "edit_file",
    "list_dir",
    "search_files",
    "finish",
)


def events_of(record: Path, kind: type[Any]) -> list[Any]:
    return [each.event for each in read_events(record / "events.ndjson") if isinstance(each.event, kind)]


def told_of_memories(record: Path) -> list[dict[str, Any]]:
    return [event.model_dump() for event in events_of(record, MemoryRevision | MemoryState)]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The fixture, run in both modes."""
    folder = tmp_path_factory.mktemp("records")
    for name, config in (("tools", FIXTURE), ("code", FIXTURE / "as-code.json")):
        ran = gg("run", config, "--out", name, "--json", cwd=folder)
        assert ran.returncode == 0, ran.stderr
        told = json.loads(ran.stdout)
        assert (told["status"], told["ending"]) == ("completed", {"kind": "finish", "summary": SUMMARY})
    return {name: folder / name for name in ("tools", "code")}


def test_both_modes_come_to_the_same(records: dict[str, Path]) -> None:
    tools, code = records["tools"], records["code"]

    assert told_of_memories(tools) == told_of_memories(code)
    for name in ("billing", "mail", "search"):
        path = Path("workspace", "keeper", "services", f"{name}.toml")
        assert (tools / path).read_bytes() == (code / path).read_bytes()
    assert (tools / "workspace/keeper/services/search.toml").read_text() == (
        "name = 'search'\nowner = \"chi\"\nport = 8003\n"
    )


def test_what_fails_is_told_in_the_terms_of_the_mode(records: dict[str, Path]) -> None:
    outcomes = {
        name: [outcome.outcome for outcome in events_of(record, TurnOutcome)]
        for name, record in records.items()
    }

    assert outcomes == {
        "tools": ["progressed"] * 4 + ["finished"],
        "code": ["progressed", "progressed", "error", "progressed", "finished"],
    }
    assert [notice.kind for notice in events_of(records["tools"], Notice)] == ["ending_revoked"]


def test_the_surface_is_that_of_the_mode(records: dict[str, Path]) -> None:
    (tools,), (code,) = (events_of(records[name], AgentSurface) for name in ("tools", "code"))

    assert (tools.execution_mode, tools.tools, tools.modules, tools.declarations_sha256) == (
        "tool_calling",
        TOOLS,
        (),
        None,
    )
    assert (code.execution_mode, code.tools, code.modules[0]) == ("responses_as_code", (), "gg")
    assert set(tools.operations) < set(code.operations)
    assert set(tools.operations) | set(tools.withheld) == set(code.operations) | set(code.withheld)


def test_the_record_is_shown(records: dict[str, Path], golden: Callable[[Path, str], None]) -> None:
    shown = CliRunner().invoke(show, [str(records["tools"])], catch_exceptions=False)
    turn = CliRunner().invoke(show, [str(records["tools"]), "--at", "4"], catch_exceptions=False)

    lines = [line for line in shown.stdout.splitlines() if not line.startswith(("  time", "completed"))]
    golden(GOLDEN / "show_tool_calling.txt", "\n".join([*lines, ""]))
    told = [line for line in turn.stdout.splitlines() if not line.startswith("  time")]
    golden(GOLDEN / "show_tool_calling_turn.txt", "\n".join([*told, ""]))


def test_the_record_is_right_and_has_no_program_to_check(records: dict[str, Path]) -> None:
    verified = CliRunner().invoke(show, [str(records["tools"]), "--verify"], catch_exceptions=False)
    checked = CliRunner().invoke(check, [str(records["tools"])], catch_exceptions=False)

    assert (verified.exit_code, "programs   hashes of 0 texts" in verified.stdout) == (0, True)
    assert (checked.exit_code, checked.stderr) == (
        0,
        "nothing to check: the run held no code memory when it ended\n",
    )


def test_the_view_of_a_turn_has_calls_and_answers(records: dict[str, Path]) -> None:
    third = RecordReader(records["tools"]).view().turns[2]

    assert third.reply is not None
    assert [call.name for call in third.reply.tool_calls] == ["edit_file", "edit_file", "finish"]
    assert [(answer.tool, answer.text.partition(" ")[0]) for answer in third.answers] == [
        ("edit_file", "null"),
        ("edit_file", "not-found:"),
        ("finish", "null"),
    ]
    assert [(count.operation, count.calls, count.failed) for count in third.calls] == [
        ("files.edit_file", 2, 1),
        ("session.finish", 1, 0),
    ]
    assert third.executions == ()


def test_no_compiler_and_no_worker_is_started(tmp_path: Path) -> None:
    before = set(psutil.Process().children(recursive=True))
    started = []

    def reply(messages: tuple[Message, ...], agent_id: str) -> Reply:
        started.extend(set(psutil.Process().children(recursive=True)) - before)
        return FINISHES

    document = {
        "task": "Do it.",
        "agents": [
            {
                "id": "root",
                "execution": "tool_calling",
                "model": ScriptedModel(replies=reply),
                "capabilities": [{"id": "memories", **SCRATCHPAD}],
            }
        ],
    }
    result = Session.create(validate(document, base=tmp_path), out=tmp_path / "r").run()

    assert (result.status, started) == ("completed", [])
    assert events_of(tmp_path / "r", CodeExecution) == []


def test_the_compilers_need_not_even_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise AssertionError("no agent of this run writes programs")

    monkeypatch.setattr("host.app.needs.find_toolchain", missing)
    ran = run_agent(tmp_path / "r", [FINISHES], execution="tool_calling")

    assert ran.result.status == "completed"


PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)


def test_what_calls_open_follows_their_answers(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "dot.png").write_bytes(PICTURE)
    (tmp_path / "data" / "a.csv").write_text("1,2\n")
    ran = run_agent(
        tmp_path / "r",
        [
            calls(
                ("read_file", {"path": "dot.png"}),
                ("delete_memory", {"name": "no"}),
                ("finish", {"summary": "x"}),
            ),
            calls(("write_memory", {"name": "a", "description": "d", "body": "b"})),
            calls(("compact", {"summary": "A dot was seen.", "files": ["a.csv"]})),
            FINISHES,
        ],
        execution="tool_calling",
        memories=SCRATCHPAD,
        files={"params": {"dir": "data"}},
        others={"agent-managed-context": {}},
    )

    told = [(message.role, message.text.split("\n")[0][:20]) for message in ran.prompts[1][2:]]
    assert told == [
        ("assistant", ""),
        ("tool", '{"kind":"image","med'),
        ("tool", "not-found: Cannot de"),
        ("tool", "null"),
        ("user", "File: dot.png"),
        ("user", "Notice"),
    ]
    (picture,) = ran.prompts[1][6].images
    assert picture.data == PICTURE
    # The call that compacts is kept with its answer, behind what takes the place of all before.
    assert [(message.role, message.text.split("\n")[0]) for message in ran.prompts[3][1:]] == [
        ("user", "Memories"),
        ("user", "Task"),
        ("user", "Summary"),
        ("assistant", ""),
        ("tool", "null"),
        ("user", "File: a.csv:1-1 of 1 lines"),
    ]
    assert ran.result.status == "completed"


def test_it_is_never_told_that_nothing_was_shown(tmp_path: Path) -> None:
    ran = run_agent(
        tmp_path / "r",
        [calls(("read_memory", {"name": "no"})), FINISHES],
        execution="tool_calling",
        memories=MARKDOWN,
    )

    assert ran.of(Notice) == []
