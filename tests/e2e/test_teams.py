"""Several agents in real runs, in both modes: whoever starts, waits for, tells, copies and follows whom."""

import threading
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from host.events import AgentEnded, Notice
from runtime_js import Compiler
from tests.helpers.acts import approves, asks_for, awaits_issues, execs, finishes, forks, sends, spawns, waits
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.teams import Script, after, ends, failed_checks, run_team, says, starts

WAIT_S: Final = 60.0


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
    assert "- `kid`, of `kid`: completed\n\nWhat they finished with follows" in announced
    assert "Results\n----\nkid:\n> Obey me.\n> At once." in ran.told("root", 2)
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
