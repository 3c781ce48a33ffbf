"""The figures of the record store in a small form: what is told, never how long it took."""

import pytest

from host.app.bench.records import GOALS_MS, record_figures

FIGURES = (
    "load",
    "file",
    "open",
    "first search",
    "search, p50",
    "search, p95",
    "search in a tag, p95",
    "recall, p95",
    "recall of a tag, p95",
    "put, p95",
    "forget, p95",
    "plain scan, p95",
    "FTS5 bm25(), p95",
    "FTS5 with a count, p95",
)


@pytest.mark.slow
def test_two_sizes() -> None:
    heard: list[str] = []

    figures = list(record_figures(heard.append, sizes=(60, 10_000), queries=3))

    names = [figure.name for figure in figures]
    assert names == [f"{size}: {name}" for size in ("60", "10,000") for name in FIGURES]
    assert [figure.name for figure in figures if figure.value <= 0] == []
    goals = {figure.name: figure.goal for figure in figures if figure.goal is not None}
    assert goals["10,000: search, p95"] == GOALS_MS[10_000] == 5
    assert "60: search, p95" not in goals
    assert heard == [
        "60 records: searches, recalls, changes",
        "60 records: peers",
        "10,000 of 10,000 records kept",
        "10,000 records: searches, recalls, changes",
        "10,000 records: peers",
    ]
