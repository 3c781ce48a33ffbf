"""Which used records were withdrawn later, and by which runs they had been used."""

from pathlib import Path

from host.records import Record, Store, Use
from tests.helpers.records import ABSENT_ID, MovableClock, edit, kept, opened


def use(record: Record, run: str, turn: int = 1) -> Use:
    return Use(record_id=record.id, run=run, agent="root", turn=turn)


def withdrawn(store: Store) -> object:
    return store.status().fields["used_then_withdrawn"]


def test_used_records_that_are_superseded_or_forgotten_are_told_with_their_runs(tmp_path: Path) -> None:
    clock = MovableClock()
    with opened(tmp_path, clock=clock) as store:
        old, new, wrong, fine = (kept(store, f"Version {n}.") for n in range(4))
        store.note_uses([use(wrong, "run-b"), use(old, "run-b"), use(fine, "run-a")])
        store.note_uses([use(old, "run-b", 2), use(old, "a, run"), use(new, "run-a")])
        assert withdrawn(store) == []
        clock.pass_by(minutes=1)
        store.supersede(old.id, new.id, "newer")
        store.forget(record_ids=wrong.id, reason="wrong")
        expected = [
            {"record_id": wrong.id, "how": "forgotten", "runs": ["run-b"]},
            {"record_id": old.id, "how": "superseded", "runs": ["run-b", "a, run"]},
        ]
        assert withdrawn(store) == expected
        card = store.status().to_json()["warning_card"]
        assert card["warnings"] == [  # type: ignore[index]
            {"failure_mode": "stale_context_used", "record_ids": [wrong.id, old.id]}
        ]
    with opened(tmp_path) as store:
        assert withdrawn(store) == expected


def test_a_use_of_what_was_superseded_already_is_none_that_was_withdrawn(tmp_path: Path) -> None:
    clock = MovableClock()
    with opened(tmp_path, clock=clock) as store:
        old, new = kept(store, "Old."), kept(store, "New.")
        store.supersede(old.id, new.id, "newer")
        clock.pass_by(minutes=1)
        store.note_uses([use(old, "run-a")])
        assert withdrawn(store) == []


def test_a_record_that_is_put_again_is_no_longer_withdrawn(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        record = kept(store, "a")
        store.note_uses([use(record, "run-a")])
        store.forget(record_ids=record.id, reason="wrong")
        assert len(withdrawn(store)) == 1  # type: ignore[arg-type]
        kept(store, "a")
        assert withdrawn(store) == []


def test_uses_change_no_record_and_stand_in_no_ledger(tmp_path: Path) -> None:
    with opened(tmp_path, keyed=True) as store:
        record = kept(store, "a")
        store.note_uses([])
        store.note_uses([use(record, "run-a", turn) for turn in range(1, 200)])
        store.note_uses([Use(record_id=ABSENT_ID, run="run-a", agent="a", turn=1)])
        assert edit(store, "UPDATE ledger SET n = n WHERE op = 'put'") == 1
        assert edit(store, "UPDATE ledger SET n = n WHERE op NOT IN ('put', 'key')") == 0
        assert edit(store, "UPDATE uses SET turn = turn") == 200
        assert [hit.record for hit in store.recall().current] == [record]
        assert store.status().evidence == ()


def test_an_edited_row_tells_of_no_withdrawal_and_stops_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        record = kept(store, "a")
        store.note_uses([use(record, "run-a")])
        edit(store, "UPDATE records SET superseded = 'no JSON', superseded_by = 'b'")
        answer = store.status()
        assert (answer.fields["used_then_withdrawn"], answer.fields["unreadable"]) == ([], 1)
