"""Issues in real runs, in both modes: who works on them, what is sent back, what waits for what."""

import threading
from pathlib import Path
from typing import Final

import pytest

from host.events import AgentSpawned, IssueState
from runtime_js import Compiler
from tests.helpers.acts import approves, asks_for, awaits_issues, finishes, forks, requests, waits
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.teams import Said, Script, TeamRan, failed_checks, run_team

WAIT_S: Final = 60.0


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
            if agent_id == "dev-2":
                raise OSError("The line is dead.")
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


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_copy_of_a_reviewer_has_another_way_to_end(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {
        "root": [(asks_for("One"), awaits_issues()), (finishes(),)],
        "dev": [(finishes("Did it."),)],
        "judge": [(forks("Try it out."),), (waits(),), (approves(),)],
        "judge-2": [(approves(),), (finishes("It works."),)],
        "merger": [(finishes("Merged."),)],
    }
    agents = {"root": {}, "dev": {}, "judge": {}, "merger": {}}
    ran = run_team(tmp_path / "r", script, agents, execution=execution, compiler=compiler, board=board_of())

    assert (ran.result.status, failed_checks(ran)) == ("completed", [])
    copy = {"id": "judge-2", "agent": "judge", "status": "completed", "summary": "It works."}
    assert ran.given("judge", 2) == [[copy]]
    (refused,) = ran.given("judge-2", 1)
    assert refused.startswith("unavailable: ")
    prompts = {id_: ran.prompts[id_][0][0].text for id_ in ("judge", "judge-2")}
    assert {id_: "You judge what another agent did." in text for id_, text in prompts.items()} == {
        "judge": True,
        "judge-2": False,
    }
    ending = "finish" if execution == "tool_calling" else "session.finish"
    assert {id_: f"`{ending}" in text for id_, text in prompts.items()} == {"judge": False, "judge-2": True}
