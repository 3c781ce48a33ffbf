"""The baselines on a handful of records: what each finds, in which order, and under which state."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from host.app.bench.retrieval.answering import Answer, Ask
from host.app.bench.retrieval.baselines import FTS5, FTS5_WITHOUT_STATES, SCAN, baselines
from host.app.bench.retrieval.judged_set import JudgedSet
from tests.host.app.bench.retrieval.test_scoring import record

NOTES: Final = {
    "host": ("The export starts at two on kestrel-3.", "current"),
    "owner": ("Tomasz owns the export.", "current"),
    "old": ("The export starts at eleven on kestrel-1.", "stale"),
    "was": ("The export has no owner.", "superseded"),
    "idea": ("Start the export twice.", "proposed"),
    "gone": ("The export password is plum.", "forgotten"),
    "torn": ("The export starts at noon.", "unreadable"),
    "food": ("香菜和花生都不吃 🔴", "current"),
}
JUDGED: Final = JudgedSet(
    records={key: replace(record(key, state), text=text) for key, (text, state) in NOTES.items()},
    questions=(),
    digest="",
)
IDS: Final = {key: f"id of {key}" for key in NOTES}


@pytest.fixture
def asks() -> Iterator[dict[str, Ask]]:
    with baselines(JUDGED, IDS) as systems:
        yield {system.name: system.ask for system in systems}


@pytest.mark.parametrize("name", [SCAN, FTS5])
def test_each_record_is_listed_under_its_state_or_not_at_all(name: str, asks: dict[str, Ask]) -> None:
    assert asks[name]("when does the export start on kestrel-3") == Answer(
        current=("host", "owner"), stale=("old",), superseded=("was",)
    )


def test_a_table_without_states_serves_all_that_was_ever_kept(asks: dict[str, Ask]) -> None:
    found = asks[FTS5_WITHOUT_STATES]("export")

    assert sorted(found.current) == sorted(set(NOTES) - {"food"})
    assert (found.stale, found.superseded) == ((), ())


def test_fts5_has_no_word_of_two_characters_and_no_symbol_where_the_scan_has(asks: dict[str, Ask]) -> None:
    queries = ("香菜", "🔴", "🔴 香菜")

    assert [asks[SCAN](query).current for query in queries] == [("food",)] * 3
    assert [asks[FTS5](query).current for query in queries] == [()] * 3


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('"', ()),
        ("*", ()),
        ('owns "two" AND', ("owner", "host")),
        ("text:owns", ()),
        ("owns NOT host", ("owner",)),
    ],
)
def test_no_query_is_one_in_the_language_of_fts5(
    query: str, found: tuple[str, ...], asks: dict[str, Ask]
) -> None:
    assert asks[FTS5](query).current == found


def test_stop_words_ask_for_nothing_beside_other_words(asks: dict[str, Ask]) -> None:
    assert asks[FTS5]("who owns the?") == Answer(current=("owner",))
    assert asks[FTS5]("the").current == ("owner", "host")
