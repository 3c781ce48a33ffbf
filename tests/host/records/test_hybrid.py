"""Hybrid search: what it finds in other words, in which order and list; vectors kept and forgotten."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.records import Embedder, Found, Store, invoke_hybrid
from host.records.integrity.seal import PlainSeal
from host.records.vectors import Tags
from host.testing import ConceptEmbedder
from tests.helpers.records import MovableClock, edit, kept, opened, raw_bytes, refused

CONCEPTS: Final = {
    "money": ("refund", "refunds", "money", "payback"),
    "parcel": ("parcel", "parcels", "package", "box"),
    "time": ("clock", "deadline", "schedule"),
}
REFUNDS: Final = "Refunds for parcels are issued within 14 days."
QUESTION: Final = "money for a package"
"""Shares no term with `REFUNDS`, and means the same."""
OTHER: Final = "The office opens early."


def embedder(**more: str) -> ConceptEmbedder:
    return ConceptEmbedder(CONCEPTS, **more)


def search(store: Store, query: str = QUESTION, *, by: Embedder | None = None, **more: object) -> Found:
    return store.search_hybrid(query, embedder=by or embedder(), **more)  # type: ignore[arg-type]


def texts(found: Found) -> list[str]:
    return [hit.record.text for hit in found.current]


def vectors(store: Store) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute("SELECT seq, model, vector, tag FROM vectors ORDER BY seq").fetchall()


def test_the_same_in_other_words_is_found_and_a_search_by_words_finds_it_not(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        record = kept(store, REFUNDS)
        kept(store, OTHER)

        found = search(store)

        assert texts(found) == [REFUNDS]
        assert found.current[0].score == 1 / 61
        assert found.score_scale == "rrf"
        assert found.envelope.to_json()["records"] == [
            {**record.to_json(), "score": 1 / 61, "score_scale": "rrf"}
        ]
        assert texts(store.search(QUESTION)) == []


def test_a_search_by_words_answers_as_before_once_there_are_vectors(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for text in (REFUNDS, OTHER, "A refund of money takes a deadline."):
            kept(store, text)
        before = store.search("refunds by a deadline").envelope.to_json()

        search(store)

        assert store.search("refunds by a deadline").envelope.to_json() == before


def test_words_and_meaning_add_up(tmp_path: Path) -> None:
    both, words, meaning = (
        "The package is money.",
        "A package of seeds on a schedule.",
        "Payback for the box.",
    )
    with opened(tmp_path) as store:
        for text in (words, meaning, both):
            kept(store, text)

        found = search(store, "package money")

    assert texts(found)[0] == both
    assert found.current[0].score == 2 / 61
    assert sorted(texts(found)[1:]) == sorted([words, meaning])


def test_equal_scores_stand_by_words_then_by_id_and_never_by_age(tmp_path: Path) -> None:
    by_words, by_meaning = "The horizon is blue.", "Payback."
    for place, order in enumerate(((by_words, by_meaning), (by_meaning, by_words))):
        with opened(tmp_path / str(place)) as store:
            for text in order:
                kept(store, text)
            assert texts(search(store, "horizon refund")) == [by_words, by_meaning]
    for place, writers in enumerate((range(5), reversed(range(5)))):
        with opened(tmp_path / f"ids{place}") as store:
            for writer in writers:
                kept(store, REFUNDS, written_by=f"agent:{writer}")
            ids = [hit.record.id for hit in search(store).current]
            assert ids == sorted(ids)
            assert len({hit.score for hit in search(store).current}) == 1


def test_nothing_near_and_no_shared_word_is_nothing_found(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        kept(store, REFUNDS)
        for query in ("volcano", "clock", "\u706b\u5c71"):
            found = search(store, query)
            assert (texts(found), found.more, found.held_back) == ([], 0, 0)


def test_lists_limits_and_what_is_held_back_are_those_of_a_search(tmp_path: Path) -> None:
    clock = MovableClock()
    with opened(tmp_path, clock=clock) as store:
        for number in range(4):
            kept(store, f"Refunds of parcels, way {number}.")
        for number in range(3):
            kept(store, f"Refunds of parcels until noon, {number}.", stale_after=clock.moment.isoformat())
        old, new = kept(store, "Parcels, refunds: the old rule."), kept(store, "Parcels, refunds: the rule.")
        store.supersede(old.id, new.id, "a newer one")
        kept(store, "Refunds of parcels are for managers.", kind="lesson")

        found = search(store, top_k=2)

        assert [len(found.current), len(found.stale), len(found.superseded)] == [2, 2, 1]
        assert found.superseded[0].record.id == old.id
        assert found.held_back == 1
        assert found.more == (5 - 2) + (3 - 2)
        everything = search(store, top_k=100)
        assert {hit.record.id for hit in everything.current}.isdisjoint({old.id})
        assert everything.more == 0


def test_stale_and_superseded_records_take_no_place_from_current_ones(tmp_path: Path) -> None:
    clock = MovableClock()
    with opened(tmp_path, clock=clock) as store:
        for number in range(5):
            kept(store, f"money package {number}", stale_after=clock.moment.isoformat())
        kept(store, REFUNDS)

        found = search(store)

    assert found.current[0].score == 1 / 61


def test_filters_hold(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        kept(store, REFUNDS, tags=["billing"])
        kept(store, "Money for a box.", tags=["office"])

        assert texts(search(store, tags=["billing"])) == [REFUNDS]
        assert texts(search(store, kind="lesson")) == []


def test_what_is_wrong_is_refused_as_in_a_search(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        with refused("G6_E_MEMORY_NO_QUERY"):
            search(store, " ")
        with refused("G6_E_MEMORY_INPUT"):
            search(store, top_k=0)
        with refused("G6_E_MEMORY_INPUT") as caught:
            search(store, weight=2)
        assert "weight" in caught.value.message
        answer = invoke_hybrid(store, {"query": "x", "hybrid": True}, embedder=embedder())
        assert (answer.code, answer.is_refusal) == ("G6_E_MEMORY_INPUT", True)
        assert invoke_hybrid(store, {"query": QUESTION}, embedder=embedder()).code == "G6_E_MEMORY_FOUND"


@pytest.mark.parametrize("keyed", [False, True])
def test_vectors_are_made_once_and_told_of(tmp_path: Path, keyed: bool) -> None:
    by, told = embedder(), []
    with opened(tmp_path, keyed=keyed) as store:
        kept(store, REFUNDS)
        kept(store, OTHER)

        search(store, by=by, progress=lambda done, total: told.append((done, total)))
        assert told == [(2, 2)]
        assert by.embedded == (QUESTION, REFUNDS, OTHER)
        kept(store, "Payback for the box.")
        search(store, by=by, progress=lambda done, total: told.append((done, total)))

        assert told == [(2, 2), (1, 1)]
        assert by.embedded[3:] == (QUESTION, "Payback for the box.")
        assert not store.verify().is_refusal
    with opened(tmp_path, keyed=keyed) as store:
        search(store, by=by)
        assert by.embedded[5:] == (QUESTION,)


def test_an_approval_has_the_vector_of_its_row_made_anew(tmp_path: Path) -> None:
    by = embedder()
    with opened(tmp_path) as store:
        lesson = kept(store, REFUNDS, kind="lesson")
        assert search(store, by=by).held_back == 1
        store.approve(lesson.id, reviewer="Noor Veldkamp", reason="read")

        assert texts(search(store, by=by)) == [REFUNDS]
        assert by.embedded == (QUESTION, REFUNDS, QUESTION, REFUNDS)


def test_another_model_makes_its_own(tmp_path: Path) -> None:
    newer = embedder(model="concepts 2")
    with opened(tmp_path) as store:
        kept(store, REFUNDS)
        search(store)
        assert texts(search(store, by=newer)) == [REFUNDS]
        assert newer.embedded == (QUESTION, REFUNDS)
        assert [row[1] for row in vectors(store)] == ["concepts 2"]


TAMPERED: Final = {
    "its bytes": "UPDATE vectors SET vector = x'000001' WHERE seq = 1",
    "that of another row": "UPDATE vectors SET (vector, tag) ="
    " (SELECT vector, tag FROM vectors WHERE seq = 2)",
    "no bytes": "UPDATE vectors SET vector = 'abc' WHERE seq = 1",
    "too many bytes": "UPDATE vectors SET vector = zeroblob(1000) WHERE seq = 1",
    "empty": "UPDATE vectors SET vector = zeroblob(0)",
    "no seal": "UPDATE vectors SET tag = 7",
    "a number": "UPDATE vectors SET vector = 7",
    "of no row": "INSERT INTO vectors SELECT 99, model, vector, tag FROM vectors WHERE seq = 1",
}


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("sql", TAMPERED.values(), ids=TAMPERED)
def test_a_vector_that_was_changed_is_made_anew_and_is_no_finding(
    tmp_path: Path, sql: str, keyed: bool
) -> None:
    with opened(tmp_path, keyed=keyed) as store:
        kept(store, REFUNDS)
        kept(store, "A clock.")
        before = search(store).envelope.to_json()
        made = vectors(store)
        assert edit(store, sql) > 0

        after = search(store).envelope.to_json()

        assert {**after, "unreadable_checked_at": None} == {**before, "unreadable_checked_at": None}
        assert vectors(store)[:2] == made
        assert not store.verify().is_refusal


def test_with_a_key_no_vector_of_anothers_making_holds(tmp_path: Path) -> None:
    """Without one it reorders what is served anyway, and serves nothing else: the row is read and judged."""
    forge = "INSERT OR REPLACE INTO vectors SELECT 2, model, vector, tag FROM vectors WHERE seq = 1"
    with opened(tmp_path, keyed=True) as store:
        kept(store, REFUNDS)
        kept(store, OTHER)
        search(store)
        edit(store, forge)

        assert texts(search(store)) == [REFUNDS]


def test_what_somebody_else_put_into_the_order_goes_when_the_file_is_accepted(tmp_path: Path) -> None:
    """Without a key a vector can be forged; nothing is served for it that its row does not say."""
    with opened(tmp_path) as store:
        kept(store, REFUNDS)
        kept(store, OTHER)
        search(store)
        hash_ = sqlite_value(store, "SELECT hash FROM records WHERE seq = 2")
        money = embedder().embed(["money for a package"])[0]
        tag = Tags(PlainSeal(), embedder()).of(2, hash_, money)
        edit(store, "UPDATE vectors SET vector = ?, tag = ? WHERE seq = 2", money, tag)

        assert sorted(texts(search(store))) == sorted([REFUNDS, OTHER])
        store.accept("looked at")

        assert texts(search(store)) == [REFUNDS]


def test_a_changed_row_is_not_served_whatever_its_vector_says(tmp_path: Path) -> None:
    with opened(tmp_path, keyed=True) as store:
        kept(store, REFUNDS)
        search(store)
        edit(store, "UPDATE records SET text = 'Refunds for parcels are never issued.'")

        found = search(store)

    assert (texts(found), found.unreadable, found.more) == ([], 1, 0)


@pytest.mark.parametrize("sql", ["UPDATE records SET text = x'ff00'", "UPDATE records SET hash = 5"])
def test_rows_that_are_no_rows_are_passed_over(tmp_path: Path, sql: str) -> None:
    with opened(tmp_path) as store:
        kept(store, REFUNDS)
        edit(store, sql)
        found = search(store)

    assert (texts(found), found.unreadable) == ([], 1)


def test_a_file_that_may_not_be_written_is_searched_all_the_same(tmp_path: Path) -> None:
    with opened(tmp_path, keyed=True) as store:
        kept(store, REFUNDS)
        kept(store, OTHER)
        edit(store, "DELETE FROM ledger WHERE n = (SELECT max(n) FROM ledger)")

        found = search(store)

        assert texts(found) == [REFUNDS]
        assert [each.code for each in found.evidence] == ["G6_E_MEMORY_STORE"]
        assert vectors(store) == []


@pytest.mark.parametrize("keyed", [False, True])
def test_nothing_made_of_a_forgotten_text_is_left_in_the_file(tmp_path: Path, keyed: bool) -> None:
    secret = "refund " * 77 + "parcel " * 91 + "clock " * 83
    vector = bytes([77, 91, 83])
    with opened(tmp_path, keyed=keyed) as store:
        record = kept(store, secret)
        kept(store, OTHER)
        search(store)
        tag = vectors(store)[0][3]
        assert isinstance(tag, bytes)
        assert vector in raw_bytes(store)
        assert tag in raw_bytes(store)

        receipt = store.forget(record_ids=record.id, reason="asked for").fields["receipt"]

        assert isinstance(receipt, dict)
        assert receipt["checked_gone"] is True
        assert [row[0] for row in vectors(store)] == [2]
        assert vector not in raw_bytes(store)
        assert tag not in raw_bytes(store)


def test_a_record_that_is_forgotten_while_its_vector_is_made_gets_none(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        record = kept(store, REFUNDS)
        kept(store, OTHER)

        class Meanwhile(ConceptEmbedder):
            def embed(self, given: object) -> tuple[bytes, ...]:
                made = super().embed(given)  # type: ignore[arg-type]
                if REFUNDS in given:  # type: ignore[operator]
                    with opened(tmp_path) as other:
                        other.forget(record_ids=record.id, reason="asked for")
                return made

        found = search(store, by=Meanwhile(CONCEPTS))

        assert texts(found) == []
        assert [row[0] for row in vectors(store)] == [2]


def test_an_older_file_gets_the_table(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        kept(store, REFUNDS)
        path = store.path
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TABLE vectors")
        connection.execute("PRAGMA user_version = 1")

    with opened(tmp_path) as store:
        assert texts(search(store)) == [REFUNDS]
        assert not store.verify().is_refusal


def sqlite_value(store: Store, sql: str) -> bytes:
    with closing(sqlite3.connect(store.path)) as connection:
        value = connection.execute(sql).fetchone()[0]
        assert isinstance(value, bytes)
        return value


WORDS: Final = (*(word for words in CONCEPTS.values() for word in words), "office", "horizon", "early")
TEXTS: Final = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@settings(max_examples=25, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=12, unique=True), TEXTS, st.randoms(use_true_random=False))
def test_an_answer_has_every_answer_of_words_and_does_not_depend_on_age(
    tmp_path_factory: pytest.TempPathFactory, notes: list[str], query: str, random: object
) -> None:
    by = embedder()
    answers = []
    for order in (notes, random.sample(notes, len(notes))):  # type: ignore[attr-defined]
        with opened(tmp_path_factory.mktemp("store")) as store:
            store.import_lines(json.dumps({"text": text, "written_by": "agent:1"}) for text in order)
            found = search(store, query, by=by, top_k=100)
            by_words = store.search(query, top_k=100)
        assert set(texts(by_words)) <= set(texts(found))
        asked = by.embed([query])[0]
        near = {t for t in notes if asked and (v := by.embed([t])[0]) and by.similarities(asked, v)[0] >= 0.5}
        assert set(texts(found)) == set(texts(by_words)) | near
        answers.append([(hit.record.id, hit.score) for hit in found.current])

    assert answers[0] == answers[1]
