"""The tree of agents: who ends with whom, and who waits for whom."""

from host.agents.issues import Issue
from host.agents.posts import Post, waits_for_itself
from host.turn import AgentEnd, Ending

COMPLETED = AgentEnd(status="completed", ending=Ending("finish", "found 3"))


def post(id_: str, until: Post | None = None) -> Post:
    return Post(id=id_, profile=id_, until=until)


def test_a_post_ends_with_all_above_it() -> None:
    root = post("root")
    child = post("child", root)
    grandchild, sibling = post("grandchild", child), post("sibling", root)

    child.end = COMPLETED
    assert [p.is_canceled for p in (root, child, grandchild, sibling)] == [False, False, True, False]

    root.end = COMPLETED
    assert [p.is_canceled for p in (root, child, grandchild, sibling)] == [False, True, True, True]


def test_a_tree_of_any_depth_is_looked_through() -> None:
    root = last = post("root")
    for number in range(5_000):
        last = post(str(number), last)
    root.end = COMPLETED

    assert last.is_canceled


def test_a_child_is_told_by_the_id_and_the_profile_it_was_started_with() -> None:
    child = Post(id="reader-2", profile="reader", end=COMPLETED)
    canceled = Post(id="reader-3", profile="reader", end=AgentEnd(status="canceled"))

    told = [(end.id, end.agent, end.status, end.summary) for end in (child.as_child(), canceled.as_child())]
    assert told == [
        ("reader-2", "reader", "completed", "found 3"),
        ("reader-3", "reader", "canceled", None),
    ]


def test_an_approval_has_no_summary() -> None:
    assert (
        Post(id="a", profile="a", end=AgentEnd(status="completed", ending=Ending("approve")))
        .as_child()
        .summary
        is None
    )


def test_whoever_waits_for_a_child_does_not_wait_for_itself() -> None:
    spawner, child = post("spawner"), post("child")
    assert not waits_for_itself(spawner, [child])

    child.waits_for = (post("other"),)
    assert not waits_for_itself(spawner, [child])


def test_circles_are_found_through_issues_those_that_block_them_and_who_works_on_them() -> None:
    creator, worker, helper = post("root"), post("dev"), post("helper")
    first = Issue(id="issue-1", title="", body="", creator=creator, worker=worker)
    second = Issue(id="issue-2", title="", body="", creator=worker, blocked_by=(first,), status="blocked")

    assert waits_for_itself(worker, [first])
    assert waits_for_itself(worker, [second])
    assert not waits_for_itself(creator, [second])

    helper.waits_for = (second,)
    assert waits_for_itself(worker, [helper])
    first.status = "done"
    assert not waits_for_itself(worker, [second])


def test_a_circle_elsewhere_is_gone_round_once() -> None:
    one, other, outside = post("one"), post("other"), post("outside")
    one.waits_for, other.waits_for = (other,), (one,)

    assert not waits_for_itself(outside, [one])
