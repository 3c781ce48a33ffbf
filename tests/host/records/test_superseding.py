"""One record in the place of another: which may be, what is listed then, and that nobody goes in circles."""

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.records import Refused, Store
from tests.helpers.records import ABSENT_ID, MovableClock, edit, kept, opened, refused


def test_the_old_one_is_listed_apart_and_says_by_what(tmp_path: Path) -> None:
    clock = MovableClock()
    with opened(tmp_path, clock=clock) as store:
        old = kept(store, "The office opens at 8.", tags=["office"])
        new = kept(store, "The office opens at 9.", tags=["office"])
        clock.pass_by(hours=2)
        answer = store.supersede(old.id.upper(), f" {new.id}", " moved ").to_json()
        found = store.search("office opens")
        assert [hit.record for hit in found.current] == [new]
        (hit,) = found.superseded
        assert hit.score is not None
        assert hit.record.to_json()["superseded"] == {
            "by": new.id,
            "at": "2026-11-01T14:00:00.000000Z",
            "reason": "moved",
        }
        assert answer == {
            "completion_state": "qualified-draft",
            "code": "G6_E_MEMORY_SUPERSEDED",
            "message": f"note {old.id[:12]}… is superseded by {new.id[:12]}… and no longer current.",
            "evidence": [],
            "warning_card": {"checks_run": [], "not_checked": [], "warnings": []},
            "record": hit.record.to_json(),
            "by": new.to_json(),
        }
        recalled = store.recall(tags=["office"])
        assert [hit.record for hit in recalled.current] == [new]
        assert [each.record for each in recalled.superseded] == [hit.record]
    with opened(tmp_path, clock=clock) as store:
        assert store.recall(record_ids=old.id).superseded[0].record == hit.record


def test_chains_grow_at_their_end_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        one, two, three, four = (kept(store, f"Version {n}.") for n in range(4))
        store.supersede(one.id, two.id, "newer")
        store.supersede(two.id, three.id, "newer")
        with refused("G6_E_MEMORY_INPUT") as caught:
            store.supersede(one.id, four.id, "newer")
        assert f"is superseded already, by {two.id}" in caught.value.message
        with refused("G6_E_MEMORY_INPUT"):
            store.supersede(one.id, two.id, "again")
        store.supersede(four.id, one.id, "older ones may stand for it too")
        for new in (one, two, four):
            with refused("G6_E_MEMORY_INPUT") as caught:
                store.supersede(three.id, new.id, "circle")
            assert "neither would be current" in caught.value.message
        assert [hit.record.id for hit in store.recall().current] == [three.id]


def test_what_cannot_be_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        old, lesson = kept(store, "Old."), kept(store, "Ask.", kind="lesson")
        for old_id, new_id, reason, code in (
            (old.id, lesson.id, " ", "G6_E_MEMORY_NO_REASON"),
            ("", old.id, "a", "G6_E_MEMORY_INPUT"),
            (old.id, " ", "a", "G6_E_MEMORY_INPUT"),
            (old.id, old.id, "a", "G6_E_MEMORY_INPUT"),
            (old.id, lesson.id, "a", "G6_E_MEMORY_INPUT"),
            (old.id, ABSENT_ID, "a", "G6_E_MEMORY_NOT_FOUND"),
            (ABSENT_ID, old.id, "a", "G6_E_MEMORY_NOT_FOUND"),
            (old.id, old.id[:12], "a", "G6_E_MEMORY_NOT_FOUND"),
        ):
            with refused(code):
                store.supersede(old_id, new_id, reason)
        for old_id, new_id, reason in ((None, old.id, "a"), (old.id, [old.id], "a"), (old.id, old.id, 5)):
            with refused("G6_E_MEMORY_INPUT"):
                store.supersede(old_id, new_id, reason)  # type: ignore[arg-type]
        assert store.recall().superseded == ()
        store.approve(lesson.id, reviewer="Sam", reason="ok")
        store.supersede(old.id, lesson.id, "better")


def test_a_proposal_that_is_superseded_no_longer_waits(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        lesson, note = kept(store, "Ask.", kind="lesson"), kept(store, "Never ask.")
        store.supersede(lesson.id, note.id, "wrong")
        assert store.status().fields["oldest_proposal"] is None
        assert store.search("ask").superseded == ()
        assert [hit.record.id for hit in store.recall(proposed=True).superseded] == [lesson.id]


@pytest.mark.parametrize("edited", ["old", "new"])
def test_rows_that_were_edited_take_no_part(tmp_path: Path, edited: str) -> None:
    with opened(tmp_path) as store:
        records = {"old": kept(store, "Old."), "new": kept(store, "New.")}
        edit(store, "UPDATE records SET text = 'Else.' WHERE id = ?", records[edited].id)
        with refused("G6_E_MEMORY_STORE"):
            store.supersede(records["old"].id, records["new"].id, "newer")


def test_a_record_whose_successor_was_forgotten_may_get_another(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        old, wrong, right = (kept(store, text) for text in ("Old.", "Wrong.", "Right."))
        store.supersede(old.id, wrong.id, "newer")
        store.forget(record_ids=wrong.id, reason="wrong")
        store.supersede(old.id, right.id, "newer")
        assert store.recall(record_ids=old.id).superseded[0].record.superseded.by == right.id  # type: ignore[union-attr]


def test_it_is_taken_back_by_forgetting_the_old_one_and_putting_it_again(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        old, new = kept(store, "Old."), kept(store, "New.")
        store.supersede(old.id, new.id, "by mistake")
        assert store.put(text="Old.", written_by="agent:run-1")[0].superseded is not None
        store.forget(record_ids=old.id, reason="superseded by mistake")
        again = kept(store, "Old.")
        assert (again.id, again.superseded) == (old.id, None)
        assert len(store.recall().current) == 2


def test_a_circle_in_a_file_that_was_edited_holds_nobody_up(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        one, two, three = (kept(store, f"Version {n}.") for n in range(3))
        store.supersede(one.id, two.id, "newer")
        edit(store, "UPDATE records SET superseded_by = ? WHERE id = ?", one.id, two.id)
        assert store.supersede(three.id, one.id, "newer").code == "G6_E_MEMORY_SUPERSEDED"


@settings(max_examples=20)
@given(st.integers(), st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=30))
def test_every_chain_ends_at_a_record_that_is_current(
    tmp_path_factory: pytest.TempPathFactory, seed: int, pairs: list[tuple[int, int]]
) -> None:
    with opened(tmp_path_factory.mktemp("store")) as store:
        ids = [kept(store, f"Version {n}.").id for n in range(7)]
        random.Random(seed).shuffle(ids)
        for old, new in pairs:
            _supersede(store, ids[old], ids[new])
        by = {
            hit.record.id: hit.record.superseded.by
            for hit in store.recall(limit=100).superseded
            if hit.record.superseded
        }
        current = {hit.record.id for hit in store.recall(limit=100).current}
        assert set(by) | current == set(ids)
        for each in ids:
            for _ in range(7):
                each = by.get(each, each)
            assert each in current


def _supersede(store: Store, old: str, new: str) -> None:
    with suppress(Refused):
        store.supersede(old, new, "newer")
