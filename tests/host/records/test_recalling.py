"""Recall: which records, newest first by their place and not by the clock, and how many more there are."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from host.records import Found
from tests.helpers.record_scan import answer_of, scanned_recall
from tests.helpers.records import ABSENT_ID, NOON, MovableClock, edit, kept, opened, refused

_MANY: Final = "host.records.states._MANY"


def ids(found: Found) -> list[str]:
    return [hit.record.id for hit in found.current]


@pytest.mark.parametrize("how", [{}, {"tags": ["ops"]}, {"kind": "note"}])
def test_a_hundred_puts_in_one_tick_are_newest_first(tmp_path: Path, how: dict[str, object]) -> None:
    with opened(tmp_path) as store:
        put = [kept(store, f"Note {number}.", tags=["ops"]).id for number in range(100)]

        found = store.recall(limit=100, **how)  # type: ignore[arg-type]

    assert {hit.record.created_at for hit in found.current} == {NOON}
    assert ids(found) == put[::-1]
    assert [hit.score for hit in found.current] == [None] * 100


def test_newest_is_by_place_when_the_clock_goes_back(tmp_path: Path) -> None:
    clock = MovableClock()
    with opened(tmp_path, clock=clock) as store:
        first = kept(store, "The first.").id
        clock.pass_by(days=-3)
        second = kept(store, "The second.").id

        assert ids(store.recall()) == [second, first]


@pytest.mark.parametrize("limit", [1, 9, 10, 11, 100])
@pytest.mark.parametrize("how", [{}, {"tags": ["ops"]}, {"kind": "note"}])
def test_more_at_the_edge_of_the_limit(tmp_path: Path, limit: int, how: dict[str, object]) -> None:
    with opened(tmp_path) as store:
        for number in range(10):
            kept(store, f"Parcel {number} is here.", tags=["ops"])
            kept(store, f"Parcel {number} was here.", tags=["ops"], stale_after=NOON)

        found = store.recall(limit=limit, **how)  # type: ignore[arg-type]

    served = min(limit, 10)
    assert (len(found.current), len(found.stale), found.more) == (served, served, 20 - 2 * served)


def test_ids_that_are_not_there_are_named(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        one, two = (kept(store, text).id for text in ("One.", "Two."))

        found = store.recall(record_ids=[one, ABSENT_ID, two.upper()])

    assert (ids(found), found.missing, found.more) == ([two, one], (ABSENT_ID,), 0)


def test_more_ids_than_sqlite_takes_parameters(tmp_path: Path) -> None:
    many = [f"{number:064x}" for number in range(300_000)]
    with opened(tmp_path) as store:
        one = kept(store, "One.").id

        found = store.recall(record_ids=[*many, one])

    assert (ids(found), found.missing) == ([one], tuple(many))


def test_proposals_are_held_back_and_listed_on_demand(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        note = kept(store, "A note.")
        waiting = kept(store, "Wait for a person.", kind="lesson")
        late = kept(store, "Too late.", kind="lesson", stale_after=NOON)

        found = store.recall()
        assert (ids(found), found.held_back) == ([note.id], 2)
        listed = store.recall(proposed=True)
        assert (ids(listed), listed.held_back) == ([waiting.id], 0)
        assert [hit.record.id for hit in listed.stale] == [late.id]
        assert ids(store.recall(kind="note", proposed=True)) == []
        assert ids(store.recall(record_ids=[waiting.id])) == []
        assert store.recall(record_ids=[waiting.id]).held_back == 1


def test_superseded_ones_are_apart_and_in_no_count(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        old = kept(store, "The gate is at 3.", tags=["ops"], stale_after=NOON)
        new = kept(store, "The gate is at 4.", tags=["ops"])
        store.supersede(old.id, new.id, "it moved")

        for how in ({}, {"tags": ["ops"]}):
            found = store.recall(limit=1, **how)
            assert ids(found) == [new.id]
            assert [hit.record.id for hit in found.superseded] == [old.id]
            assert (found.stale, found.more) == ((), 0)


def test_unreadable_rows_found_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.records.look.MAX_CHECKED_ROWS", -1)
    with opened(tmp_path) as store:
        put = [kept(store, f"Note {number}.").id for number in range(30)][::-1]
        for id_ in put[:20]:
            edit(store, "UPDATE records SET source = 'elsewhere' WHERE id = ?", id_)

        found = store.recall(limit=3)
        scanned = scanned_recall(store, now=NOON, limit=3, unreadable=put[:20])

    assert (ids(found), found.unreadable) == (put[20:23], 20)
    assert answer_of(found) == scanned


@pytest.mark.slow
@pytest.mark.parametrize("many", [100_000, 1])
def test_thousands_of_stale_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    """Few stale rows are sorted, many are walked past: both say the same as a scan."""
    monkeypatch.setattr(_MANY, many)
    with opened(tmp_path) as store:
        store.import_lines(
            json.dumps(
                {
                    "text": f"Note {number}.",
                    "written_by": "agent:1",
                    "stale_after": (NOON + timedelta(seconds=number % 3 - 1)).isoformat(),
                    "kind": "lesson" if number % 5 == 0 else "note",
                }
            )
            for number in range(3_000)
        )
        for kind in (None, "note", "lesson"):
            for proposed in (False, True):
                found = store.recall(kind=kind, proposed=proposed, limit=50)
                assert answer_of(found) == scanned_recall(
                    store, now=NOON, kind=kind, proposed=proposed, limit=50
                )


@pytest.mark.parametrize("limit", [0, 101, -1, True, 2.0, "5"])
def test_limits_that_are_none(tmp_path: Path, limit: int) -> None:
    with opened(tmp_path) as store:
        with refused("G6_E_MEMORY_INPUT") as caught:
            store.recall(limit=limit)
        assert caught.value.message.startswith("limit is ")
        with refused("G6_E_MEMORY_INPUT") as caught:
            store.search("a", top_k=limit)
        assert caught.value.message.startswith("top_k is ")
