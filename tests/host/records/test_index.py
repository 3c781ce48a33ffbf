"""The index of terms follows the rows: whatever becomes of a text, nothing of it is left behind, and no row's
terms are lost with another's.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from host.core.terms import VERSION
from host.records import Refused
from tests.helpers.record_scan import index_of, indexed
from tests.helpers.records import edit, kept, opened, refused

TEXTS: Final = ("The parcel is damaged.", "東京へ 🚀 C++", "…", "parcel " * 30, "Nothing of all that.")

CHANGED: Final[dict[str, object]] = {
    "other words": "A parcel that was never there.",
    "fewer words": "The parcel.",
    "more words": "The parcel is damaged. It is late as well.",
    "no word": "…",
    "bytes": b"\xff\xfe parcel",
    "a number": 7,
}


def test_what_is_put_and_forgotten(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        ids = [kept(store, text).id for text in TEXTS]
        assert indexed(store) == index_of(dict(enumerate(TEXTS, 1)))
        store.forget(record_ids=[ids[0], ids[2]], reason="asked for")
        assert indexed(store) == index_of({2: TEXTS[1], 4: TEXTS[3], 5: TEXTS[4]})
        store.forget(record_ids=ids, reason="asked for")
        assert indexed(store) == ([], 0)


@pytest.mark.parametrize("changed", CHANGED)
def test_a_row_is_forgotten_whose_text_was_changed(tmp_path: Path, changed: str) -> None:
    """What its text says now is no guide to its postings."""
    with opened(tmp_path) as store:
        ids = [kept(store, text).id for text in TEXTS]
        edit(store, "UPDATE records SET text = ? WHERE seq = 1", CHANGED[changed])

        receipt = store.forget(record_ids=ids[:1], reason="asked for").fields["receipt"]

        assert receipt["checked_gone"] is True  # type: ignore[index]
        assert indexed(store) == index_of(dict(list(enumerate(TEXTS, 1))[1:]))


def test_a_posting_that_somebody_added_goes_with_its_row(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        ids = [kept(store, text).id for text in TEXTS]
        edit(store, "INSERT INTO postings VALUES ('elephant', 1, 9, 13)")
        edit(store, "INSERT INTO postings VALUES (CAST(x'ff' AS TEXT), 1, 9, 13)")

        store.forget(record_ids=ids[:1], reason="asked for")

        assert indexed(store)[0] == index_of(dict(list(enumerate(TEXTS, 1))[1:]))[0]


@pytest.mark.parametrize("length", [-(2**63), 2**63 - 1])
def test_rows_go_whose_lengths_are_none(tmp_path: Path, length: int) -> None:
    """Their sum would be more than SQLite holds."""
    with opened(tmp_path) as store:
        ids = [kept(store, text).id for text in TEXTS]
        edit(store, "UPDATE postings SET len = ?", length)

        store.forget(record_ids=ids, reason="asked for")

        assert indexed(store)[0] == []


@pytest.mark.parametrize("count", [3, 40])
def test_many_changed_rows_are_forgotten(tmp_path: Path, count: int) -> None:
    """Few are looked for term by term, many in one scan of all postings."""
    with opened(tmp_path) as store:
        for number in range(count):
            kept(store, f"Parcel {number} is damaged.", tags=["gone"])
        stays = kept(store, "Parcels stay.")
        edit(store, "UPDATE records SET text = 'nothing' WHERE seq <= ?", count)

        store.forget(tags=["gone"], reason="asked for")

        assert indexed(store) == index_of({stays.seq: stays.text})
        assert [hit.record.id for hit in store.search("parcel").current] == [stays.id]


def test_terms_by_other_rules_are_made_anew_at_the_next_opening(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for text in TEXTS:
            kept(store, text)
        edit(store, "UPDATE postings SET term = 'old ' || term")
        edit(store, "UPDATE settings SET value = '0' WHERE name = 'terms'")

    with opened(tmp_path) as store:
        assert indexed(store) == index_of(dict(enumerate(TEXTS, 1)))
        assert len(store.search("parcel").current) == 2
        with closing(sqlite3.connect(store.path)) as connection:
            [setting] = connection.execute("SELECT value FROM settings WHERE name = 'terms'").fetchone()
        assert setting == VERSION


@pytest.mark.parametrize("value", ["0", "-1", "'many'", "9e999", "0.5"])
@pytest.mark.parametrize("column", ["tf", "len", "seq"])
def test_numbers_that_are_none_fail_no_search(tmp_path: Path, column: str, value: str) -> None:
    """A search refuses a damaged index, or answers as far as it can."""
    with opened(tmp_path) as store:
        for text in TEXTS:
            kept(store, text)
        edit(store, f"UPDATE postings SET {column} = {value} WHERE term = 'parcel' AND seq = 1")

        told = None
        try:
            found = store.search("parcel", top_k=1)
            assert [hit.record.seq for hit in found.current] in ([1], [4])
        except Refused as error:
            told = error.message

        assert told is None or "the index of terms was changed outside gg" in told
        if column == "tf":
            assert told is not None


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE totals SET rows = 'many'",
        "UPDATE totals SET rows = 0",
        "UPDATE totals SET rows = 1",
        "UPDATE totals SET terms = 0",
        "UPDATE totals SET terms = 1.5",
        "DELETE FROM totals",
    ],
)
def test_sums_that_cannot_be_fail_no_search(tmp_path: Path, sql: str) -> None:
    with opened(tmp_path) as store:
        for text in TEXTS:
            kept(store, text)
        edit(store, sql)
        with refused("G6_E_MEMORY_STORE"):
            store.search("parcel")
