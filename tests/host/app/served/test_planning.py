"""What of a configuration holds where its root is driven from outside."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from host.app import served_plan
from host.app.session import NobodyToAsk
from host.core.errors import LaunchRefused
from host.launch import HumanModel, LaunchPlan, RunLimits, ScriptedModel

MEMORIES: Final = {
    "id": "memories",
    "implementation": "markdown",
    "params": {
        "scope": "isolated",
        "maxCount": 0,
        "maxLenPerMemory": 0,
        "maxTotalLen": 0,
        "maxLenIndex": 0,
        "maxLenDescription": 0,
        "maxResults": 0,
    },
}
SCRIPTED: Final = {"provider": "scripted", "replies": ["1;"]}


def planned(folder: Path, *agents: dict[str, Any], **changes: object) -> LaunchPlan:
    path = folder / "run.json"
    path.write_text(json.dumps({"task": "t", "model": SCRIPTED, "agents": agents, **changes}))
    return served_plan(path)


def test_without_a_configuration_the_agent_keeps_memories_and_has_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    plan = served_plan(None)

    agent = plan.root_agent
    assert (plan.name, agent.id, agent.execution) == ("mcp", "agent", "responses_as_code")
    assert agent.memories is not None
    assert agent.memories.strategy == "scratchpad"
    assert (agent.files, agent.shell, agent.tools) == (None, None, None)
    assert plan.limits == RunLimits()


def test_the_root_is_driven_and_writes_programs_whatever_it_was_to_be(tmp_path: Path) -> None:
    compaction = {"id": "compaction", "implementation": "summary", "params": {"threshold": 0.85}}
    plan = planned(
        tmp_path,
        {
            "id": "a",
            "execution": "tool_calling",
            "codeMode": {"delivery": "tool", "typecheck": "warn"},
            "model": {**SCRIPTED, "contextWindow": 9000},
            "capabilities": [MEMORIES, compaction],
        },
    )

    agent = plan.root_agent
    assert isinstance(agent.model, HumanModel)
    assert agent.model.context_window_tokens == 9000
    assert agent.execution == "responses_as_code"
    assert (agent.code_mode.delivery, agent.code_mode.typecheck) == ("reply", "warn")
    assert agent.memories is not None
    assert agent.compaction is None


def test_limits_of_the_run_do_not_hold_but_that_of_cost_and_those_of_the_sandbox(tmp_path: Path) -> None:
    plan = planned(
        tmp_path,
        {"id": "a"},
        limits={"maxTurns": 3, "maxRuntimeSecs": 60, "maxConsecutiveErrors": 2, "maxCost": 1.5},
        sandbox={"guestSecs": 2},
    )

    assert plan.limits == RunLimits(max_cost=1.5)
    assert plan.sandbox.guest_s == 2


def test_other_agents_have_their_own_models(tmp_path: Path) -> None:
    plan = planned(tmp_path, {"id": "a"}, {"id": "b"}, root="a")

    assert isinstance(plan.agent("a").model, HumanModel)
    assert isinstance(plan.agent("b").model, ScriptedModel)


def test_another_agent_whose_model_is_a_person_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        NobodyToAsk,
        match="agent b has a human model, and only the root is given its replies; name another model for it",
    ):
        planned(tmp_path, {"id": "a"}, {"id": "b", "model": "human"}, root="a")


def test_a_model_that_the_root_had_needs_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    plan = planned(tmp_path, {"id": "a"}, model="openai:gpt-5")

    assert isinstance(plan.root_agent.model, HumanModel)
    with pytest.raises(LaunchRefused, match="OPENAI_API_KEY"):
        planned(tmp_path, {"id": "a"}, {"id": "b"}, root="a", model="openai:gpt-5")
