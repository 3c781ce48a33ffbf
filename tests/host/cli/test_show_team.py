"""`gg show` over the record of several agents."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from host.app import NotThere
from host.cli.commands.show import show
from tests.host.cli.test_live_team import interleaved, margin
from tests.host.events.children import begin
from tests.host.events.runs import STARTED
from tests.host.events.team import Story, begun, of, team_run

GOLDEN = Path(__file__).parent / "golden"
TABLE = """\
agent      profile  started as   by       status     turns  store
planner    planner  root                  completed      2  memories-1
scout      scout    subagent     planner  completed      1  memories-1
scout-2    scout    subagent     planner  completed      1  memories-2
reader     reader   subagent     planner  exhausted      1  memories-1 to read
planner-2  planner  fork         planner  completed      1  memories-3
dev        dev      implementer  issue-1  completed      1
writer     writer   successor    planner  completed      1  memories-1
"""


def written(path: Path, story: Story) -> Path:
    with begin(path) as record:
        for agent_id, event in story:
            record.log.emit(event, agent_id=agent_id)
    return path


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return written(tmp_path / "r", team_run())


def ran(path: Path, *options: str) -> Result:
    return CliRunner().invoke(show, [str(path), *options], catch_exceptions=False)


def shown(path: Path, *options: str) -> str:
    result = ran(path, *options)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(path: Path, *options: str) -> str:
    with pytest.raises(NotThere) as exc_info:
        ran(path, *options)
    return str(exc_info.value)


def test_a_run_of_several_agents_is_shown_whole(record: Path, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / "show_team.txt", shown(record))


def test_the_agents_stand_at_the_top(record: Path) -> None:
    assert shown(record).startswith(f"study: Count.\n\n{TABLE}\nTurn 1 · planner\n")


def test_an_agent_that_has_not_ended_is_running_or_was_cut_off(tmp_path: Path) -> None:
    story = [*of("a", STARTED), *interleaved()]
    with begin(tmp_path / "live") as live:
        for agent_id, event in story:
            live.log.emit(event, agent_id=agent_id)
        live.log.flush()
        running = shown(live.path).splitlines()[2:5]
    cut = shown(written(tmp_path / "cut", story)).splitlines()[2:5]

    assert [row.split()[-2] for row in running] == ["turns", "running", "running"]
    assert [row.split()[-3:-1] for row in cut[1:]] == [["cut", "off"]] * 2


def test_some_agents_can_be_shown_without_the_others(record: Path) -> None:
    text = shown(record, "--agent", "reader", "--agent", "scout-2")

    assert margin(text) == [
        "study: Count.",
        "agent    profile  started as  by       status     turns  store",
        "scout-2  scout    subagent    planner  completed      1  memories-2",
        "reader   reader   subagent    planner  exhausted      1  memories-1 to read",
        "scout-2 starts as a subagent of planner: Look …",
        "Turn 1 · scout-2",
        "reader starts as a subagent of planner: Read.",
        "Turn 1 · scout-2, continued",
        "scout-2 ends: completed",
        "Turn 1 · reader",
        "reader ends: exhausted: maxTurns: 1, limit 1",
        "completed after 8 turns of 7 agents, 1 min 30 s",
        "Memories of memories-1 (markdown): 2 memories, shared, handed on",
        "Memories of memories-2 (markdown): 1 memory",
    ]
    alone = margin(shown(record, "--agent", "planner"))
    assert [line for line in alone if line.startswith(("Turn", "issue"))] == [
        "Turn 1 · planner",
        "Turn 2 · planner",
        "issue-1 open: Fix the parser",
        "Turn 2 · planner, continued",
    ]


def test_some_agents_as_json(record: Path) -> None:
    value = json.loads(shown(record, "--json", "--agent", "planner-2", "--agent", "dev"))

    assert [agent["agentId"] for agent in value["agents"]] == ["planner-2", "dev"]
    assert [turn["agentId"] for turn in value["turns"]] == ["planner-2", "dev"]
    assert (list(value["stores"]), len(value["issues"])) == (["memories-3"], 1)
    whole = json.loads(shown(record, "--json"))
    assert (len(whole["agents"]), list(whole["stores"])) == (7, ["memories-1", "memories-2", "memories-3"])
    assert json.loads(shown(record, "--json", "--agent", "scout"))["issues"] == []


def test_a_turn_of_one_agent_is_shown_with_the_stores_as_they_were(record: Path) -> None:
    text = shown(record, "--at", "1", "--agent", "scout-2")

    assert margin(text) == [
        "Turn 1 · scout-2",
        "Memories of memories-1 (markdown): 2 memories, shared",
        "Memories of memories-2 (markdown): 1 memory",
    ]
    value = json.loads(shown(record, "--at", "1", "--agent", "planner-2", "--json"))
    assert (value["agentId"], value["turn"]) == ("planner-2", 1)
    assert [(turn["agentId"], turn["turn"]) for turn in value["turns"]] == [("planner-2", 1)]
    assert [prompt["agentId"] for prompt in value["prompts"]] == ["planner-2"]
    assert value["stores"]["memories-3"]["memories"]["csv"]["body"] == "Not quoted."


def test_a_turn_that_one_agent_alone_has_needs_no_agent(record: Path) -> None:
    assert margin(shown(record, "--at", "2"))[0] == "Turn 2 · planner"
    assert shown(record, "--at", "2") == shown(record, "--at", "2", "--agent", "planner")


REFUSED = [
    (
        ("--at", "1"),
        "turn 1 is one of `planner`, `scout`, `scout-2`, `reader`, `planner-2`, `dev` and `writer`;"
        " say which with --agent",
    ),
    (("--memory", "csv", "--at", "1"), "turn 1 is one of `planner`,"),
    (("--at", "3"), "there is no turn 3; the run has turns 1 to 2"),
    (("--at", "2", "--agent", "scout"), "`scout` has no turn 2; it has turn 1 alone"),
    (
        ("--agent", "nobody"),
        "there is no agent `nobody`; the run had `planner`, `scout`, `scout-2`, `reader`, `planner-2`, `dev`"
        " and `writer`",
    ),
    (("--agent", "scout", "--agent", "scuot-2"), "there is no agent `scuot-2`; did you mean `scout-2`?"),
    (
        ("--memory", "plan", "--agent", "scout-2"),
        "no store of these agents ever held `plan`; leave --agent out to look into all",
    ),
    (("--memory", "plan@3"), "`plan` has no revision 3; there are 1 to 2"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_what_is_not_there_or_is_not_clear_is_one_line(
    options: tuple[str, ...], told: str, record: Path
) -> None:
    assert refused(record, *options).startswith(told)


def test_of_many_agents_the_first_are_named(tmp_path: Path) -> None:
    story = [event for n in range(1, 15) for event in begun(f"a-{n}", None)]
    named = ", ".join(f"`a-{n}`" for n in range(1, 11))

    told = refused(written(tmp_path / "r", story), "--agent", "zzzz")
    assert told == f"there is no agent `zzzz`; the run had {named} and 4 more"


def test_a_memory_is_named_with_each_store_that_holds_it(record: Path) -> None:
    assert (
        shown(record, "--memory", "csv")
        == """\
csv: The exports, in memories-1 of planner, scout, reader and writer
    #1     written by scout, turn 1, 7 characters
    #2     updated by writer, turn 1, 15 characters
           │ Quoted.
           │ Always.
csv: The exports, in memories-3 of planner-2
    #1     written by scout, turn 1, 7 characters
    #2     updated by planner-2, turn 1, 11 characters
           │ Not quoted.
"""
    )
    assert shown(record, "--memory", "csv", "--agent", "planner-2").splitlines()[0] == "csv: The exports"
    assert [line for line in shown(record, "--memory", "plan@2").splitlines() if "plan" in line] == [
        "plan (deleted)",
        "    #2     deleted by planner-2, turn 1",
    ]


def test_a_memory_as_a_turn_left_it(record: Path) -> None:
    text = shown(record, "--memory", "csv", "--at", "1", "--agent", "scout")

    assert text.splitlines() == [
        "csv: The exports",
        "    #1     written by scout, turn 1, 7 characters",
        "           │ Quoted.",
    ]


def test_a_memory_of_several_stores_as_json(record: Path) -> None:
    value = json.loads(shown(record, "--memory", "plan", "--json"))

    assert [(store["moduleId"], store["held"], store["holders"]) for store in value["stores"]] == [
        ("memories-1", True, ["planner", "scout", "reader", "writer"]),
        ("memories-3", False, ["planner-2"]),
    ]
    assert [row["revision"] for row in value["stores"][1]["revisions"]] == [1, 2]
