"""Which store each agent binds, with which access, and what it is told of that."""

import threading
from dataclasses import replace
from typing import get_args

import pytest

from host.core.errors import HostDefect
from host.events import AgentModule, ModuleOrigin, StartKind
from host.launch.capabilities import SCOPES as LAUNCHED
from host.memories import Access, Bound, Caps, Holder, Scope, Start, StoreRegistry
from tests.helpers.memories import draft, refusal_of, wanted

SCOPES: tuple[Scope, ...] = ("isolated", "shared", "inherited", "read-only")
Cell = tuple[str, Access, ModuleOrigin]  # whose store, what may be done there, how it was come by

OWN: Cell = ("own", "write", "created")
PROFILE: Cell = ("profile's", "write", "profile")
TOP_LEVEL = (OWN, PROFILE, OWN, OWN)
TABLE: dict[StartKind, tuple[Cell, ...]] = {
    "root": TOP_LEVEL,
    "implementer": TOP_LEVEL,
    "subagent": (OWN, PROFILE, ("theirs", "write", "inherited"), ("theirs", "read", "inherited")),
    "reviewer": TOP_LEVEL,
    "merge": TOP_LEVEL,
    "fork": (
        ("copy", "write", "forked"),
        ("theirs", "write", "forked"),
        ("theirs", "write", "forked"),
        ("theirs", "read", "forked"),
    ),
    "successor": (
        ("theirs", "write", "transferred"),
        PROFILE,
        ("theirs", "write", "transferred"),
        ("theirs", "read", "transferred"),
    ),
}
CELLS = [
    pytest.param(kind, scope, cell, id=f"{kind}, {scope}")
    for kind, row in TABLE.items()
    for scope, cell in zip(SCOPES, row, strict=True)
]
WITHOUT: dict[Scope, Cell] = {"isolated": OWN, "shared": PROFILE, "inherited": OWN, "read-only": OWN}


@pytest.mark.parametrize("strategy", ["scratchpad", "markdown", "keyword-search"])
@pytest.mark.parametrize(("kind", "scope", "cell"), CELLS)
def test_the_store_that_an_agent_binds(kind: StartKind, scope: Scope, cell: Cell, strategy: str) -> None:
    """It is offered the store of an agent of another profile; a fork that of one of its own."""
    stores = StoreRegistry()
    sibling = root(stores, "worker", scope="shared", strategy=strategy)
    offers = root(stores, "worker-2" if kind == "fork" else "boss", scope=scope, strategy=strategy)
    offers.create(draft("theirs"), turn=1)

    bound = stores.bind(wanted("worker-3", scope=scope, strategy=strategy), Start(kind=kind, offered=offers))

    assert (whose(bound, offers, sibling), access(bound.holder), bound.origin) == cell
    assert bound.holder.scope == scope


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("kind", [kind for kind in TABLE if kind != "fork"])
def test_an_agent_that_is_offered_nothing(kind: StartKind, scope: Scope) -> None:
    """Its spawner keeps no memories, or its predecessor's are not transferred."""
    stores = StoreRegistry()
    sibling = root(stores, "worker", scope="shared")

    bound = stores.bind(wanted("worker-2", scope=scope), Start(kind=kind))

    assert (whose(bound, None, sibling), access(bound.holder), bound.origin) == WITHOUT[scope]
    assert bound.told is None


def test_the_scopes_are_those_that_a_configuration_may_name() -> None:
    assert SCOPES == get_args(Scope) == LAUNCHED


def root(
    stores: StoreRegistry, agent_id: str, *, scope: str = "isolated", strategy: str = "markdown"
) -> Holder:
    return stores.bind(wanted(agent_id, scope=scope, strategy=strategy), Start(kind="root")).holder


def whose(bound: Bound, offers: Holder | None, sibling: Holder) -> str:
    id_ = bound.holder.module_id
    if offers and id_ == offers.module_id:
        return "theirs"
    if id_ == sibling.module_id:
        return "profile's"
    return "copy" if names(bound.holder) else "own"


def access(holder: Holder) -> Access:
    """What it may do, as it turns out."""
    try:
        holder.create(draft("mine"), turn=2)
    except Exception:
        assert refusal_of(lambda: holder.create(draft("mine"), turn=2)).kind == "read_only"
        assert not holder.writable
        return "read"
    assert holder.writable
    return "write"


def names(holder: Holder) -> list[str]:
    return [memory.name for memory in holder.state().memories]


def test_stores_are_numbered_as_they_are_made() -> None:
    stores = StoreRegistry()
    first = root(stores, "a")
    shared = root(stores, "b", scope="shared")
    again = root(stores, "b-2", scope="shared")
    other = root(stores, "c", scope="shared")
    copy = stores.bind(wanted("a-2"), Start(kind="fork", offered=first)).holder

    holders = (first, shared, again, other, copy)
    assert [holder.module_id for holder in holders] == [
        "memories-1",
        "memories-2",
        "memories-2",
        "memories-3",
        "memories-4",
    ]


def test_a_row_of_the_record() -> None:
    stores = StoreRegistry()
    bound = stores.bind(wanted("b", scope="read-only"), Start(kind="subagent", offered=root(stores, "a")))

    assert bound.row == AgentModule(
        kind="memories",
        module_id="memories-1",
        enabled=True,
        origin="inherited",
        writable=False,
        scope="read-only",
    )


def test_inheritance_chains_to_what_the_top_created_and_access_is_the_holders() -> None:
    """A spawner offers what it holds, whatever its own scope is and whatever it may do there."""
    stores = StoreRegistry()
    top = root(stores, "top", scope="isolated")
    reader = stores.bind(wanted("reader", scope="read-only"), Start(kind="subagent", offered=top)).holder
    heir = stores.bind(wanted("heir", scope="inherited"), Start(kind="subagent", offered=reader)).holder
    last = stores.bind(wanted("last", scope="read-only"), Start(kind="subagent", offered=heir)).holder

    assert [holder.writable for holder in (top, reader, heir, last)] == [True, False, True, False]
    assert {holder.module_id for holder in (top, reader, heir, last)} == {"memories-1"}
    assert reader.co_holders == ("top", "heir", "last")
    heir.create(draft("a"), turn=1)
    assert names(top) == ["a"]


def test_a_store_of_a_profile_is_offered_and_kept_without_holders() -> None:
    stores = StoreRegistry()
    one = root(stores, "a", scope="shared")
    child = stores.bind(wanted("b", scope="inherited"), Start(kind="subagent", offered=one)).holder
    child.create(draft("kept"), turn=1)
    one.leave()
    child.leave()

    later = root(stores, "a-2", scope="shared")
    assert (later.module_id, names(later), later.co_holders) == (one.module_id, ["kept"], ())


def test_a_reader_has_only_the_calls_that_read() -> None:
    stores = StoreRegistry()
    reader = stores.bind(
        wanted("b", scope="read-only", strategy="keyword-search"),
        Start(kind="subagent", offered=root(stores, "a", strategy="keyword-search")),
    ).holder

    assert refusal_of(lambda: reader.create(draft("a"), turn=1)).message == (
        "Cannot create `a`: the memories are another agent's, to be read only. The calls there are:"
        " memories.readMemory and memories.searchMemories."
    )


@pytest.mark.parametrize("kind", ["subagent", "fork"])
@pytest.mark.parametrize("scope", ["inherited", "read-only"])
def test_a_store_that_is_organized_otherwise_is_a_defect(kind: StartKind, scope: str) -> None:
    stores = StoreRegistry()
    start = Start(kind=kind, offered=root(stores, "a", strategy="scratchpad"))

    with pytest.raises(HostDefect) as caught:
        stores.bind(wanted("b", scope=scope), start)

    assert (caught.value.kind, caught.value.facts) == ("agents", {"agent": "b", "module_id": "memories-1"})
    assert caught.value.detail == (
        f"b, started as {kind} under scope {scope}, organizes its memories as markdown;"
        " memories-1 is held by a and organized as scratchpad"
    )


@pytest.mark.parametrize("kind", TABLE)
@pytest.mark.parametrize("scope", SCOPES)
def test_an_agent_that_has_to_write_and_may_only_read_is_a_defect(scope: Scope, kind: StartKind) -> None:
    stores = StoreRegistry()
    want = replace(wanted("b", scope=scope), must_write=True)
    start = Start(kind=kind, offered=root(stores, "a"))
    if dict(zip(SCOPES, TABLE[kind], strict=True))[scope][1] == "write":
        assert stores.bind(want, start).holder.writable
        return

    with pytest.raises(HostDefect) as caught:
        stores.bind(want, start)

    assert (caught.value.kind, caught.value.facts) == ("agents", {"agent": "b", "module_id": "memories-1"})
    assert caught.value.detail == (
        f"b, started as {kind} under scope read-only, compacts its window by memory-compaction and may only"
        " read; memories-1 is held by a and organized as markdown"
    )


@pytest.mark.parametrize("scope", ["isolated", "inherited", "read-only"])
def test_a_successor_that_organizes_its_memories_otherwise_starts_anew_and_is_told_why(scope: str) -> None:
    stores = StoreRegistry()
    before = root(stores, "a", strategy="scratchpad")
    before.create(draft("a"), turn=1)

    bound = stores.bind(wanted("b", scope=scope), Start(kind="successor", offered=before))

    assert (bound.origin, bound.holder.module_id, bound.holder.writable) == ("created", "memories-2", True)
    assert names(bound.holder) == []
    assert bound.told == (
        "Your memories start empty. Those of the agent before you are organized as `scratchpad` and yours as"
        " `markdown`, so they could not be handed over."
    )


@pytest.mark.parametrize("strategy", ["markdown", "scratchpad"])
def test_a_successor_of_a_profile_that_shares_binds_the_profiles_store(strategy: str) -> None:
    stores = StoreRegistry()
    sibling = root(stores, "b", scope="shared")
    before = root(stores, "a", strategy=strategy)

    bound = stores.bind(wanted("b-2", scope="shared"), Start(kind="successor", offered=before))

    assert bound.holder.module_id == sibling.module_id
    assert bound.holder.co_holders == ("b",)
    assert bound.told == (
        "Your memories are the ones that all agents of `b` share."
        " Those of the agent before you were not handed over."
    )


def test_a_successor_of_the_same_profile_keeps_its_store() -> None:
    stores = StoreRegistry()
    before = root(stores, "a", scope="shared")

    bound = stores.bind(wanted("a-2", scope="shared"), Start(kind="successor", offered=before))

    assert (bound.holder.module_id, bound.origin, bound.told) == (before.module_id, "profile", None)
    assert bound.holder.co_holders == ()


@pytest.mark.parametrize("scope", SCOPES)
def test_the_hold_of_a_predecessor_ends(scope: str) -> None:
    stores = StoreRegistry()
    before = root(stores, "a")
    child = stores.bind(wanted("c", scope="inherited"), Start(kind="subagent", offered=before)).holder
    bound = stores.bind(wanted("b", scope=scope), Start(kind="successor", offered=before))
    holds_it = bound.holder.module_id == before.module_id

    assert holds_it == (scope != "shared")
    assert child.co_holders == (("b",) if holds_it else ())
    child.create(draft("x"), turn=1)
    assert before.news() == ()
    assert len(bound.holder.news()) == holds_it


def test_limits_are_the_receivers_if_nobody_else_holds_the_store() -> None:
    """What is over a tighter limit is kept, and only what makes it smaller passes."""
    stores = StoreRegistry()
    before = stores.bind(wanted("a", max_len_per_memory=12, max_len_index=40), Start(kind="root")).holder
    before.create(draft("x", "0123456789ab"), turn=1)
    after = stores.bind(
        wanted("b", max_len_per_memory=8, max_len_index=15), Start(kind="successor", offered=before)
    ).holder

    assert after.caps == Caps(max_len_per_memory=8, max_len_index=15)
    assert after.read("x").body == "0123456789ab"
    grown = refusal_of(lambda: after.edit("x", "b", "bc", turn=2))
    assert (grown.kind, grown.figure, grown.limit) == ("body_cap", 13, 8)
    assert refusal_of(lambda: after.create(draft("y"), turn=2)).kind == "index_cap"
    assert after.edit("x", "ab", "a", turn=2).revision.body == "0123456789a"


def test_limits_stay_while_another_holds_the_store() -> None:
    stores = StoreRegistry()
    before = stores.bind(wanted("a", max_len_index=40), Start(kind="root")).holder
    child = stores.bind(wanted("c", scope="inherited"), Start(kind="subagent", offered=before)).holder
    after = stores.bind(wanted("b", max_len_index=9), Start(kind="successor", offered=before)).holder

    assert (after.caps, child.caps) == (Caps(max_len_index=40), Caps(max_len_index=40))
    child.leave()
    assert after.caps == Caps(max_len_index=40)


def test_a_profile_that_is_alone_in_its_store_again_has_its_own_limits() -> None:
    stores = StoreRegistry()
    one = stores.bind(wanted("a", scope="shared", max_len_index=40), Start(kind="root")).holder
    heir = stores.bind(wanted("b", max_len_index=9), Start(kind="successor", offered=one)).holder
    assert heir.caps == Caps(max_len_index=9)
    again = wanted("a-2", scope="shared", max_len_index=40)

    beside = stores.bind(again, Start(kind="root")).holder
    assert beside.caps == Caps(max_len_index=9)
    beside.leave()
    heir.leave()
    assert stores.bind(again, Start(kind="root")).holder.caps == Caps(max_len_index=40)


def test_limits_of_a_spawner_hold_for_its_subagents() -> None:
    stores = StoreRegistry()
    spawner = stores.bind(wanted("a", max_len_index=40), Start(kind="root")).holder
    child = wanted("b", scope="inherited", max_len_index=9)

    assert stores.bind(child, Start(kind="subagent", offered=spawner)).holder.caps == Caps(max_len_index=40)


@pytest.mark.parametrize("strategy", ["scratchpad", "markdown", "keyword-search"])
def test_a_copy_goes_its_own_way(strategy: str) -> None:
    """Revisions, peaks and limits go on from where they were."""
    stores = StoreRegistry()
    forker = stores.bind(wanted("a", strategy=strategy, max_len_description=9), Start(kind="root")).holder
    for name in ("kept", "gone"):
        forker.create(draft(name, "body of it"), turn=1)
    forker.delete("gone", turn=1)
    before = forker.state()

    copy = stores.bind(
        wanted("a-2", strategy=strategy, max_len_description=9), Start(kind="fork", offered=forker)
    ).holder
    assert copy.state().memories == before.memories
    assert (copy.state().peak, copy.state().figures) == (before.peak, before.figures)
    assert (copy.caps, copy.position, copy.co_holders) == (forker.caps, 3, ())

    assert copy.create(draft("gone"), turn=2).revision.revision == 3
    assert copy.delete("kept", turn=2).revision.revision == 2
    assert forker.state() == before
    assert forker.create(draft("gone"), turn=2).revision.revision == 3
    assert (names(forker), names(copy)) == (["gone", "kept"], ["gone"])
    assert (forker.news(), copy.news()) == ((), ())


def test_a_copy_is_searched_for_itself() -> None:
    stores = StoreRegistry()
    forker = root(stores, "a", strategy="keyword-search")
    forker.create(draft("both", "alpha beta"), turn=1)
    copy = stores.bind(wanted("a-2", strategy="keyword-search"), Start(kind="fork", offered=forker)).holder
    copy.edit("both", "beta", "gamma", turn=2)
    copy.create(draft("long", "beta" * 20_000), turn=2)
    forker.create(draft("later", "gamma"), turn=2)

    found = {
        word: (
            [hit.name for hit in forker.search([word]).hits],
            [hit.name for hit in copy.search([word]).hits],
        )
        for word in ("alpha", "beta", "gamma")
    }
    assert found == {
        "alpha": (["both"], ["both"]),
        "beta": (["both"], ["long"]),
        "gamma": (["later"], ["both"]),
    }


def test_agents_that_start_at_once_share_one_store_and_take_one_number_each() -> None:
    stores, start = StoreRegistry(), threading.Barrier(8)
    bound: list[Bound] = []

    def begin(number: int) -> None:
        start.wait()
        bound.append(stores.bind(wanted(f"shared-{number}", scope="shared"), Start(kind="subagent")))
        bound.append(stores.bind(wanted(f"own-{number}"), Start(kind="subagent")))

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    shared = {each.holder.module_id for each in bound if each.origin == "profile"}
    own = [each.holder.module_id for each in bound if each.origin == "created"]
    assert len(shared) == 1
    assert len(own) == 8
    assert {*shared, *own} == {f"memories-{number}" for number in range(1, 10)}
