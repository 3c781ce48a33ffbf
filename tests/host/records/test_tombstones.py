"""Claims that are blocked: known again in other spellings, without any of their text being kept."""
# ruff: noqa: RUF001 - these are the letters that are taken for others

import sqlite3
from pathlib import Path
from typing import Final

import pytest

from host.records import Store
from tests.helpers.records import MovableClock, edit, kept, opened, raw_bytes, refused

CLAIM: Final = "The vault code is Zanzibar 42."
SPELLINGS: Final = {
    "the same": CLAIM,
    "other spacing": "  The  vault\ncode\tis Zanzibar\u00a042. ",
    "less spacing": "The vaultcode is Zanzibar42.",
    "capitals": CLAIM.upper(),
    "full width": "Ｔｈｅ ｖａｕｌｔ ｃｏｄｅ ｉｓ Ｚａｎｚｉｂａｒ ４２．",
    "letters of Cyrillic": "Тhе vаult соdе is Zаnzibаr 42.",
    "what is not seen": "The va\u200bult co\u00adde is Zanzi\u2060bar 42.",
    "accents": "Thé váult codè ìs Zanzíbar 42.",
}
OTHERS: Final = (
    "The vault code is Zanzibar 43.",
    "The vault code is Zanzibar 42",
    "The vault code is not Zanzibar 42.",
)


def block(store: Store, text: str = CLAIM, reason: str = "leaked") -> None:
    record = kept(store, text)
    store.forget(record_ids=record.id, reason=reason, block=True)


@pytest.mark.parametrize("keyed", [False, True])
def test_a_blocked_claim_is_refused_in_each_of_its_spellings(tmp_path: Path, keyed: bool) -> None:
    clock = MovableClock()
    with opened(tmp_path, clock=clock, keyed=keyed) as store:
        block(store)
        clock.pass_by(days=3)
    with opened(tmp_path, clock=clock, keyed=keyed) as store:
        for text in SPELLINGS.values():
            with refused("G6_E_MEMORY_INPUT") as caught:
                store.put(text=text, written_by="web:else", kind="lesson", source="elsewhere")
            assert caught.value.message == (
                "text says what was forgotten and blocked on 2026-11-01T12:00:00.000000Z: `leaked`; to keep"
                " it again lift the block first: gg records unblock"
            )
        assert CLAIM.encode() not in raw_bytes(store)
        for text in OTHERS:
            kept(store, text)


def test_what_is_forgotten_without_a_block_may_be_kept_again(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        record = kept(store, CLAIM)
        store.forget(record_ids=record.id, reason="tidy")
        assert kept(store, CLAIM).id == record.id


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_a_block_is_lifted_in_any_spelling_and_that_is_kept(tmp_path: Path, spelling: str) -> None:
    clock = MovableClock()
    with opened(tmp_path, clock=clock) as store:
        block(store)
        clock.pass_by(hours=1)
        answer = store.unblock(spelling, reason=" public now ").to_json()
        assert answer["code"] == "G6_E_MEMORY_UNBLOCKED"
        assert (
            answer["message"] == "The text that was blocked on 2026-11-01T12:00:00.000000Z can be kept again."
        )
        assert answer["receipt"] == {
            "unblocked": True,
            "blocked_at": "2026-11-01T12:00:00.000000Z",
            "blocked_because": "leaked",
            "reason": "public now",
            "at": "2026-11-01T13:00:00.000000Z",
        }
        kept(store, CLAIM)
        with refused("G6_E_MEMORY_NOT_FOUND"):
            store.unblock(CLAIM, reason="again")


def test_unblocking_takes_a_text_and_a_reason(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        block(store)
        with refused("G6_E_MEMORY_NO_TEXT"):
            store.unblock(" ", reason="ok")
        with refused("G6_E_MEMORY_NO_REASON"):
            store.unblock(CLAIM, reason=" ")
        with refused("G6_E_MEMORY_INPUT"):
            store.put(text=CLAIM, written_by="a")


def test_another_record_of_the_same_claim_stays_and_is_not_put_again(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        other = kept(store, CLAIM, written_by="else")
        block(store)
        assert [hit.record for hit in store.search("vault").current] == [other]
        with refused("G6_E_MEMORY_INPUT"):
            store.put(text=CLAIM, written_by="else")


def test_the_newest_reason_of_a_block_is_told(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        one, two = kept(store, CLAIM), kept(store, CLAIM.upper())
        store.forget(record_ids=one.id, reason="first", block=True)
        store.forget(record_ids=two.id, reason="second", block=True)
        with refused("G6_E_MEMORY_INPUT") as caught:
            store.put(text=CLAIM, written_by="a")
        assert "`second`" in caught.value.message
        store.unblock(CLAIM, reason="ok")
        kept(store, CLAIM)


def test_a_block_from_before_the_store_had_a_key_holds_on(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        block(store)
    with opened(tmp_path, keyed=True) as store:
        with refused("G6_E_MEMORY_INPUT"):
            store.put(text=CLAIM, written_by="a")
        block(store, OTHERS[0])
        store.unblock(CLAIM, reason="ok")
        kept(store, CLAIM)
        with refused("G6_E_MEMORY_INPUT"):
            store.put(text=OTHERS[0], written_by="a")


def test_who_can_write_the_file_takes_a_block_away_unseen(tmp_path: Path) -> None:
    with opened(tmp_path, keyed=True) as store:
        block(store)
        edit(store, "DELETE FROM tombstones")
        kept(store, CLAIM)
        assert store.status().evidence == ()


def test_two_stores_know_one_claim_by_different_marks(tmp_path: Path) -> None:
    marks = set()
    for name in ("a", "b"):
        with opened(tmp_path / name) as store:
            block(store)
            marks.add(_mark_of(store))
    assert len(marks) == 2


def test_an_import_obeys_it(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        block(store)
        answer = store.import_lines(
            ['{"text": "ok", "written_by": "a"}', f'{{"text": "{CLAIM}", "written_by": "a"}}']
        )
        assert (answer.code, answer.fields["kept"], answer.fields["bad"]) == ("G6_E_MEMORY_INPUT", 1, 1)
        assert "`leaked`" in answer.fields["bad_lines"][0]["message"]  # type: ignore[index]


def _mark_of(store: Store) -> bytes:
    connection = sqlite3.connect(store.path)
    try:
        ((mark,),) = connection.execute("SELECT mac FROM tombstones").fetchall()
    finally:
        connection.close()
    return bytes(mark)
