"""The best rows by BM25 without reading every posting: the same as by reading them all."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from random import Random
from typing import Final

import pytest

from host.core.bm25 import scores
from host.core.terms import terms
from host.records import index, schema
from host.records.ranking import Ranking

WORDS: Final = tuple(f"w{number}" for number in range(60))
SHARES: Final = tuple(1 / (number + 1) for number in range(60))

_INSERT: Final = """
 INSERT INTO records (seq, id, text, kind, written_by, tags, created_at, status, size_bytes, hash, mac)
 VALUES (?, ?, ?, 'note', '', '[]', '', 'note', 0, x'', x'')"""


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """The tables of a store in memory."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        schema.migrate(opened, 0)
        yield opened


def fill(connection: sqlite3.Connection, texts: list[str]) -> None:
    """Texts at the places 1, 2, …, with ids that are in another order."""
    for seq, text in enumerate(texts, 1):
        id_ = f"{seq * 7919 % 10_007:05}"
        connection.execute(_INSERT, (seq, id_, text))
    index.add(connection, list(enumerate(texts, 1)))
    connection.execute("UPDATE totals SET rows = ?", (len(texts),))


def scanned(
    connection: sqlite3.Connection, asked: list[str], members: set[int] | None
) -> list[tuple[int, float]]:
    rows = connection.execute("SELECT seq, id, text FROM records ORDER BY seq").fetchall()
    found = zip(rows, scores(asked, [terms(text) for _, _, text in rows]), strict=True)
    matches = [
        (-score, id_, seq)
        for (seq, id_, _), score in found
        if score > 0 and (members is None or seq in members)
    ]
    return [(seq, -score) for score, _, seq in sorted(matches)]


def test_random_texts(connection: sqlite3.Connection) -> None:
    random = Random(3)
    texts = [" ".join(random.choices(WORDS, SHARES, k=random.randint(1, 30))) for _ in range(600)]
    fill(connection, texts)

    for _ in range(15):
        asked = random.sample(WORDS, random.randint(1, 6))
        ranking = Ranking(connection, asked)
        everyone = scanned(connection, asked, None)
        assert ranking.matches == {seq for seq, _ in everyone}
        some = set(random.sample(sorted(ranking.matches), len(ranking.matches) // 3))
        for most in (1, 5, 100):
            assert ranking.best(ranking.matches, most) == everyone[:most]
            assert ranking.best(some, most) == scanned(connection, asked, some)[:most]


def test_frequencies_of_a_frequent_term_are_read_for_few_rows(connection: sqlite3.Connection) -> None:
    """A rare word decides who is among the best, so that the frequent one is looked up for those alone."""
    fill(connection, ["common"] * 2_000 + ["common rare", "rare and others beside", "rare rare common"])
    statements: list[str] = []
    connection.set_trace_callback(statements.append)

    ranking = Ranking(connection, ["common", "rare"])
    best = ranking.best(ranking.matches, 2)

    assert [seq for seq, _ in best] == [2_003, 2_001]
    assert len(ranking.matches) == 2_003
    frequencies = [statement for statement in statements if "<< " in statement]
    assert [("json_each" in each, "'rare'" in each) for each in frequencies] == [
        (False, True),
        (True, False),
        (True, False),
    ]


def test_many_equal_scores_are_in_the_order_of_ids(connection: sqlite3.Connection) -> None:
    fill(connection, ["one two"] * 3_000)
    ranking = Ranking(connection, ["two", "one"])

    best = ranking.best(ranking.matches, 20)

    ids = dict(connection.execute("SELECT seq, id FROM records").fetchall())
    assert [ids[seq] for seq, _ in best] == sorted(ids.values())[:20]
    assert {score for _, score in best} == {scores(["two", "one"], [("one", "two")] * 3_000)[0]}


def test_terms_that_no_row_has(connection: sqlite3.Connection) -> None:
    fill(connection, ["one two", "two"])
    assert Ranking(connection, ["three"]).matches == set()
    ranking = Ranking(connection, ["three", "one", "four"])
    assert ranking.best(ranking.matches, 5) == scanned(connection, ["three", "one", "four"], None)
