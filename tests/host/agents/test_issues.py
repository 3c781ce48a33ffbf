"""Where issues stand, what blocks what, and who works on them next."""

import pytest

from host.agents.issues import Issue, Issues
from host.agents.posts import Post
from host.agents.rules import BoardRole
from host.core.errors import Refusal
from host.events import Status
from host.operations import EndingKind
from host.turn import AgentEnd, Ending

ROOT = Post(id="root", profile="root")


def created(issues: Issues, *blocked_by: str) -> Issue:
    return issues.create(ROOT, "Title", "Body.", issues.named(blocked_by))


def ended(kind: EndingKind, summary: str = "", *items: str) -> AgentEnd:
    return AgentEnd(status="completed", ending=Ending(kind, summary, items))


NEXT = [
    pytest.param("implementer", ended("finish", "did"), "reviewer", "did", (), id="implemented"),
    pytest.param("reviewer", ended("approve"), "merge", None, (), id="approved"),
    pytest.param(
        "reviewer", ended("request_changes", "", "x", "y"), "implementer", None, ("x", "y"), id="changes"
    ),
    pytest.param("merge", ended("finish", "merged"), "done", "merged", (), id="merged"),
]


@pytest.mark.parametrize(("role", "end", "following", "summary", "items"), NEXT)
def test_one_agent_follows_another(
    role: BoardRole, end: AgentEnd, following: str, summary: str | None, items: tuple[str, ...]
) -> None:
    issue = created(Issues())
    assert (issue.judge(role, end), issue.summary, issue.items) == (following, summary, items)


@pytest.mark.parametrize("role", ["implementer", "reviewer", "merge"])
@pytest.mark.parametrize("status", ["exhausted", "canceled", "model_error", "internal_error"])
def test_an_agent_that_has_not_completed_fails_the_issue(role: BoardRole, status: Status) -> None:
    issue = created(Issues())
    assert issue.judge(role, AgentEnd(status=status, error="e")) == "failed"


def test_an_issue_is_open_blocked_or_failed_by_what_is_before_it() -> None:
    issues = Issues()
    done, failed, open_ = created(issues), created(issues), created(issues)
    issues.settle(done, "done")
    issues.settle(failed, "failed")

    assert [
        created(issues, *ids).status for ids in ((), ("issue-1",), ("issue-3",), ("issue-1", "issue-3"))
    ] == [
        "open",
        "open",
        "blocked",
        "blocked",
    ]
    assert created(issues, open_.id, failed.id).status == "failed"


def test_the_last_that_blocks_an_issue_frees_it() -> None:
    issues = Issues()
    first, second = created(issues), created(issues)
    behind, further = created(issues, "issue-1", "issue-2"), created(issues, "issue-3")

    assert issues.settle(first, "done") == ((first,), ())
    assert issues.settle(second, "done") == ((second,), (behind,))
    assert (behind.status, further.status) == ("open", "blocked")


def test_all_that_wait_for_a_failed_one_fail_however_far_behind() -> None:
    issues = Issues()
    chain = [created(issues)]
    chain += [created(issues, f"issue-{number}") for number in range(1, 5)]
    beside = created(issues)

    assert issues.settle(chain[0], "failed") == (tuple(chain), ())
    assert {issue.status for issue in chain} == {"failed"}
    assert beside.status == "open"


UNKNOWN = [
    pytest.param(0, "There is no issue `issue-9`. There is none yet.", id="none"),
    pytest.param(2, "There is no issue `issue-9`. There are `issue-1` and `issue-2`.", id="some"),
]


@pytest.mark.parametrize(("count", "told"), UNKNOWN)
def test_an_id_that_is_none_is_refused_with_those_there_are(count: int, told: str) -> None:
    issues = Issues()
    for _ in range(count):
        created(issues)
    with pytest.raises(Refusal) as caught:
        created(issues, "issue-9")

    assert (caught.value.code, caught.value.message) == ("not-found", told)
    assert len(issues.of(ROOT)) == count


def test_of_many_the_latest_are_named() -> None:
    issues = Issues()
    for _ in range(30):
        created(issues)
    with pytest.raises(Refusal) as caught:
        issues.named(["issue-31"])

    assert caught.value.message.startswith(
        "There is no issue `issue-31`. The latest are `issue-11`, `issue-12`"
    )


def test_the_summary_of_an_issue_that_failed_is_nobodys() -> None:
    issues = Issues()
    done, failed = created(issues), created(issues)
    for issue in (done, failed):
        issue.judge("merge", ended("finish", "merged"))
    issues.settle(done, "done")
    issues.settle(failed, "failed")

    assert [(i.as_end().status, i.as_end().summary) for i in (done, failed)] == [
        ("done", "merged"),
        ("failed", None),
    ]
