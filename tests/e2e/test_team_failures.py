"""Agents of a team that fail, run out of something, or are stopped with another one."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from host.events import AgentEnded, ApiCall, Defect, LimitExceeded, TurnOutcome
from host.launch import LaunchPlan
from runtime_js import Compiler
from tests.helpers.acts import asks_for, awaits_issues, creates, finishes, spawns, waits
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.teams import Said, Script, after, ends, failed_checks, memories, run_team, says, starts

WAIT_S: Final = 60.0


def no_call() -> Said:
    return "I would rather not."


def fails() -> Said:
    raise OSError("the line is dead")


# What the child answers, forever, how it ends, and the limit that it has reached. The others stay within it.
FAILURES: Final[dict[str, tuple[Callable[[], Said], str, str | None]]] = {
    "a model that fails": (fails, "model_error", None),
    "turns that are used up": (lambda: (waits(),), "exhausted", "maxTurns"),
    "errors in a row": (no_call, "limit_exceeded", "maxConsecutiveErrors"),
    "a window that is full as it opens": (no_call, "compaction_failed", None),
}
TINY: Final = {
    "id": "compaction",
    "enabled": True,
    "implementation": "summary",
    "params": {"threshold": 0.5},
}


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("failure", FAILURES)
def test_a_child_that_fails_is_told_of_by_its_status_alone(
    failure: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    answers, status, limit = FAILURES[failure]

    def script(agent_id: str, number: int) -> Said:
        if agent_id == "kid":
            return answers()
        return [no_call(), (spawns("kid"), waits()), no_call(), (finishes(),)][number - 1]

    capabilities = [TINY] if status == "compaction_failed" else []
    ran = run_team(
        tmp_path / "r",
        script,
        {"root": {"roster": starts("kid")}, "kid": {"capabilities": capabilities}},
        execution=execution,
        compiler=compiler,
        limits={"maxTurns": 5, "maxConsecutiveErrors": 2},
        context_window_tokens=100,
    )

    assert (ran.result.status, ran.result.exit_code, failed_checks(ran)) == ("completed", 0, [])
    assert ran.given("root", 2)[1] == [{"id": "kid", "agent": "kid", "status": status}]
    assert ends(ran) == {"kid": (status, None)}
    reached = [(agent_id, event.limit) for agent_id, event in ran.by_agent(LimitExceeded)]
    assert reached == ([("kid", limit)] if limit else [])


def test_errors_are_counted_for_each_agent_alone(tmp_path: Path) -> None:
    """Three agents each with an error less than would end it, one with as many."""

    def script(agent_id: str, number: int) -> Said:
        if agent_id == "root":
            return [
                no_call(),
                (spawns("kid"), spawns("kid"), spawns("kid"), waits()),
                no_call(),
                (finishes(),),
            ][number - 1]
        return no_call() if number <= {"kid": 1, "kid-2": 1, "kid-3": 2}[agent_id] else (finishes(),)

    agents = {"root": {"roster": starts("kid")}, "kid": {}}
    ran = run_team(tmp_path / "r", script, agents, limits={"maxTurns": 9, "maxConsecutiveErrors": 2})

    assert ran.result.status == "completed"
    assert {id_: status for id_, (status, _) in ends(ran).items()} == {
        "kid": "completed",
        "kid-2": "completed",
        "kid-3": "limit_exceeded",
    }
    consecutive = {
        id_: [outcome.consecutive_errors for outcome in ran.of(TurnOutcome, id_)] for id_ in ("root", "kid-3")
    }
    assert consecutive == {"root": [1, 0, 1, 0], "kid-3": [1, 2]}


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_children_that_run_when_their_spawner_ends_are_canceled_at_their_next_boundary(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    """The children of a child are as well; what they do in the turn that they are in stands."""
    below, over = threading.Event(), threading.Event()
    script: Script = {
        "root": [(spawns("kid"),), after(lambda: below.wait(WAIT_S), waits()), (finishes(),)],
        "kid": [(spawns("low"),), after(lambda: below.wait(WAIT_S), finishes("gone"))],
        "low": [after(lambda: (below.set(), over.wait(WAIT_S))[1], creates("of-low"))],
    }
    kept = {"capabilities": [memories("inherited")]}
    agents = {
        "root": {**kept, "roster": starts("kid")},
        "kid": {**kept, "roster": starts("low")},
        "low": kept,
    }
    ran = run_team(
        tmp_path / "r",
        script,
        agents,
        execution=execution,
        compiler=compiler,
        change=says(over, AgentEnded, "kid"),
    )

    assert failed_checks(ran) == []
    assert ends(ran) == {"kid": ("completed", "gone"), "low": ("canceled", None)}
    assert [memory.name for memory in ran.result.memories] == ["of-low"]
    assert [outcome.turn for outcome in ran.of(TurnOutcome, "low")] == [1]


@pytest.mark.slow
@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_run_s_time_ends_an_agent_that_waits_for_another(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    released = threading.Event()

    def hangs() -> Said:
        assert released.wait(WAIT_S)
        return (finishes(),)

    script: Script = {"root": [(spawns("kid"), waits())], "kid": [hangs]}
    agents = {"root": {"roster": starts("kid")}, "kid": {}}
    try:
        ran = run_team(
            tmp_path / "r",
            script,
            agents,
            execution=execution,
            compiler=compiler,
            limits={"maxRuntimeSecs": 1},
        )
    finally:
        released.set()

    assert (ran.result.status, ran.result.exit_code, failed_checks(ran)) == ("timed_out", 3, [])
    assert ends(ran) == {"kid": ("timed_out", None)}


def test_a_worker_that_is_killed_at_a_child_s_program_ends_the_whole_run(
    tmp_path: Path, compiler: Compiler
) -> None:
    """Meanwhile the spawner waits for the child, a brother of it for an issue; others ask their models."""
    others, broken = {child.pid for child in children()}, threading.Event()

    def kills() -> Said:
        for child in children():
            if child.pid not in others and "python" in child.name():
                child.kill()
        return (waits(),)

    until_broken = after(lambda: broken.wait(WAIT_S), waits())
    endless = (
        'import { delegation } from "gg";\n'
        'delegation.spawnSubagent({ agent: "killer", prompt: "Now." });\nfor (;;) {}\n'
    )
    script: Script = {
        "root": [(spawns("brother"), spawns("kid"), waits())],
        "brother": [(asks_for("One"), awaits_issues())],
        "worker": [until_broken],
        "kid": [endless],
        "killer": [kills, until_broken],
    }
    agents = {
        "root": {"roster": starts("brother", "kid")},
        "brother": {},
        "kid": {"execution": "responses_as_code", "roster": starts("killer")},
        "killer": {},
        "worker": {},
    }
    board = dict.fromkeys(("implementer", "reviewer", "merge"), "worker")
    ran = run_team(
        tmp_path / "r", script, agents, compiler=compiler, board=board, change=says(broken, Defect)
    )

    assert (ran.result.status, ran.result.exit_code, failed_checks(ran)) == ("internal_error", 1, [])
    (defect,) = ran.of(Defect)
    assert (defect.kind, defect.agent_id_of, defect.facts["exitStatus"]) == ("sandbox", "kid", -9)
    assert {status for status, _ in ends(ran).values()} == {"internal_error"}
    (wait,) = [call for call in ran.of(ApiCall, "root") if call.operation == "delegation.wait_for_subagents"]
    assert (wait.ok, wait.code) == (False, "io-error")


def children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def changed(plan: LaunchPlan, agent: str, **memories: Any) -> LaunchPlan:  # noqa: ANN401 - of MemoriesPlan
    """The plan with other memories of one agent, which no configuration would have been let through with."""
    entry = plan.agent(agent)
    assert entry.memories is not None
    other = replace(entry, memories=replace(entry.memories, **memories))
    return replace(plan, agents=tuple(other if each.id == agent else each for each in plan.agents))


COMPACTING: Final = {
    "id": "compaction",
    "enabled": True,
    "implementation": "memory-compaction",
    "params": {"threshold": 0.5},
}


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"strategy": "keyword-search"}, "organizes its memories as keyword-search"),
        ({"scope": "read-only"}, "compacts its window by memory-compaction and may only read"),
    ],
)
def test_a_store_that_cannot_be_bound_as_it_is_wanted_is_a_defect(
    changes: dict[str, str], found: str, tmp_path: Path
) -> None:
    said = {"root": [(spawns("kid"), waits())], "kid": [(finishes(),)]}
    agents = {
        "root": {"capabilities": [memories("isolated")], "roster": starts("kid")},
        "kid": {"capabilities": [memories("inherited"), COMPACTING]},
    }
    ran = run_team(
        tmp_path / "r",
        said,
        agents,
        context_window_tokens=100_000,
        change_plan=lambda plan: changed(plan, "kid", **changes),
    )

    assert (ran.result.status, ran.result.exit_code, failed_checks(ran)) == ("internal_error", 1, [])
    (defect,) = ran.of(Defect)
    assert defect.kind == "agents"
    assert found in defect.detail
    assert "kid" not in ran.prompts
