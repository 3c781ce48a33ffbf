"""A run of several agents as a person looks at it."""

from datetime import timedelta

import pytest

from host.events import AgentTransition, AgentView, RunFold, fold_agents, fold_run, plain, until_turn
from tests.host.events.samples import START
from tests.host.events.team import asks, begun, closes, ended, handed, of, stamp, team_run

VIEW = fold_run(stamp(team_run()))


def agent(agent_id: str) -> AgentView:
    (found,) = [each for each in VIEW.agents if each.agent_id == agent_id]
    return found


def test_each_agent_is_known_with_its_start_and_its_end() -> None:
    told = [
        (
            each.agent_id,
            each.spawned.started_as,
            each.spawned.spawner,
            each.spawned.issue,
            each.status,
            each.turns,
        )
        for each in VIEW.agents
        if each.spawned
    ]

    assert told == [
        ("planner", "root", None, None, "completed", 2),
        ("scout", "subagent", "planner", None, "completed", 1),
        ("scout-2", "subagent", "planner", None, "completed", 1),
        ("reader", "subagent", "planner", None, "exhausted", 1),
        ("planner-2", "fork", "planner", None, "completed", 1),
        ("dev", "implementer", None, "issue-1", "completed", 1),
        ("writer", "successor", "planner", None, "completed", 1),
    ]
    assert VIEW.mismatches == ()


def test_the_last_root_ends_with_the_run_and_the_others_by_themselves() -> None:
    planner, writer = agent("planner"), agent("writer")

    assert planner.ended is not None
    assert (planner.ended.successor, writer.ended, writer.ended_at) == ("writer", None, None)
    assert [(each.by, each.to, each.turn) for each in planner.transitions] == [
        ("fork", "planner-2", 1),
        ("transition", "writer", 2),
    ]
    without_summary = fold_run(stamp(team_run()[:-1]))
    assert [each.agent_id for each in without_summary.agents if each.status is None] == ["writer"]


def test_turns_stand_in_the_order_in_which_they_began() -> None:
    assert [(turn.agent_id, turn.turn) for turn in VIEW.turns] == [
        ("planner", 1),
        ("scout", 1),
        ("scout-2", 1),
        ("reader", 1),
        ("planner-2", 1),
        ("planner", 2),
        ("dev", 1),
        ("writer", 1),
    ]
    assert [turn.outcome is not None for turn in VIEW.turns] == [True] * 8
    by_agent = {turn.agent_id: [revision.name for revision in turn.revisions] for turn in VIEW.turns}
    assert by_agent["planner-2"] == ["csv", "plan"]


def test_an_issue_is_known_with_its_history() -> None:
    (found,) = VIEW.issues

    assert (found.issue, found.creator, found.now.status, found.now.summary) == (
        "issue-1",
        "planner",
        "failed",
        "Fixed.",
    )
    assert [(step.agent_id, step.state.status, step.state.worker) for step in found.history] == [
        ("planner", "open", None),
        ("dev", "implementing", "dev"),
        ("dev", "failed", "dev"),
    ]


def held(module_id: str) -> list[tuple[str, str | None, str, str | None, bool]]:
    return [
        (each.agent_id, each.origin, each.access, each.scope, each.until is None)
        for each in VIEW.stores[module_id].holders
    ]


def test_a_store_is_known_with_all_who_held_it() -> None:
    assert held("memories-1") == [
        ("planner", "created", "write", "isolated", False),
        ("scout", "inherited", "write", "inherited", False),
        ("reader", "inherited", "read", "read-only", False),
        ("writer", "transferred", "write", "isolated", True),
    ]
    assert held("memories-2") == [("scout-2", "created", "write", "inherited", False)]
    assert held("memories-3") == [("planner-2", "forked", "write", "isolated", False)]


def test_a_hold_lasts_until_its_agent_ends_or_hands_over() -> None:
    seqs = {(each.agent_id, type(each.event).__name__): each.seq for each in stamp(team_run())}
    until = {
        each.agent_id: each.until.seq for each in VIEW.stores["memories-1"].holders if each.until is not None
    }

    assert until == {
        "planner": seqs["planner", "AgentTransition"],  # the later one; the fork ended nothing
        "scout": seqs["scout", "AgentEnded"],
        "reader": seqs["reader", "AgentEnded"],
    }
    assert VIEW.stores["memories-1"].holders[1].since.seq == seqs["scout", "AgentModules"]
    assert VIEW.stores["memories-1"].holders[1].since.at == START + timedelta(
        seconds=seqs["scout", "AgentModules"]
    )


def test_what_all_holders_did_is_one_history() -> None:
    history = VIEW.stores["memories-1"].history

    assert [(entry.revision.author, entry.revision.name, entry.revision.revision) for entry in history] == [
        ("planner", "plan", 1),
        ("scout", "csv", 1),
        ("writer", "csv", 2),
    ]
    assert {name: memory.author for name, memory in VIEW.stores["memories-1"].memories.items()} == {
        "plan": "planner",
        "csv": "writer",
    }


def test_a_copied_store_has_what_the_original_had_and_goes_on_apart() -> None:
    copy = VIEW.stores["memories-3"]

    assert copy.copied_from is not None
    assert copy.copied_from.module_id == "memories-1"
    assert {name: (memory.body, memory.revision) for name, memory in copy.memories.items()} == {
        "csv": ("Not quoted.", 2)
    }
    assert [(entry.revision.name, entry.revision.revision) for entry in copy.history] == [
        ("csv", 2),
        ("plan", 2),
    ]
    assert VIEW.stores["memories-1"].memories["csv"].body == "Quoted.\nAlways."
    assert copy.peak.count == 2


SHARING = [
    ("memories-1", (True, True, True)),
    ("memories-2", (False, False, True)),
    ("memories-3", (False, False, True)),
]


@pytest.mark.parametrize(("module_id", "told"), SHARING)
def test_sharing_is_read_off_the_ids(module_id: str, told: tuple[bool, bool, bool]) -> None:
    store = VIEW.stores[module_id]

    assert (store.is_shared, store.is_handed_on, store.is_written) == told


HOLDERS = [
    (["created"], (False, False)),
    (["created", "transferred"], (False, True)),
    (["created", "transferred", "transferred"], (False, True)),
    (["created", "inherited"], (True, False)),
    (["profile", "profile"], (True, False)),
    (["created", "forked"], (True, False)),
    (["created", "transferred", "inherited"], (True, True)),
]


@pytest.mark.parametrize(("origins", "told"), HOLDERS)
def test_a_store_that_was_handed_on_is_not_shared_for_it(origins: list[str], told: tuple[bool, bool]) -> None:
    story = [event for n, origin in enumerate(origins) for event in begun(f"a-{n}", "memories-1", origin)]
    store = fold_run(stamp(story)).stores["memories-1"]

    assert (store.is_shared, store.is_handed_on, store.is_written) == (*told, False)


def test_declarations_make_no_store_shared() -> None:
    story = [*begun("a", "memories-1", scope="shared"), *begun("b", "memories-2", scope="shared")]

    assert [store.is_shared for store in fold_run(stamp(story)).stores.values()] == [False, False]


def test_the_agents_can_be_folded_alone() -> None:
    assert fold_agents(stamp(team_run())) == VIEW.agents


def test_a_fold_of_several_agents_can_be_looked_at_while_it_grows() -> None:
    fold, events = RunFold(), stamp(team_run())
    for n, stamped in enumerate(events, start=1):
        fold.add(stamped)
        assert fold.view() == fold_run(events[:n])


def turns_until(turn: int, agent_id: str | None) -> list[tuple[str, int]]:
    view = fold_run(stamp(team_run()), at_turn=turn, agent_id=agent_id)
    return [(each.agent_id, each.turn) for each in view.turns if each.outcome]


def test_the_run_as_it_stood_after_a_turn_of_any_agent() -> None:
    assert turns_until(1, "scout-2") == [("scout-2", 1)]
    assert turns_until(1, "scout") == [("scout", 1), ("scout-2", 1)]
    assert turns_until(1, None) == turns_until(1, "planner")
    assert turns_until(1, "planner") == [("planner", 1), ("scout", 1), ("scout-2", 1), ("reader", 1)]


def test_a_fork_at_a_turn_s_end_counts_with_the_turn_and_what_others_did_after_it_does_not() -> None:
    forked = AgentTransition(
        turn=1, by="fork", to="b", profile="b", modules=handed("dropped", "memories-1", None)
    )
    story = [
        *begun("a", "memories-1"),
        *asks("a", 1, "x"),
        *closes("a", 1),
        *begun("b", None, spawner="a", started_as="subagent"),
        *of("a", forked),
        *asks("b", 1, "x"),
        *closes("b", 1),
        *ended("a"),
        *ended("b"),
    ]
    until = list(until_turn(stamp(story), 1))

    assert until[-1].event is forked
    assert [each.agent_id for each in until_turn(stamp(story), 1, "b")][-1] == "b"
    assert len(list(until_turn(stamp(story), 2))) == len(story)


def test_a_view_of_several_agents_as_plain_values() -> None:
    value = plain(VIEW)

    assert value["stores"]["memories-3"]["copiedFrom"]["moduleId"] == "memories-1"
    assert value["stores"]["memories-1"]["holders"][1]["agentId"] == "scout"
    assert value["stores"]["memories-1"]["isShared"] is True
    assert value["issues"][0]["history"][1]["state"]["worker"] == "dev"
    assert value["agents"][1]["spawned"]["spawner"] == "planner"
    assert value["agents"][0]["transitions"][0]["modules"] == [
        {"kind": "memories", "disposition": "copied", "fromId": "memories-1", "toId": "memories-3"}
    ]
