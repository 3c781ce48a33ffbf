"""A store as a whole: its clock, its threads, its end."""

import threading
from datetime import datetime
from pathlib import Path

import pytest

from host.records import Refused, Store
from tests.helpers.records import kept, opened, refused


def test_threads_share_a_store(tmp_path: Path) -> None:
    failures: list[BaseException] = []
    with opened(tmp_path, keyed=True) as store:

        def work(number: int) -> None:
            try:
                for n in range(12):
                    record = kept(store, f"thread {number} note {n}", tags=[f"t{number}"])
                    assert store.search(f"thread {number} note {n}", tags=[f"t{number}"]).current
                    if n % 4 == 0:
                        store.forget(record_ids=record.id, reason="odd")
                assert len(store.recall(tags=[f"t{number}"]).current) == 9
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        status = store.status()
        assert (status.fields["kept"], status.fields["unreadable"], status.evidence) == (54, 0, ())


def test_a_clock_without_a_zone_is_an_error_of_the_caller_and_nothing_is_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "memory.db", clock=lambda: datetime(2026, 11, 1)) as store:
        for call in (lambda: store.put(text="a", written_by="b"), store.recall, store.status):
            with pytest.raises(ValueError, match="has no time zone; give it UTC") as caught:
                call()
            assert not isinstance(caught.value, Refused)
    with opened(tmp_path) as store:
        assert store.status().fields["kept"] == 0


def test_one_moment_is_asked_for_in_each_call(tmp_path: Path) -> None:
    asked: list[datetime] = []

    def clock() -> datetime:
        asked.append(datetime.fromisoformat("2026-11-01T13:00:00+01:00"))
        return asked[-1]

    with Store(tmp_path / "memory.db", clock=clock) as store:
        record, _ = store.put(text="a", written_by="b", stale_after="2026-11-01T12:00:00Z")
        assert (len(asked), record.stale) == (1, True)
        assert record.to_json()["created_at"] == "2026-11-01T12:00:00.000000Z"
        assert len(store.search("a").stale) == 1
        assert len(asked) == 2


def test_a_store_that_is_closed_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        kept(store, "a")
    store.close()
    with refused("G6_E_MEMORY_STORE"):
        store.recall()
    with refused("G6_E_MEMORY_STORE"):
        store.put(text="b", written_by="c")
