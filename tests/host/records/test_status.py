"""What a store says that it holds."""

from pathlib import Path

import pytest

from tests.helpers.records import MovableClock, edit, kept, opened

EMPTY = {
    "kept": 0,
    "by_kind": {"note": 0, "lesson": 0},
    "by_status": {"note": 0, "proposed": 0, "approved": 0},
    "stale": 0,
    "unreadable": 0,
    "superseded": 0,
    "oldest_proposal": None,
    "store_bytes": 0,
    "max_store_bytes": 64 * 2**20,
    "max_records": 10_000,
    "used_then_withdrawn": [],
}


@pytest.mark.parametrize(("keyed", "integrity"), [(False, "hash"), (True, "keyed")])
def test_an_empty_store(tmp_path: Path, keyed: bool, integrity: str) -> None:
    with opened(tmp_path, keyed=keyed) as store:
        answer = store.status()
        assert answer.to_json() == {
            "completion_state": "qualified-draft",
            "code": "G6_E_MEMORY_STATUS",
            "message": "0 records, limit 10,000; 0 bytes, limit 64 MiB.",
            "evidence": [],
            "warning_card": {"checks_run": [], "not_checked": [], "warnings": []},
            **EMPTY,
            "integrity": integrity,
        }


def test_records_are_counted_by_what_they_are(tmp_path: Path) -> None:
    clock = MovableClock()
    with opened(tmp_path, clock=clock, max_records=50, max_store_bytes=9_000) as store:
        soon = "2026-11-01T13:00:00Z"
        old, new = kept(store, "Old.", stale_after=soon), kept(store, "New.")
        kept(store, "Soon.", stale_after=soon)
        lessons = [kept(store, f"Lesson {n}.", kind="lesson") for n in range(3)]
        clock.pass_by(minutes=30)
        kept(store, "Later.", kind="lesson", stale_after=soon)
        store.approve(lessons[0].id, reviewer="Sam", reason="ok")
        store.supersede(old.id, new.id, "newer")
        store.supersede(lessons[1].id, new.id, "newer")
        fields = store.status().fields
        assert {name: fields[name] for name in ("kept", "stale", "superseded", "unreadable")} == {
            "kept": 7,
            "stale": 0,
            "superseded": 2,
            "unreadable": 0,
        }
        clock.pass_by(minutes=30)
        fields = store.status().fields
        assert fields["by_kind"] == {"note": 3, "lesson": 4}
        assert fields["by_status"] == {"note": 3, "proposed": 3, "approved": 1}
        assert fields["stale"] == 2
        assert fields["oldest_proposal"] == "2026-11-01T12:00:00.000000Z"
        assert (fields["max_records"], fields["max_store_bytes"]) == (50, 9_000)
        store.forget(record_ids=lessons[2].id, reason="tidy")
        assert store.status().fields["oldest_proposal"] == "2026-11-01T12:30:00.000000Z"


def test_rows_that_cannot_be_read_are_counted_apart(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        records = [kept(store, f"Note {n}.") for n in range(4)]
        edit(store, "UPDATE records SET text = 'Else.' WHERE id = ?", records[0].id)
        edit(store, "DELETE FROM records WHERE id = ?", records[1].id)
        answer = store.status()
        assert (answer.fields["kept"], answer.fields["unreadable"]) == (2, 2)
        assert answer.message == (
            "2 records, limit 10,000; 476 bytes, limit 64 MiB. 2 cannot be read; look at them with gg records"
            " verify."
        )
        assert [warned.failure_mode for warned in answer.warning_card.warnings] == ["memory_poisoning"]
        assert [found.detail for found in answer.evidence] == [
            "the sums that the file keeps of its rows are wrong; look at it with gg records verify"
        ]


def test_a_broken_ledger_is_told(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for n in range(3):
            kept(store, f"Note {n}.")
        edit(store, "UPDATE ledger SET previous_mac = x'00' WHERE n = 2")
        (found,) = store.status().evidence
        assert (found.code, found.detail) == (
            "G6_E_MEMORY_STORE",
            "entry 2 of the ledger was changed, or entries before it were taken out, outside gg; look at it"
            " with gg records verify",
        )


def test_progress_is_told_of_many_rows(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with opened(tmp_path) as store:
        store.import_lines(f'{{"text": "note {n}", "written_by": "a"}}' for n in range(2_500))
        store.status(progress=lambda done, total: told.append((done, total)))
    assert told[:2] == [(1_000, 2_500), (2_000, 2_500)]
