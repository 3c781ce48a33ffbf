"""The record of agents that write at once: in whatever order, it says what each store held at each event."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host.core.messages import Reply
from host.events import AgentModules, MemoryFold, RecordReader, fold_run, verify_record
from tests.helpers.runs import MARKDOWN, calls
from tests.helpers.teams import TeamRan, finishes, run_team, starts

WRITERS = 4
ROUNDS = 6


def memories(scope: str) -> dict[str, Any]:
    return {"id": "memories", "enabled": True, **MARKDOWN, "params": {**MARKDOWN["params"], "scope": scope}}


def note(name: str, contents: str) -> tuple[str, dict[str, Any]]:
    return ("create_memory", {"name": name, "description": "d", "contents": contents})


def said(agent_id: str, number: int) -> Reply:
    """What each agent does: writers and copies write under names of their own and under common ones."""
    is_writer = agent_id.startswith("writer")
    if agent_id == "planner" and number == 1:
        task = {"agent": "writer", "prompt": "Write."}
        return calls(note("plan", "one"), *[("spawn_subagent", task)] * WRITERS)
    if agent_id == "planner" and number <= ROUNDS:
        return calls(("fork", {}), ("fork", {}), note(f"planner-{number}", "x"))
    if agent_id == "planner" and number == ROUNDS + 1:
        return calls(("wait_for_subagents", {}))
    if agent_id == "planner" or number > (ROUNDS if is_writer else 2):
        return calls(finishes("done"))
    name = f"{agent_id}-{number}"
    return calls(
        note(name, "line one\nline two"),
        note("common", f"of {agent_id}"),
        ("edit_memory", {"name": name, "old_string": "two", "new_string": "three"}),
        ("delete_memory", {"name": name if number % 2 else "common"}),
    )


def ran(out: Path, scope: str) -> TeamRan:
    agents = {
        "planner": {"capabilities": [memories("isolated")], "roster": starts("writer")},
        "writer": {"capabilities": [memories(scope)]},
    }
    return run_team(out, said, agents, maxParallel=16)


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns as often as they can, so that whatever is not one step comes apart."""
    interval_s = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval_s)


@pytest.mark.slow
@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("scope", ["inherited", "shared"] * 2)
def test_at_each_event_a_snapshot_is_what_the_revisions_before_it_come_to(scope: str, tmp_path: Path) -> None:
    team = ran(tmp_path / "r", scope)

    assert team.result.status == "completed"
    fold = MemoryFold()
    assert [mismatch for stamped in team.events for mismatch in fold.add(stamped)] == []
    assert [check.problems for check in verify_record(RecordReader(tmp_path / "r")) if not check.ok] == []
    held = fold.stores()["memories-1"].memories
    assert {memory.name: memory.body for memory in team.result.memories} == {
        name: memory.body for name, memory in held.items()
    }
    copies = [store for store in fold.stores().values() if store.copied_from is not None]
    assert len(copies) == 2 * (ROUNDS - 1)


def test_the_holders_of_a_store_are_those_that_bound_it(tmp_path: Path) -> None:
    team = ran(tmp_path / "r", "inherited")
    view = fold_run(team.events)
    bound = [
        (agent_id, row.module_id) for agent_id, event in team.by_agent(AgentModules) for row in event.modules
    ]

    assert sorted(
        (h.agent_id, h.module_id) for store in view.stores.values() for h in store.holders
    ) == sorted(bound)
    assert [store.module_id for store in view.stores.values() if store.is_shared] == ["memories-1"]
    assert {agent.status for agent in view.agents} == {"completed"}


def test_the_files_of_agents_say_who_else_is_in_their_store_when_the_run_has_ended(tmp_path: Path) -> None:
    ran(tmp_path / "r", "inherited")
    files = {
        agent_id: json.loads((tmp_path / f"r/agents/{agent_id}/modules/memories.json").read_text())
        for agent_id in ("planner", "writer-2", "planner-3")
    }

    assert {
        agent_id: (file["coHolders"], sorted(file["earlierCoHolders"])) for agent_id, file in files.items()
    } == {
        "planner": ([], ["writer", "writer-2", "writer-3", "writer-4"]),
        "writer-2": (["planner"], ["writer", "writer-3", "writer-4"]),
        "planner-3": ([], []),
    }
    assert [(file["origin"], file["access"], file["until"] is None) for file in files.values()] == [
        ("created", "write", True),
        ("inherited", "write", False),
        ("forked", "write", False),
    ]
