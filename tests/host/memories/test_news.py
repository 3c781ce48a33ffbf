"""What a holder is told of changes: what others made differ from what it knew, once, nothing of its own."""

import weakref

import pytest

from host.memories import Change, Holder, MemoryStore, Start, StoreRegistry
from tests.helpers.memories import draft, holder_of, refusal_of, store_of, wanted

KNOWN = ("k", "l")  # what is there when the holder joins

# `+a` makes a memory, `~a` writes it anew, `-a` deletes it; those of the holder itself begin with `me`.
CASES = [
    pytest.param("", [], id="nothing"),
    pytest.param("+a", ["added a"], id="added"),
    pytest.param("~k", ["updated k"], id="updated"),
    pytest.param("-k", ["deleted k"], id="deleted"),
    pytest.param("+a ~a ~a", ["added a"], id="added, then revised"),
    pytest.param("~k ~k", ["updated k"], id="one line for several writes"),
    pytest.param("+a -a", [], id="born and gone in between"),
    pytest.param("+a -a +a", ["added a"], id="born, gone and born"),
    pytest.param("~k -k", ["deleted k"], id="revised, then deleted"),
    pytest.param("-k +k", ["updated k"], id="deleted, then made again"),
    pytest.param("-k +k -k", ["deleted k"], id="deleted twice"),
    pytest.param("me+a", [], id="its own"),
    pytest.param("me~k", [], id="its own revision"),
    pytest.param("me-k", [], id="its own deletion"),
    pytest.param("~k me~k", [], id="its own comes last"),
    pytest.param("+a me~a", [], id="its own revision of what it was not told of"),
    pytest.param("+a me-a", [], id="its own deletion of what it was not told of"),
    pytest.param("-k me+k", [], id="it makes again what another deleted"),
    pytest.param("me~k ~k", ["updated k"], id="another's comes last"),
    pytest.param("me+a ~a", ["updated a"], id="another revises what it made"),
    pytest.param("me+a -a", ["deleted a"], id="another deletes what it made"),
    pytest.param("me-k +k", ["added k"], id="another makes again what it deleted"),
    pytest.param("+a me-a +a", ["added a"], id="made again after its own deletion"),
    pytest.param("-k me+k -k", ["deleted k"], id="deleted again after its own creation"),
    pytest.param("~l +b -k +a ~b", ["updated l", "added b", "deleted k", "added a"], id="in order"),
    pytest.param("+b +a -b +b", ["added a", "added b"], id="in the order in which they came to differ"),
    pytest.param("~k ~l me~k ~k", ["updated l", "updated k"], id="an order that it reset by its own write"),
]


def act(holder: Holder, step: str) -> None:
    name = step[1:]
    if step[0] == "+":
        holder.commit_write(draft(name), turn=1)
    elif step[0] == "~":
        holder.commit_update(draft(name), turn=1)
    else:
        holder.delete(name, turn=1)


def two_holders(strategy: str = "scratchpad", *there: str) -> tuple[MemoryStore, Holder, Holder]:
    store = store_of(strategy)
    other = holder_of(store, agent_id="other")
    for name in there:
        other.commit_write(draft(name), turn=1)
    return store, holder_of(store, agent_id="me"), other


def lines(changes: tuple[Change, ...]) -> list[str]:
    return [f"{change.kind} {change.name}" for change in changes]


@pytest.mark.parametrize(("steps", "expected"), CASES)
def test_what_is_told(steps: str, expected: list[str]) -> None:
    _, me, other = two_holders("scratchpad", *KNOWN)
    for step in steps.split():
        act(me if step.startswith("me") else other, step.removeprefix("me"))

    assert lines(me.news()) == expected
    assert me.news() == ()


def test_each_of_several_holders_is_told_once() -> None:
    store, me, other = two_holders()
    third = holder_of(store, agent_id="third", access="read")
    act(other, "+a")
    assert lines(me.news()) == ["added a"]
    act(me, "+b")
    act(other, "~a")

    told = {holder.agent_id: lines(holder.news()) for holder in (me, other, third)}
    assert told == {"me": ["updated a"], "other": ["added b"], "third": ["added a", "added b"]}
    assert [holder.news() for holder in (me, other, third)] == [(), (), ()]


def test_one_that_joins_late_is_handed_no_backlog() -> None:
    store, _, other = two_holders("scratchpad", "k")
    act(other, "~k")
    late = holder_of(store, agent_id="late")
    assert late.news() == ()

    act(other, "-k")
    assert lines(late.news()) == ["deleted k"]


def test_a_change_has_the_memory_as_it_is_when_it_is_told() -> None:
    _, me, other = two_holders("scratchpad", "k", "l")
    other.commit_update(draft("k", "first", description="one"), turn=1)
    other.commit_update(draft("k", "last", description="two", code="f()"), turn=1)
    act(other, "-l")

    k, line = me.news()
    assert (k.memory, k.is_code_changed) == (other.read("k"), True)
    assert line == Change(kind="deleted", name="l", memory=None, is_code_changed=False)


CODE = [
    pytest.param("f()", "f()", False, id="the same"),
    pytest.param("f()", "g()", True, id="another"),
    pytest.param("f()", None, True, id="none any more"),
    pytest.param(None, "f()", True, id="some now"),
    pytest.param(None, None, False, id="none at all"),
]


@pytest.mark.parametrize(("before", "after", "expected"), CODE)
@pytest.mark.parametrize("is_made_again", [False, True], ids=["updated", "made again"])
def test_whether_code_changed_is_by_what_the_holder_knew(
    is_made_again: bool, before: str | None, after: str | None, expected: bool
) -> None:
    _, me, other = two_holders()
    me.commit_write(draft("a", code=before, on_use="before()"), turn=1)
    other.commit_update(draft("a", code="between()"), turn=1)
    if is_made_again:
        act(other, "-a")
        other.commit_write(draft("a", code=after, on_use="after()"), turn=1)
    else:
        other.commit_update(draft("a", code=after, on_use="after()"), turn=1)

    assert [(change.kind, change.is_code_changed) for change in me.news()] == [("updated", expected)]


def test_code_of_a_memory_that_is_new_did_not_change() -> None:
    _, me, other = two_holders()
    other.commit_write(draft("a", code="f()"), turn=1)

    assert [(change.kind, change.is_code_changed) for change in me.news()] == [("added", False)]


def test_an_edit_is_told() -> None:
    _, me, other = two_holders("markdown", "k")
    other.edit("k", "note", "word", turn=1)

    assert lines(me.news()) == ["updated k"]


def test_a_refused_call_is_told_to_nobody() -> None:
    _, me, other = two_holders("scratchpad", "k")
    refusal_of(lambda: act(other, "+k"))
    refusal_of(lambda: act(other, "-x"))
    refusal_of(lambda: other.commit_update(draft("k"), expected_revision=9, turn=1))
    other.check_update(draft("k"))

    assert me.news() == ()


def test_one_that_left_is_told_nothing_and_is_no_co_holder() -> None:
    """What it changes all the same, as a program may that is canceled, the others are told."""
    _, me, other = two_holders()
    assert (me.co_holders, other.co_holders) == (("other",), ("me",))
    act(other, "+a")
    me.leave()
    me.leave()
    act(other, "+b")

    assert (me.news(), other.co_holders) == ((), ())
    act(me, "+c")
    assert lines(other.news()) == ["added c"]


@pytest.mark.slow
@pytest.mark.parametrize("scope", ["isolated", "shared", "inherited", "read-only"])
def test_a_fork_is_told_what_its_forker_was_yet_to_be_told(scope: str) -> None:
    """Its window is a copy, in which that is not told."""
    stores = StoreRegistry()
    forker = stores.bind(wanted("a", scope=scope), Start(kind="root")).holder
    child = stores.bind(wanted("c", scope="inherited"), Start(kind="subagent", offered=forker)).holder
    child.create(draft("told"), turn=1)
    forker.news()
    child.create(draft("untold"), turn=1)
    fork = stores.bind(wanted("a-2", scope=scope), Start(kind="fork", offered=forker)).holder
    child.create(draft("later"), turn=2)

    is_copy = scope == "isolated"
    assert lines(fork.news()) == (["added untold"] if is_copy else ["added untold", "added later"])
    assert lines(forker.news()) == ["added untold", "added later"]


def test_a_fork_and_its_forker_are_told_of_each_other() -> None:
    stores = StoreRegistry()
    forker = stores.bind(wanted("a", scope="inherited"), Start(kind="root")).holder
    fork = stores.bind(wanted("a-2", scope="inherited"), Start(kind="fork", offered=forker)).holder
    fork.create(draft("of-fork"), turn=1)
    forker.create(draft("of-forker"), turn=1)

    assert (lines(forker.news()), lines(fork.news())) == (["added of-fork"], ["added of-forker"])


def test_a_successor_is_not_told_of_its_predecessor_nor_of_what_came_before() -> None:
    stores = StoreRegistry()
    before = stores.bind(wanted("a"), Start(kind="root")).holder
    child = stores.bind(wanted("c", scope="inherited"), Start(kind="subagent", offered=before)).holder
    before.create(draft("of-predecessor"), turn=1)
    child.create(draft("of-child"), turn=1)
    after = stores.bind(wanted("b"), Start(kind="successor", offered=before)).holder

    assert after.news() == ()
    child.create(draft("later"), turn=2)
    assert lines(after.news()) == ["added later"]


def test_the_pinned_block_and_the_news_are_two_things() -> None:
    _, me, other = two_holders("markdown", "k")
    other.create(draft("a", description="new"), turn=1)

    pinned = me.block()
    assert lines(me.news()) == ["added a"]
    assert me.block() == pinned == "- `a` — new\n- `k` — about"


# Under each strategy, what is left to be told of `STEPS` once the block is in the window.
STEPS = "+a ~a +b -b +c ~k -l"
AFTER_PINNING = {
    "scratchpad": ["deleted l"],
    "markdown": ["updated k", "deleted l"],
    "keyword-search": ["added a", "added c", "updated k", "deleted l"],
}


@pytest.mark.parametrize("strategy", AFTER_PINNING)
def test_what_the_block_shows_that_is_put_into_the_window_is_no_news(strategy: str) -> None:
    _, me, other = two_holders(strategy, *KNOWN)
    for step in STEPS.split():
        if step[0] == "~" and strategy != "scratchpad":
            other.edit(step[1:], "note", "text", turn=1)
        else:
            act(other, step)

    assert me.pin() == me.block()
    assert lines(me.news()) == AFTER_PINNING[strategy]


@pytest.mark.parametrize("strategy", AFTER_PINNING)
def test_of_what_came_before_its_window_was_opened_an_agent_is_told_nothing(strategy: str) -> None:
    _, me, other = two_holders(strategy, *KNOWN)
    act(other, "-k")

    assert me.open() == me.block()
    assert me.news() == ()
    act(other, "-l")
    assert lines(me.news()) == ["deleted l"]


def test_a_change_that_a_block_has_shown_is_known() -> None:
    _, me, other = two_holders("markdown")
    act(other, "+a")
    me.pin()
    other.edit("a", "note", "text", turn=1)

    assert lines(me.news()) == ["updated a"]


def test_ten_thousand_mutations_keep_of_each_memory_one_body_at_most_for_one_that_does_not_ask() -> None:
    _, me, other = two_holders("scratchpad", "k")
    known = weakref.ref(other.read("k"))
    kept: list[weakref.ref[object]] = []
    for number in range(2_000):
        kept.append(weakref.ref(other.read("k")))
        other.commit_update(draft("k", str(number)), turn=1)
        for step in ("+passing", "~passing", "~passing", "-passing"):
            act(other, step)

    assert me.position == 1 + 10_000
    assert list(me.seat.known) == ["k"]
    assert [body() is not None for body in kept] == [True] + [False] * 1_999
    assert lines(me.news()) == ["updated k"]
    assert known() is None
