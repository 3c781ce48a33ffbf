"""A write goes in whole or not at all, whatever fails on its way, and the store can be used on after it."""

import shutil
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

from host.records import Refused, Store, make_keys
from tests.helpers.records import edit, kept, opened, refused

STORE: Final = "G6_E_MEMORY_STORE"
MODES: Final = pytest.mark.parametrize("keyed", [False, True], ids=["hash", "keyed"])


class Interrupted(BaseException):
    """Comes as a person's Ctrl-C does, anywhere."""


def interrupt(store: Store, text: str, point: int) -> bool:
    """Puts a record, and raises before the `point`th call of a function in C; whether it came to that."""
    left = point

    def count_down(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        # In Python 3.11 one that comes in a cached property leaves a lock of the interpreter's locked.
        if (
            event == "c_call"
            and argument is not sys.setprofile
            and "functools" not in frame.f_code.co_filename
        ):
            left -= 1
            if left == 0:
                raise Interrupted

    try:
        sys.setprofile(count_down)
        store.put(text=text, written_by="agent:1", tags=["all"])
    except Interrupted:
        return True
    finally:
        sys.setprofile(None)
    return False


@MODES
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of files left by interrupts
@pytest.mark.parametrize("step", [37, pytest.param(1, marks=pytest.mark.slow)])
def test_a_put_that_is_interrupted_anywhere(step: int, keyed: bool, tmp_path: Path) -> None:
    with opened(tmp_path, keyed=keyed) as store:
        kept(store, "The first.")
        edit(store, "UPDATE records SET text = 'The 1st.' WHERE seq = 1")
        assert store.recall().unreadable == 1
        point = step
        while interrupt(store, f"Note {point}.", point):
            found = store.recall()
            kept(store, f"After {point}.", tags=["all"])
            after = store.recall()
            before = len(found.current) + found.more
            assert (len(after.current) + after.more, after.unreadable, after.evidence) == (before + 1, 1, ())
            point += step
        assert point > 150
        store.forget(record_ids=[str(store.verify().evidence[0].more["id"])], reason="changed")
        assert store.verify().fields["whole"] is True


@MODES
def test_a_full_file_refuses_and_can_be_used_on(keyed: bool, tmp_path: Path) -> None:
    with opened(tmp_path, keyed=keyed) as store:
        first = kept(store, "The first.")
        connection = store._access.journal.database.connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with refused(STORE) as caught:
            kept(store, "word " * 700 + "x " * 200)
        assert "the disk is full; make room, nothing was written" in caught.value.message
        assert [hit.record for hit in store.recall().current] == [first]
        connection.execute("PRAGMA max_page_count = 100000")
        kept(store, "There is room.")
        assert store.verify().fields["rows"] == 2


def test_a_head_that_cannot_be_written_refuses_before_the_file_is(tmp_path: Path) -> None:
    with opened(tmp_path, keyed=True) as store:
        kept(store, "The first.")
        in_the_way = beside_the_head(tmp_path)
        in_the_way.mkdir()
        with refused(STORE) as caught:
            kept(store, "The second.")
        assert "is a directory" in caught.value.message.lower()
        in_the_way.rmdir()
        assert (len(store.recall().current), store.recall().evidence) == (1, ())
        kept(store, "The second.")
        assert store.verify().fields["rows"] == 2


def test_a_head_that_cannot_be_brought_to_an_end_is_told_and_the_next_write_does_it(tmp_path: Path) -> None:
    with opened(tmp_path, keyed=True) as store:
        kept(store, "The first.")
        in_the_way = beside_the_head(tmp_path)
        connection = store._access.journal.database.connection
        connection.set_trace_callback(lambda sql: in_the_way.mkdir() if sql == "COMMIT" else None)
        with refused(STORE) as caught:
            kept(store, "The second.")
        connection.set_trace_callback(None)
        assert "is in the store, but its head cannot be brought to an end" in caught.value.message
        assert (len(store.recall().current), store.recall().evidence) == (2, ())
        in_the_way.rmdir()
        _, envelope = store.put(text="The second.", written_by="agent:run-1")
        assert envelope.fields["existed"] is True
        kept(store, "The third.")
        assert store.verify().fields["whole"] is True


def beside_the_head(folder: Path) -> Path:
    (head,) = folder.glob("keys/heads/*.json")
    return head.with_suffix(".new")


def test_a_store_comes_under_a_key_with_what_its_hashes_vouch_for(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for number in range(4):
            kept(store, f"Note {number}.")
        edit(store, "UPDATE records SET text = 'Changed.' WHERE seq = 2")
        edit(store, "DELETE FROM records WHERE seq = 3")
        make_keys(tmp_path / "keys")
        with opened(tmp_path, keyed=True) as keyed:
            found = keyed.recall()
            assert ([hit.record.text for hit in found.current], found.unreadable) == (
                ["Note 3.", "Note 0."],
                2,
            )
            assert keyed.status().fields["integrity"] == "keyed"
            for call in (store.recall, lambda: kept(store, "Without a key.")):
                with refused(STORE) as caught:
                    call()  # type: ignore[operator]
                assert "was kept with a key, which is needed to read it" in caught.value.message
            kept(keyed, "With the key.")
            assert keyed.recall().evidence == found.evidence
    with refused(STORE), opened(tmp_path):
        pass


def test_eight_that_make_a_keyed_store_at_once_lose_nothing(tmp_path: Path) -> None:
    keys = make_keys(tmp_path / "keys").folder
    together = threading.Barrier(8)
    failures: list[BaseException] = []

    def puts(number: int) -> None:
        try:
            together.wait()
            with Store(tmp_path / "new" / "memory.db", keys=keys) as store:
                for each in range(5):
                    kept(store, f"Note {each} of {number}.")
                    assert store.recall().evidence == ()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=puts, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    with Store(tmp_path / "new" / "memory.db", keys=keys) as store:
        assert store.verify().fields | {"checked_at": ""} == {
            "whole": True,
            "rows": 40,
            "entries": 41,
            "unreadable": 0,
            "missing": 0,
            "integrity": "keyed",
            "checked_at": "",
            "acceptances": [],
        }


def copied(path: Path, to: Path) -> None:
    shutil.copy(path, to)


def moved(path: Path, to: Path) -> None:
    path.rename(to)


@pytest.mark.parametrize("go", [copied, moved])
def test_a_keyed_store_that_comes_to_another_place_is_read_and_not_written_until_accepted(
    go: object, tmp_path: Path
) -> None:
    with opened(tmp_path, keyed=True) as store:
        record = kept(store, "The first.")
    there = tmp_path / "there.db"
    go(tmp_path / "memory.db", there)  # type: ignore[operator]
    with Store(there, keys=tmp_path / "keys") as store:
        found = store.recall()
        assert [hit.record.id for hit in found.current] == [record.id]
        assert "the store has no head beside its key, as if it were a copy" in found.evidence[0].detail
        with refused(STORE) as caught:
            kept(store, "The second.")
        assert caught.value.message.startswith("nothing is written: the store has no head beside its key")
        store.accept("moved it myself")
        kept(store, "The second.")
        assert store.recall().evidence == ()


def test_an_acceptance_needs_a_reason(tmp_path: Path) -> None:
    with opened(tmp_path) as store, refused("G6_E_MEMORY_NO_REASON"):
        store.accept("  ")


def test_a_read_beside_a_write_sees_no_mismatch(tmp_path: Path) -> None:
    """Between the file's commit and the head's the head allows both."""
    with opened(tmp_path, keyed=True) as store, opened(tmp_path, keyed=True) as other:
        kept(store, "The first.")
        seen: list[tuple[int, int]] = []

        def look(sql: str) -> None:
            if sql == "COMMIT":
                found = other.recall()
                seen.append((len(found.current), len(found.evidence)))

        connection = store._access.journal.database.connection
        connection.set_trace_callback(look)
        kept(store, "The second.")
        connection.set_trace_callback(None)
        assert seen == [(1, 0)]
        assert (len(other.recall().current), other.recall().evidence) == (2, ())


def take_out_and_fail(store: Store, seq: int) -> None:
    with store._access.writing() as (change, look):
        change.take_out(seq)
        look.unreadable.forget([seq])
        raise Interrupted


@MODES
def test_what_a_refused_forget_forgot_is_known_again(keyed: bool, tmp_path: Path) -> None:
    with opened(tmp_path, keyed=keyed) as store:
        kept(store, "The first.")
        changed = kept(store, "The second.")
        edit(store, "UPDATE records SET text = 'Changed.' WHERE seq = 2")
        assert store.recall().unreadable == 1
        with pytest.raises(Interrupted):
            take_out_and_fail(store, 2)
        for _ in range(2):
            found = store.recall()
            assert (len(found.current), found.more, found.unreadable) == (1, 0, 1)
        store.forget(record_ids=[changed.id], reason="changed")
        assert store.recall().unreadable == 0


def test_a_row_at_the_last_place_there_is_stands_in_no_ones_way(tmp_path: Path) -> None:
    with opened(tmp_path, keyed=True) as store:
        kept(store, "The first.")
        edit(store, "UPDATE records SET seq = 9223372036854775807, id = 'f' WHERE seq = 1")
        edit(
            store,
            "INSERT INTO ledger SELECT 4611686018427387904, op, seq, row_mac, mac, mac FROM ledger LIMIT 1",
        )
        assert store.recall().unreadable == 2  # one that nobody put, one that is missing
        with pytest.raises(Refused, match="its head says"):
            kept(store, "The second.")
        store.accept("looked at it")
        assert kept(store, "The second.").seq == 2
