"""What is left to be erased while somebody reads the file, and who does it then."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from host.core.text import format_size
from host.records import Store
from tests.helpers.records import edit, kept, opened, raw_bytes

SECRET = b"quixotzar"


@contextmanager
def reader(store: Store) -> Iterator[None]:
    """Somebody who looks at the file as it is now, and goes on looking."""
    connection = sqlite3.connect(store.path, isolation_level=None)
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM records").fetchone()
        yield
    finally:
        connection.close()


def mark(store: Store) -> int:
    """How many marks there are that something is to be erased."""
    return edit(store, "UPDATE settings SET value = value WHERE name = 'to_erase'")


@pytest.mark.slow  # it waits 5 s for the reader
def test_a_reader_keeps_the_text_in_the_log_until_the_next_open(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        record = kept(store, "quixotzar plimbrew")
        with reader(store):
            answer = store.forget(record_ids=record.id, reason="wrong")
            receipt = answer.to_json()["receipt"]
            assert receipt["checked_gone"] is True  # type: ignore[index]
            assert (receipt["remade"], receipt["wal_pending"]) == (False, True)  # type: ignore[index]
            assert answer.message == (
                "1 record removed, and looked that nothing of it is left. The text is still in the log of the"
                " file, until the store is next opened and nobody reads it."
            )
            assert store.recall().current == ()
            assert SECRET in raw_bytes(store)
            with opened(tmp_path) as other:  # is not held up, and leaves it
                assert mark(other) == 1
            kept(store, "Work goes on.")
        assert SECRET in raw_bytes(store)
        with opened(tmp_path) as other:
            assert SECRET not in raw_bytes(other)
            assert mark(other) == 0
            assert other.status().fields["kept"] == 1
        assert store.status().evidence == ()


def test_a_write_that_was_killed_before_it_erased_is_finished_at_the_next_open(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        kept(store, "quixotzar plimbrew")
        edit(store, "INSERT INTO settings VALUES ('to_erase', 1)")
        edit(store, "PRAGMA secure_delete = OFF")
        edit(store, "DELETE FROM records")
        edit(store, "DELETE FROM postings")
        assert SECRET in raw_bytes(store)
        with opened(tmp_path) as other:
            assert SECRET not in raw_bytes(other)
            assert mark(other) == 0


@pytest.mark.parametrize("keyed", [False, True])
def test_others_who_have_the_file_open_go_on(tmp_path: Path, keyed: bool) -> None:
    with opened(tmp_path, keyed=keyed) as one, opened(tmp_path, keyed=keyed) as two:
        for n in range(8):
            by, other = (one, two) if n % 2 else (two, one)
            record, rest = kept(by, f"quixotzar {n}"), kept(other, f"rest {n}")
            assert [hit.record for hit in other.search("quixotzar").current] == [record]
            by.forget(record_ids=record.id, reason="wrong")
            assert other.search("quixotzar").current == ()
            assert other.search(f"rest {n}", top_k=1).current[0].record == rest
            assert SECRET not in raw_bytes(other)
        assert one.status().to_json() == two.status().to_json()
        assert one.status().fields["kept"] == 8


def test_a_large_file_is_not_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path) as store:
        first, second = kept(store, "One."), kept(store, "Two. " * 800)
        store.forget(record_ids=second.id, reason="wrong")
        small = store.path.stat().st_size
        second = kept(store, "Two. " * 800)
        monkeypatch.setattr("host.records.erasing.MAX_REMADE_BYTES", small)
        answer = store.forget(record_ids=second.id, reason="wrong")
        assert answer.to_json()["receipt"]["remade"] is False  # type: ignore[index]
        assert answer.message == (
            "1 record removed, and looked that nothing of it is left. The file is larger than"
            f" {format_size(small)} and was not made anew: single words may be left in its gaps."
        )
        assert mark(store) == 0
        assert store.path.stat().st_size > small
        store.forget(record_ids=first.id, reason="wrong")
        assert b"Two. Two." not in raw_bytes(store)
