"""A session that cannot begin, one whose model fails, and what leaves the process of either."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from host.app import RunResult, Session
from host.events import AgentSpawned, ApiCall, Defect, Event, SessionSummary, read_events
from host.launch import LaunchPlan, ScriptedModel, validate
from host.providers import ScriptedReply
from runtime_js import Compiler, find_toolchain
from tests.helpers.acts import Act, spawns, waits
from tests.helpers.teams import failed_checks, run_team, starts

FINISH = 'import { session } from "gg";\nsession.finish("the key is opensesame");\n'


def plan(base: Path, *replies: str | ScriptedReply, **files: object) -> LaunchPlan:
    capabilities = [{"id": "files", "enabled": True, "params": files}] if files else []
    agent: dict[str, Any] = {"id": "root", "capabilities": capabilities}
    document = {"task": "Do it.", "model": ScriptedModel(replies=list(replies)), "agents": [agent]}
    return validate(document, base=base)


def run(launch: LaunchPlan, out: Path) -> tuple[RunResult, list[Event]]:
    result = Session.create(launch, out=out).run()
    return result, [stamped.event for stamped in read_events(out / "events.ndjson")]


def test_a_directory_that_cannot_be_copied_ends_the_run_and_the_record_says_why(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    launch = plan(tmp_path, FINISH, dir="source", copy=True)
    source.rmdir()

    result, events = run(launch, tmp_path / "record")

    why = f"workspace: {source} cannot be copied into the record: No such file or directory"
    assert (result.status, result.exit_code, result.error) == ("internal_error", 1, why)
    assert [(e.kind, e.agent_id_of) for e in events if isinstance(e, Defect)] == [("workspace", "root")]
    summary = events[-1]
    assert isinstance(summary, SessionSummary)
    assert (summary.status, summary.error, summary.turns) == ("internal_error", why, 0)
    assert (summary.agents, [e for e in events if isinstance(e, AgentSpawned)]) == (0, [])


def test_the_record_tells_nothing_of_a_subagent_whose_directory_cannot_be_copied(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()

    def lead() -> tuple[Act, ...]:
        source.rmdir()
        return (spawns("reader"), waits())

    reads = {"id": "files", "enabled": True, "params": {"dir": str(source), "copy": True}}
    agents = {"lead": {"roster": starts("reader")}, "reader": {"capabilities": [reads]}}
    ran = run_team(tmp_path / "record", {"lead": [lead]}, agents)

    why = f"workspace: {source} cannot be copied into the record: No such file or directory"
    assert (ran.result.status, ran.result.error) == ("internal_error", why)
    assert [agent for agent, _ in ran.by_agent(AgentSpawned)] == ["lead"]
    assert [(call.operation, call.code) for call in ran.of(ApiCall)] == [
        ("delegation.spawn_subagent", "io-error")
    ]
    assert failed_checks(ran) == []


def test_the_record_says_why_no_reply_could_be_had(tmp_path: Path) -> None:
    result, events = run(plan(tmp_path, ScriptedReply(error="no such model")), tmp_path / "record")

    assert (result.status, result.error) == ("model_error", "no such model")
    summary = events[-1]
    assert isinstance(summary, SessionSummary)
    assert (summary.status, summary.error) == ("model_error", "no such model")


def test_a_broken_compiler_whose_input_cannot_be_kept_ends_the_run(tmp_path: Path) -> None:
    broken = tmp_path / "esbuild"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    record = tmp_path / "record"

    with Compiler(toolchain=replace(find_toolchain(), esbuild=broken)) as compiler:
        session = Session.create(plan(tmp_path, FINISH), out=record, compiler=compiler)
        (record / "defects").touch()  # a file where the input would go
        result = session.run()

    assert (result.status, result.error) == (
        "internal_error",
        f"record_unwritable: {record / 'defects'}: File exists",
    )


SECRETS = [
    pytest.param(FINISH, ("the key is [masked:DOOR_KEY]", None), id="the ending"),
    pytest.param(
        ScriptedReply(error="denied: opensesame"), (None, "denied: [masked:DOOR_KEY]"), id="the error"
    ),
]


@pytest.mark.parametrize(("reply", "told"), SECRETS)
def test_what_a_result_tells_is_masked(
    reply: str | ScriptedReply,
    told: tuple[str | None, str | None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DOOR_KEY", "opensesame")

    result, _ = run(plan(tmp_path, reply), tmp_path / "record")

    assert (result.ending and result.ending.summary, result.error) == told
