"""Issues from their creation to their end: who works on them, what blocks them, what waits for them."""

import threading
from typing import Any

from host.events import AgentEnded, IssueState
from host.turn import AgentEnd, Ending
from tests.host.agents.crew import Crew, Turn

FINISHED = AgentEnd(status="completed", ending=Ending("finish", "done"))
BOARD: dict[str, Any] = {"board": {"implementer": "dev", "reviewer": "judge", "merge": "merger"}}
PROFILES = ("root", "dev", "judge", "merger")


def approve(turn: Turn) -> None:
    turn.finish("", "approve")


def create(turn: Turn, *blocked_by: str) -> str:
    return turn.order.board.create("Title", "Body.", blocked_by)


def wait(turn: Turn, *ids: str) -> list[tuple[str, str, str | None]]:
    return [(issue.id, issue.status, issue.summary) for issue in turn.order.board.wait(ids or None)]


def crew_of(**acts: Any) -> Crew:  # noqa: ANN401 - functions of a turn
    return Crew({"judge": approve, **acts}, profiles=PROFILES, rules=BOARD)


def states(crew: Crew) -> list[tuple[str, str, str]]:
    """Each change: agent on whose stream it stands, issue, status."""
    return [(agent, event.issue, event.status) for agent, event in crew.of(IssueState)]


def test_an_issue_is_implemented_reviewed_and_merged() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        got.append(create(turn))
        got.append(wait(turn))
        turn.finish()

    crew = crew_of(root=root, merger=lambda turn: turn.finish("merged"))
    assert crew.run() == FINISHED
    assert got == ["issue-1", [("issue-1", "done", "merged")]]
    assert states(crew) == [
        ("root", "issue-1", "open"),
        ("dev", "issue-1", "implementing"),
        ("judge", "issue-1", "reviewing"),
        ("merger", "issue-1", "merging"),
        ("merger", "issue-1", "done"),
    ]
    orders = [(o.agent_id, o.started_as, o.place, o.spawner, o.issue) for o in crew.orders.values()][1:]
    assert orders == [
        ("dev", "implementer", "implementer", None, "issue-1"),
        ("judge", "reviewer", "reviewer", None, "issue-1"),
        ("merger", "merge", "merge", None, "issue-1"),
    ]


def test_an_agent_has_ended_before_the_next_one_works_on_its_issue() -> None:
    def root(turn: Turn) -> None:
        create(turn, create(turn))
        wait(turn)
        turn.finish()

    crew = crew_of(root=root)
    assert crew.run() == FINISHED
    told = [
        (agent, event.status)
        for agent, event in crew.captured.emitted
        if isinstance(event, IssueState | AgentEnded) and agent != "root"
    ]
    assert [agent for agent, _ in told] == [
        *("dev", "dev", "judge", "judge", "merger", "merger", "merger"),
        *("dev-2", "dev-2", "judge-2", "judge-2", "merger-2", "merger-2", "merger-2"),
    ]
    assert [status for _, status in told][4:8] == ["merging", "done", "completed", "implementing"]


def test_changes_that_a_review_requests_are_made_by_another_implementer() -> None:
    def root(turn: Turn) -> None:
        create(turn)
        wait(turn)
        turn.finish()

    def judge(turn: Turn) -> None:
        if turn.order.agent_id == "judge":
            turn.finish("", "request_changes", ("More.",))
        else:
            approve(turn)

    crew = crew_of(root=root, judge=judge, dev=lambda turn: turn.finish(f"by {turn.order.agent_id}"))
    assert crew.run() == FINISHED
    assert [status for _, _, status in states(crew)] == [
        "open",
        "implementing",
        "reviewing",
        "implementing",
        "reviewing",
        "merging",
        "done",
    ]
    again, review = crew.orders["dev-2"].task, crew.orders["judge-2"].task
    assert again is not None
    assert review is not None
    assert again.endswith("a review has requested these changes:\n\n- More.")
    assert "`dev-2` has worked on it and finished with:\n\n> by dev-2\n" in review
    assert [event.items for agent, event in crew.of(IssueState) if agent == "dev-2"] == [("More.",)]


def test_an_agent_that_fails_fails_its_issue_and_those_behind_it() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        hold.clear()
        first = create(turn)
        second = create(turn, first)
        third = create(turn, second, first)
        hold.set()
        got.append(wait(turn, third, first, second))
        got.append(create(turn, first))
        got.append(wait(turn, "issue-4"))
        turn.finish()

    hold = threading.Event()
    acts = {"root": root, "dev": lambda turn: bool(hold.wait()) and None}
    crew = Crew(acts, profiles=PROFILES, rules=BOARD, ceilings=Crew.turns(1))
    assert crew.run() == FINISHED
    assert got == [
        [("issue-3", "failed", None), ("issue-1", "failed", None), ("issue-2", "failed", None)],
        "issue-4",
        [("issue-4", "failed", None)],
    ]
    assert [(agent, issue) for agent, issue, status in states(crew) if status == "failed"] == [
        ("dev", "issue-1"),
        ("dev", "issue-2"),
        ("dev", "issue-3"),
        ("root", "issue-4"),
    ]


def test_a_blocked_issue_is_worked_on_when_all_before_it_are_done() -> None:
    def root(turn: Turn) -> None:
        first, second = create(turn), create(turn)
        wait(turn, create(turn, first, second))
        turn.finish()

    crew = crew_of(root=root)
    assert crew.run() == FINISHED
    seen = states(crew)
    begun = seen.index(("dev-3", "issue-3", "implementing"))
    assert ("root", "issue-3", "blocked") in seen[:begun]
    assert {issue for _, issue, status in seen[:begun] if status == "done"} == {"issue-1", "issue-2"}
    assert seen[-1] == ("merger-3", "issue-3", "done")


def test_an_implementer_that_hands_over_leaves_the_issue_to_its_successor() -> None:
    def root(turn: Turn) -> None:
        create(turn)
        wait(turn)
        turn.finish()

    def dev(turn: Turn) -> None:
        turn.order.delegation.succeed("merger", "Finish it.")

    def merger(turn: Turn) -> None:
        turn.finish(f"by {turn.order.agent_id}")

    crew = crew_of(root=root, dev=dev, merger=merger)
    assert crew.run() == FINISHED
    order = crew.orders["merger"]
    assert (order.started_as, order.place, order.issue, order.spawner) == (
        "successor",
        "implementer",
        "issue-1",
        "dev",
    )
    assert [(agent, status) for agent, _, status in states(crew)][2:] == [
        ("judge", "reviewing"),
        ("merger-2", "merging"),
        ("merger-2", "done"),
    ]


def test_the_copy_of_a_reviewer_finishes_and_gives_no_verdict() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        create(turn)
        wait(turn)
        turn.finish()

    def judge(turn: Turn) -> None:
        if turn.order.agent_id == "judge-2":
            turn.finish("half is right")
        elif turn.number == 1:
            turn.order.delegation.fork("Look at the second half.")
        else:
            got.append(turn.wait())
            approve(turn)

    crew = crew_of(root=root, judge=judge)
    assert crew.run() == FINISHED
    assert got == [[("judge-2", "completed", "half is right")]]
    order = crew.orders["judge-2"]
    assert (order.started_as, order.place, order.issue) == ("fork", "fork", None)
    assert crew.told["judge-2"] == [
        (
            "forked",
            "You are the copy, `judge-2`. The original, `judge`, goes on beside you. Your turns count from 1"
            " again. The verdict is the original's: you end with `finish`, and a summary for it."
            "\n\nLook at the second half.",
        )
    ]


def test_a_wait_that_would_never_end_is_refused() -> None:
    refused = threading.Event()

    def root(turn: Turn) -> None:
        create(turn)
        wait(turn)
        turn.finish()

    def dev(turn: Turn) -> None:
        match turn.number:
            case 1:
                wait(turn, "issue-1")
            case 2:
                wait(turn, create(turn, "issue-1"))
            case _:
                refused.set()
                turn.finish()

    crew = crew_of(root=root, dev=dev)
    assert crew.run() == FINISHED
    told = "refused: That wait would never end: what is waited for waits for you."
    assert crew.refusals["dev"] == [told, told]
    assert ("dev", "issue-2", "blocked") in states(crew)


def test_agents_that_work_on_issues_are_canceled_when_the_root_ends() -> None:
    begun, ended = threading.Event(), threading.Event()

    def root(turn: Turn) -> None:
        create(turn)
        create(turn, "issue-1")
        begun.wait()
        turn.finish()
        ended.set()

    def dev(turn: Turn) -> None:
        begun.set()
        ended.wait()
        turn.finish()

    crew = crew_of(root=root, dev=dev)
    assert crew.run() == FINISHED
    assert crew.ends() == [("dev", "completed")]
    assert states(crew)[-2:] == [("dev", "issue-1", "failed"), ("dev", "issue-2", "failed")]


def test_all_that_an_agent_has_created_are_waited_for_and_no_other() -> None:
    got: list[object] = []

    def root(turn: Turn) -> None:
        got.append(wait(turn))
        create(turn)
        turn.spawn("merger")
        turn.wait()
        got.append(wait(turn))
        turn.finish()

    def merger(turn: Turn) -> None:
        if turn.order.started_as == "subagent":
            create(turn)
            wait(turn)
        turn.finish()

    assert crew_of(root=root, merger=merger).run() == FINISHED
    assert got == [[], [("issue-1", "done", "done")]]


def test_without_a_board_there_are_no_issues() -> None:
    def root(turn: Turn) -> None:
        if turn.number == 1:
            create(turn)
        turn.finish()

    crew = Crew({"root": root})
    assert crew.run() == FINISHED
    assert crew.refusals["root"] == ["unavailable: This run has no board."]


def test_an_agent_of_the_board_that_cannot_be_built_ends_the_run() -> None:
    def root(turn: Turn) -> None:
        create(turn)
        wait(turn)

    crew = crew_of(root=root)
    crew.fails_to_build = frozenset({"judge"})
    end = crew.run()

    assert end is not None
    assert end.status == "internal_error"
    assert [str(defect) for defect in crew.defects] == ["workspace: judge cannot be built"]
    assert crew.ends() == [("dev", "completed")]
