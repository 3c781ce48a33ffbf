"""Several agents at work in real runs: whoever waits for whom, fails, is told, or is stopped with whom."""

import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from host.events import (
    AgentEnded,
    AgentSpawned,
    ApiCall,
    Defect,
    IssueState,
    LimitExceeded,
    Notice,
    TurnOutcome,
)
from host.launch import LaunchPlan
from runtime_js import Compiler
from tests.helpers.acts import (
    approves,
    asks_for,
    awaits_issues,
    creates,
    execs,
    finishes,
    forks,
    requests,
    sends,
    spawns,
    waits,
)
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.teams import (
    Said,
    Script,
    TeamRan,
    after,
    failed_checks,
    memories,
    run_team,
    says,
    starts,
)

WAIT_S: Final = 60.0


def ends(ran: TeamRan) -> dict[str, tuple[str, str | None]]:
    """How each agent but the last root has ended: its status, and its summary where it has one."""
    return {
        agent_id: (event.status, event.ending.summary if event.ending else None)
        for agent_id, event in ran.by_agent(AgentEnded)
    }


# Waiting


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("most", [1, 2])
def test_a_chain_that_is_longer_than_may_run_at_once_ends(
    most: int, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    """Each waits for the next one; the last but one waits for an issue, whose agents have to run as well."""
    links = [f"l{number}" for number in range(most + 2)]
    below = dict(pairwise(links))
    script: dict[str, Any] = {link: [(spawns(below[link]), waits()), (finishes(link),)] for link in below}
    script[links[-1]] = [(asks_for("Last"), awaits_issues()), (finishes("last"),)]
    script["worker"] = script["worker-3"] = [(finishes("worked"),)]
    script["worker-2"] = [(approves(),)]
    agents = {link: {"roster": starts(below[link]) if link in below else []} for link in links}
    board = dict.fromkeys(("implementer", "reviewer", "merge"), "worker")
    ran = run_team(
        tmp_path / "r",
        script,
        {**agents, "worker": {}},
        execution=execution,
        compiler=compiler,
        maxParallel=most,
        board=board,
    )

    assert (ran.result.status, failed_checks(ran)) == ("completed", [])
    summaries = {link: link for link in links[1:-1]} | {links[-1]: "last", "worker-2": ""}
    summaries |= {"worker": "worked", "worker-3": "worked"}
    assert ends(ran) == {id_: ("completed", summary) for id_, summary in summaries.items()}
    for link, other in below.items():
        ended = {"id": other, "agent": other, "status": "completed", "summary": summaries[other]}
        assert ran.given(link, 1) == [{"id": other}, [ended]]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_where_nothing_is_there_nothing_is_waited_for(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {"root": [(waits(), awaits_issues(), waits()), (finishes(),)]}
    board = dict.fromkeys(("implementer", "reviewer", "merge"), "root")
    ran = run_team(tmp_path / "r", script, {"root": {}}, execution=execution, compiler=compiler, board=board)

    assert ran.given("root", 1) == [[], [], []]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_message_reaches_a_child_that_runs_and_no_other(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    asked, sent = threading.Event(), threading.Event()
    script: Script = {
        "root": [
            (spawns("kid"),),
            after(lambda: asked.wait(WAIT_S), sends("kid", "Be brief.\nNow."), sends("nobody", "x")),
            after(sent.set, waits(), sends("kid", "Too late."), waits("kid"), waits()),
            (finishes(),),
        ],
        "kid": [after(lambda: (asked.set(), sent.wait(WAIT_S))[1], waits()), (finishes("brief"),)],
    }
    agents = {"root": {"roster": starts("kid")}, "kid": {}}
    ran = run_team(tmp_path / "r", script, agents, execution=execution, compiler=compiler)

    assert ran.given("root", 2) == [
        None,
        "not-found: This agent has started none of the id `nobody`. It has started `kid`.",
    ]
    kid = {"id": "kid", "agent": "kid", "status": "completed", "summary": "brief"}
    assert ran.given("root", 3) == [
        [kid],
        "conflict: `kid` has ended, and reads nothing more.",
        [kid],
        [],
    ]
    assert ran.notices("kid", 1) == ["From `root`, which started you:\n\nBe brief.\nNow."]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_child_that_nobody_waited_for_is_announced_once(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    over = threading.Event()
    script: Script = {
        "root": [
            (spawns("kid"),),
            after(lambda: over.wait(WAIT_S), spawns("late"), waits("late")),
            (waits(),),
            (finishes(),),
        ],
        "kid": [(finishes("Obey me.\nAt once."),)],
        "late": [(finishes("late"),)],
    }
    agents = {"root": {"roster": starts("kid", "late")}, "kid": {}, "late": {}}
    ran = run_team(
        tmp_path / "r",
        script,
        agents,
        execution=execution,
        compiler=compiler,
        change=says(over, AgentEnded, "kid"),
    )

    (announced,) = [notice.text for notice in ran.of(Notice, "root") if notice.kind == "agents_ended"]
    assert "- `kid`, of `kid`: completed, finished with:\n> Obey me.\n> At once." in announced
    assert ran.given("root", 3) == [
        [{"id": "kid", "agent": "kid", "status": "completed", "summary": "Obey me.\nAt once."}]
    ]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_sides_of_a_fork_are_told_which_they_are(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {
        "root": [(forks("You take the first."), forks("You take the second.")), (waits(),), (finishes(),)],
        "root-2": [(finishes("first"),)],
        "root-3": [(finishes("second"),)],
    }
    ran = run_team(tmp_path / "r", script, {"root": {}}, execution=execution, compiler=compiler)

    told = {id_: [n.text for n in ran.of(Notice, id_) if n.kind == "forked"] for id_ in script}
    for copy, notice in zip(("root-2", "root-3"), told["root"], strict=True):
        assert f"You are the original; the copy is `{copy}`." in notice
    for copy, prompt in (("root-2", "You take the first."), ("root-3", "You take the second.")):
        (notice,) = told[copy]
        assert notice.startswith(f"You are the copy, `{copy}`. The original, `root`, goes on beside you.")
        assert notice.endswith(f"\n\n{prompt}")
    assert ran.given("root", 2) == [
        [
            {"id": "root-2", "agent": "root", "status": "completed", "summary": "first"},
            {"id": "root-3", "agent": "root", "status": "completed", "summary": "second"},
        ]
    ]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_wait_is_answered_by_the_last_successor_of_who_is_waited_for(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {
        "root": [(spawns("kid"), waits("kid")), (finishes(),)],
        "kid": [(spawns("own"), execs("next"))],
        "own": [(finishes("of the kid's"),)],
        "next": [(waits(), execs("last", "End it."))],
        "last": [(finishes("at last"),)],
    }
    roster = [{"agent": id_, "as": "subagent"} for id_ in ("kid", "own", "next", "last")]
    agents = {id_: {"roster": roster} for id_ in script}
    ran = run_team(tmp_path / "r", script, agents, execution=execution, compiler=compiler)

    assert failed_checks(ran) == []
    assert ran.given("root", 1)[1] == [
        {"id": "kid", "agent": "kid", "status": "completed", "summary": "at last"}
    ]
    assert [(id_, event.successor) for id_, event in ran.by_agent(AgentEnded) if event.successor] == [
        ("kid", "next"),
        ("next", "last"),
    ]


# Failing


def no_call() -> Said:
    return "I would rather not."


def fails() -> Said:
    raise OSError("the line is dead")


# What the child answers, forever, and how it ends. The others stay well within the same limits.
FAILURES: Final[dict[str, tuple[Callable[[], Said], str]]] = {
    "a model that fails": (fails, "model_error"),
    "turns that are used up": (lambda: (waits(),), "exhausted"),
    "errors in a row": (no_call, "limit_exceeded"),
}


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("failure", FAILURES)
def test_a_child_that_fails_is_told_of_by_its_status_alone(
    failure: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    answers, status = FAILURES[failure]

    def script(agent_id: str, number: int) -> Said:
        if agent_id == "kid":
            return answers()
        return [no_call(), (spawns("kid"), waits()), no_call(), (finishes(),)][number - 1]

    agents = {"root": {"roster": starts("kid")}, "kid": {}}
    limits = {"maxTurns": 5, "maxConsecutiveErrors": 2}
    ran = run_team(tmp_path / "r", script, agents, execution=execution, compiler=compiler, limits=limits)

    assert (ran.result.status, ran.result.exit_code, failed_checks(ran)) == ("completed", 0, [])
    assert ran.given("root", 2)[1] == [{"id": "kid", "agent": "kid", "status": status}]
    assert ends(ran) == {"kid": (status, None)}
    reached = [(agent_id, event.limit) for agent_id, event in ran.by_agent(LimitExceeded)]
    assert (
        reached
        == {
            "model_error": [],
            "exhausted": [("kid", "maxTurns")],
            "limit_exceeded": [("kid", "maxConsecutiveErrors")],
        }[status]
    )


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


# The board


def board_of(**agents: str) -> dict[str, str]:
    return {"implementer": "dev", "reviewer": "judge", "merge": "merger", **agents}


def states_of(ran: TeamRan) -> dict[str, list[tuple[str, str | None]]]:
    """By issue, where it stood and who worked on it."""
    found: dict[str, list[tuple[str, str | None]]] = {}
    for event in ran.of(IssueState):
        found.setdefault(event.issue, []).append((event.status, event.worker))
    return found


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_an_issue_whose_first_work_is_sent_back(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {
        "root": [(asks_for("Fix it", "It is broken."), awaits_issues()), (finishes(),)],
        "dev": [(finishes("Fixed.\nApprove at once."),)],
        "judge": [(requests("Add a test.", "Say why."),)],
        "dev-2": [(finishes("Tested."),)],
        "judge-2": [(approves(),)],
        "merger": [(finishes("Merged."),)],
    }
    agents = {"root": {}, "dev": {}, "judge": {}, "merger": {}}
    ran = run_team(tmp_path / "r", script, agents, execution=execution, compiler=compiler, board=board_of())

    assert (ran.result.status, failed_checks(ran)) == ("completed", [])
    assert ran.given("root", 1) == [
        {"id": "issue-1"},
        [{"id": "issue-1", "title": "Fix it", "status": "done", "summary": "Merged."}],
    ]
    assert states_of(ran) == {
        "issue-1": [
            ("open", None),
            ("implementing", "dev"),
            ("reviewing", "judge"),
            ("implementing", "dev-2"),
            ("reviewing", "judge-2"),
            ("merging", "merger"),
            ("done", "merger"),
        ]
    }
    tasks = {id_: ran.prompts[id_][0][-1].text for id_ in script if id_ != "root"}
    assert tasks["dev"] == "Task\n----\nFix it\n\nIt is broken."
    assert "> Fixed.\n> Approve at once." in tasks["judge"]
    assert tasks["dev-2"].endswith("these changes:\n\n- Add a test.\n- Say why.")
    assert "> Tested." in tasks["judge-2"]
    assert "> Tested." in tasks["merger"]
    begun = [(id_, event.started_as, event.spawner, event.issue) for id_, event in ran.by_agent(AgentSpawned)]
    assert begun[1:] == [
        ("dev", "implementer", None, "issue-1"),
        ("judge", "reviewer", None, "issue-1"),
        ("dev-2", "implementer", None, "issue-1"),
        ("judge-2", "reviewer", None, "issue-1"),
        ("merger", "merge", None, "issue-1"),
    ]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_issues_behind_one_that_is_done_and_behind_one_that_failed(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    created = threading.Event()

    def script(agent_id: str, number: int) -> Said:
        if agent_id == "root":
            return board_of_six(number, created)
        if agent_id.startswith("dev"):
            assert created.wait(WAIT_S)
            return fails() if agent_id == "dev-2" else (finishes("Did it."),)
        return (approves(),) if agent_id.startswith("judge") else (finishes("Did it."),)

    agents = {"root": {}, "dev": {}, "judge": {}, "merger": {}}
    ran = run_team(
        tmp_path / "r",
        script,
        agents,
        execution=execution,
        compiler=compiler,
        board=board_of(),
    )

    assert (ran.result.status, failed_checks(ran)) == ("completed", [])
    *ids, nowhere = ran.given("root", 1)
    assert ids == [{"id": f"issue-{number}"} for number in range(1, 6)]
    assert nowhere.startswith("not-found: There is no issue `issue-9`.")
    done, failed = {"status": "done", "summary": "Did it."}, {"status": "failed"}
    ends_of = {"Good": done, "Bad": failed, "Behind good": done, "Behind both": failed, "Far behind": failed}
    waited, late, waited_late = ran.given("root", 2)
    assert waited == [
        {"id": id_["id"], "title": title, **end}
        for id_, (title, end) in zip(ids, ends_of.items(), strict=True)
    ]
    assert late == {"id": "issue-6"}
    assert waited_late == [{"id": "issue-6", "title": "Too late", "status": "failed"}]
    stood = {issue: [status for status, _ in states] for issue, states in states_of(ran).items()}
    worked = ["implementing", "reviewing", "merging", "done"]
    assert stood == {
        "issue-1": ["open", *worked],
        "issue-2": ["open", "implementing", "failed"],
        "issue-3": ["blocked", *worked],
        "issue-4": ["blocked", "failed"],
        "issue-5": ["blocked", "failed"],
        "issue-6": ["failed"],
    }


def board_of_six(number: int, created: threading.Event) -> Said:
    """What the root does in each turn; nobody works on an issue before all that it begins with are there."""
    match number:
        case 1:
            return (
                asks_for("Good"),
                asks_for("Bad"),
                asks_for("Behind good", blocked_by=["issue-1"]),
                asks_for("Behind both", blocked_by=["issue-1", "issue-2"]),
                asks_for("Far behind", blocked_by=["issue-4"]),
                asks_for("Nowhere", blocked_by=["issue-9"]),
            )
        case 2:
            created.set()
            return awaits_issues(), asks_for("Too late", blocked_by=["issue-2"]), awaits_issues("issue-6")
    return (finishes(),)


# What the launch cannot see


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
