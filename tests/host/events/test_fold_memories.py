"""The fold of the revisions is the store, and every snapshot is held against it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host.events import (
    AgentTransition,
    Event,
    HistoryEntry,
    MemoryFold,
    MemoryPeak,
    MemoryRead,
    MemoryRevision,
    MemorySearch,
    MemoryState,
    Mismatch,
    StampedEvent,
    StoreOriginal,
    fold_memories,
    read_events,
)
from tests.host.events.samples import SECRETS, START, log_at
from tests.host.events.stores import PlainStore
from tests.host.events.team import begun, handed
from tests.host.events.team import stamp as stamp_team

KEY = "sk-abcdefghijklmnopqrstuv"
NAMES = ["a", "csv-tools", "hunter2-hunter2", KEY]
TEXTS = st.text("ab \n😀", max_size=6) | st.sampled_from(
    [
        "sesame-open",
        "x\nhunter2-hunter2\ny",
        f"use {KEY}",
        "password = 'hunter3'",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END PRIVATE KEY-----",
    ]
)
BODIES = TEXTS.map(str.strip).filter(bool)
WRITES = st.tuples(
    st.sampled_from(["one", "two"]),
    st.sampled_from(NAMES),
    BODIES | st.none(),
    TEXTS,
    st.none() | TEXTS,
    st.none() | TEXTS,
)


def stamp(events: Iterable[Event]) -> list[StampedEvent]:
    return [
        StampedEvent(seq=n, at=START, run="run-1", agent_id="root", event=event)
        for n, event in enumerate(events, start=1)
    ]


def mismatches(events: Iterable[StampedEvent]) -> tuple[Mismatch, ...]:
    fold = MemoryFold()
    return tuple(mismatch for stamped in events for mismatch in fold.add(stamped))


@given(st.lists(WRITES, max_size=25))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_folding_what_was_recorded_rebuilds_every_store_up_to_masking(
    tmp_path: Path, writes: list[Any]
) -> None:
    stores = {"one": PlainStore("one"), "two": PlainStore("two", strategy="scratchpad")}
    path = tmp_path / "events.ndjson"
    path.unlink(missing_ok=True)
    log = log_at(path, masker=SECRETS)
    for module_id, name, body, description, code, on_use in writes:
        store = stores[module_id]
        if body is not None:
            events = store.write(name, body, " ".join(description.split()), code, on_use)
        else:
            events = store.delete(name) if name in store.texts else []
        for event in events:
            log.emit(event, agent_id="root")
    log.close()

    assert mismatches(read_events(path)) == ()
    folded = fold_memories(read_events(path))
    for module_id, store in stores.items():
        if module_id not in folded:
            assert not store.counters
            continue
        mask = SECRETS.mask
        held = folded[module_id].memories
        assert list(held) == sorted(mask(name) for name in store.texts)
        for name, texts in store.texts.items():
            memory = held[mask(name)]
            expected = tuple(None if text is None else mask(text) for text in texts)
            assert (memory.description, memory.body, memory.code, memory.on_use) == expected
            assert (memory.revision, memory.len) == (store.counters[name], len(texts[1]))
        assert len(folded[module_id].history) == sum(store.counters.values())


def story() -> list[Event]:
    """A memory written, revised, deleted and written again, beside another."""
    store = PlainStore("store-1")
    return [
        store.state(),
        *store.write("a", "one\ntwo", "first"),
        *store.write("b", "other", code="export {}"),
        *store.write("a", "three", "second"),
        *store.delete("a"),
        *store.write("a", "four"),
    ]


def test_a_history_counts_on_across_a_deletion_and_the_peak_stays() -> None:
    store = fold_memories(stamp(story()))["store-1"]

    assert [
        (e.seq, e.revision.name, e.revision.revision, e.revision.change, e.revision.body)
        for e in store.history
    ] == [
        (2, "a", 1, "written", "one\ntwo"),
        (4, "b", 1, "written", "other"),
        (6, "a", 2, "updated", "three"),
        (8, "a", 3, "deleted", ""),
        (10, "a", 4, "written", "four"),
    ]
    assert store.history[1] == HistoryEntry(seq=4, at=START, revision=store.history[1].revision)
    assert store.peak == MemoryPeak(count=2, total_len=12, total_lines=3)
    assert list(store.memories) == ["a", "b"]
    assert store.state == story()[-1]


def test_a_story_without_a_fault_is_verified() -> None:
    assert mismatches(stamp(story())) == ()


def faults(at: int, **changes: object) -> list[str]:
    """What is found when one event of the story is changed; `at` is its seq."""
    events = story()
    events[at - 1] = events[at - 1].model_copy(update=changes)
    return [str(mismatch) for mismatch in mismatches(stamp(events))]


FAULTS: list[tuple[int, dict[str, object], list[str]]] = [
    (3, {"count": 2}, ["event 3, store store-1: count is 2, not 1"]),
    (3, {"total_len": 0}, ["event 3, store store-1: totalLen is 0, not 7"]),
    (3, {"total_lines": 1}, ["event 3, store store-1: totalLines is 1, not 2"]),
    (3, {"index_len": 5}, ["event 3, store store-1: indexLen is 5, not 13"]),
    (3, {"index_len": None}, ["event 3, store store-1: indexLen is None, not 13"]),
    (3, {"strategy": "scratchpad"}, ["event 3, store store-1: indexLen is 13, not None"]),
    (11, {"memories": ()}, ["event 11, store store-1: memories is [], not ['a', 'b']"]),
    (
        6,
        {"revision": 3},
        [
            "event 6, store store-1: a.revision is 3, not 2",
            "event 8, store store-1: a.revision is 3, not 4",
        ],
    ),
    (6, {"change": "written"}, ["event 6, store store-1: a.change is 'written', not 'updated'"]),
    (10, {"change": "updated"}, ["event 10, store store-1: a.change is 'updated', not 'written'"]),
]


@pytest.mark.parametrize(("at", "changes", "found"), FAULTS)
def test_a_contradiction_is_found_where_it_stands(
    at: int, changes: dict[str, object], found: list[str]
) -> None:
    assert faults(at, **changes) == found


def test_a_lost_revision_is_found_at_the_next_snapshot_and_at_the_next_revision() -> None:
    events = stamp(story())
    found = [str(mismatch) for mismatch in mismatches(event for event in events if event.seq != 6)]

    assert found[0].startswith("event 7, store store-1: totalLen is 10, not 12")
    assert "event 8, store store-1: a.revision is 3, not 2" in found


def test_reads_and_other_events_change_no_store() -> None:
    read = MemoryRead(module_id="store-1", name="a", hit=False)

    search = MemorySearch(module_id="store-1", keywords=("a",), total=1, names=("a",))

    assert mismatches(stamp([*story(), read, search])) == ()
    assert fold_memories(stamp([read, search])) == {}


def test_two_stores_of_the_same_names_stay_apart() -> None:
    one, two = PlainStore("one"), PlainStore("two")
    events = [*one.write("a", "x"), *two.write("a", "yy"), *one.delete("a")]
    stores = fold_memories(stamp(events))

    assert list(stores) == ["one", "two"]
    assert (list(stores["one"].memories), stores["two"].memories["a"].body) == ([], "yy")


def test_the_types_of_the_story() -> None:
    assert {type(event) for event in story()} == {MemoryRevision, MemoryState}


def test_a_fold_can_do_without_the_history() -> None:
    whole, lean = MemoryFold(), MemoryFold(keeps_history=False)
    for stamped in stamp(story()):
        assert lean.add(stamped) == whole.add(stamped)

    assert {name: store.history for name, store in lean.stores().items()} == {"store-1": ()}
    assert lean.stores()["store-1"].memories == whole.stores()["store-1"].memories
    assert lean.stores()["store-1"].peak == whole.stores()["store-1"].peak


def copied(module_id: str, original: str, *, by_transition: bool) -> list[tuple[str, Event]]:
    """A fork of who holds `original` begins; told of first by the transition, or by its own events."""
    told = handed("copied", original, module_id)
    forked = AgentTransition(turn=1, by="fork", to=module_id, profile="p", modules=told)
    began = begun(module_id, module_id, "forked", spawner=original, started_as="fork")
    return [(original, forked), *began] if by_transition else [*began, (original, forked)]


ACTS = st.tuples(st.integers(0, 4), st.sampled_from(["a", "b"]), st.none() | BODIES, st.sampled_from("wctd"))


@given(st.lists(ACTS, max_size=30))
def test_stores_that_are_copied_and_go_on_apart_are_rebuilt(acts: list[Any]) -> None:
    """Each store is held by an agent of its name, which writes, deletes, or is forked."""
    stores = {"s": PlainStore("s", author="s")}
    story: list[tuple[str, Event]] = [*begun("s", "s"), ("s", stores["s"].state())]
    for place, name, body, act in acts:
        module_id = list(stores)[place % len(stores)]
        store = stores[module_id]
        if act in "ct" and len(stores) < 5:
            new_id = f"s{len(stores)}"
            stores[new_id] = store.copy(new_id)
            stores[new_id].author = new_id
            story += copied(new_id, module_id, by_transition=act == "t")
            story.append((new_id, stores[new_id].state()))
        elif act == "d" and name in store.texts:
            story += [(module_id, event) for event in store.delete(name)]
        elif body is not None:
            story += [(module_id, event) for event in store.write(name, body)]
    fold = MemoryFold()

    assert [found for stamped in stamp_team(story) for found in fold.add(stamped)] == []
    folded = fold.stores()
    assert list(folded) == list(stores)
    for module_id, store in stores.items():
        held = folded[module_id].memories
        assert {name: (memory.body, memory.revision) for name, memory in held.items()} == {
            name: (texts[1], store.counters[name]) for name, texts in store.texts.items()
        }


def test_of_a_copy_the_history_is_its_own_and_the_original_s_is_named() -> None:
    one = PlainStore("s", author="s")
    first = one.write("a", "x")
    two = one.copy("s1")
    two.author = "s1"
    story = [
        *begun("s", "s"),
        *[("s", event) for event in first],
        *copied("s1", "s", by_transition=False),
        *[("s1", event) for event in two.write("a", "y")],
    ]
    stores = fold_memories(stamp_team(story))

    assert stores["s"].copied_from is None
    assert stores["s1"].copied_from == StoreOriginal(module_id="s", seq=7)
    assert [entry.revision.body for entry in stores["s1"].history] == ["y"]
    assert [entry.revision.body for entry in stores["s"].history] == ["x"]


def test_a_copy_of_what_nothing_is_known_of_is_empty() -> None:
    stores = fold_memories(stamp_team(copied("s1", "s", by_transition=True)))

    assert {name: (dict(store.memories), store.is_written) for name, store in stores.items()} == {
        "s1": ({}, False)
    }


def test_a_fork_that_is_linked_copies_nothing() -> None:
    one = PlainStore("s", author="s")
    linked = begun("s-2", "s", "forked", spawner="s", started_as="fork", scope="inherited")
    story = [*begun("s", "s"), *[("s", event) for event in one.write("a", "x")], *linked]
    stores = fold_memories(stamp_team(story))

    assert list(stores) == ["s"]
    assert [holding.agent_id for holding in stores["s"].holders] == ["s", "s-2"]
